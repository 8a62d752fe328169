import TerminalUI

extension KeyContext { static let choice = KeyContext("choice") }

/// The purpose of a list of choices.
protocol ChoicePurpose: Equatable, Sendable {
  /// Returns whether a text is accepted although it is not in the list.
  func takes(_ text: String) -> Bool
  func run(_ chosen: String, on model: inout AppModel) -> [Command]
}

extension ChoicePurpose {
  func takes(_ text: String) -> Bool { false }
}

/// A dialog with several options to choose from.
///
/// Typing narrows the list.
struct Choice: ListDialog {
  /// The purpose, which handles the chosen option.
  var purpose: any ChoicePurpose
  var title: String
  var options: [Candidate]
  var list = RowList()

  /// Creates a list of `options` in which `present` is selected at first.
  init(
    _ purpose: any ChoicePurpose, title: String, _ options: [Candidate], present: String? = nil
  ) {
    self.purpose = purpose
    self.title = title
    self.options = options
    list.replace(
      ids: options.indices.map { "\($0)" }, texts: options.map { $0.value + " " + $0.detail })
    if let row = options.firstIndex(where: { $0.value == present }) { list.select(id: "\(row)") }
  }

  var selected: Candidate? { list.selectedRow.map { options[$0] } }

  /// The typed text, if the purpose accepts a text that is not listed.
  ///
  /// A number is taken literally, whereas a word that begins like a listed option stands for that option.
  var typed: String? {
    let text = list.query.text
    guard purpose.takes(text), options.allSatisfy({ $0.value != text }) else { return nil }
    let isNumber = text.last?.isNumber ?? false
    return list.count == 0 || isNumber && list.state.selection == 0 ? text : nil
  }

  /// The text that Enter chooses.
  var chosen: String? { typed ?? selected?.value }

  static func == (one: Choice, other: Choice) -> Bool {
    one.purpose.equals(other.purpose) && one.title == other.title && one.options == other.options
      && one.list == other.list
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .choice: [
      KeyCommand(
        ChoiceAction.choose, [.enter], "Enter", "choose", name: "choose this", "Chooses the selected row."),
      .close([.escape], "back", name: "choose nothing", "Closes the list without a choice."),
    ]
  ]

  var context: KeyContext { .choice }
  mutating func type(_ key: KeyPress) -> Bool { list.typeFilter(key) }
  mutating func paste(_ text: String) { list.paste(text) }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let values = options.map { columnWidth($0.value) }.max() ?? 0
    let wanted = values + (options.map { columnWidth($0.detail) }.max() ?? 0) + 8
    let width = min(layout.size.width, max(40, min(84, wanted), columnWidth(title) + 14))
    let area = layout.body.centred(width: width, height: min(layout.body.height, options.count + 3))
    let inner = grid.window(
      area, title, trailing: typed.map { "Enter: \($0)" } ?? list.countText)
    let (search, rest) = inner.splitTop(1)
    drawSearch(list.query, prompt: "type:", into: &grid, search)
    drawTable(
      into: &grid, rect: rest,
      columns: [
        TableColumn(
          "", width: .fixed(min(rest.width - 4, values))),
        TableColumn("", width: .flexible(min: 8, weight: 1), priority: 1),
      ], rowCount: list.count,
      row: { index in
        let option = options[list.matches[index]]
        return [TableCell(option.value), TableCell(option.detail, .dim)]
      }, state: list.state, list: 0)
  }
}

enum ChoiceAction: FeatureAction {
  case choose

  func run(on model: inout AppModel) -> [Command] {
    guard let choice = model.topDialog(Choice.self), let chosen = choice.chosen else { return [] }
    model.dialogs.removeLast()
    return choice.purpose.run(chosen, on: &model)
  }
}
