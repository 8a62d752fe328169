import TerminalUI

/// The actions that every list has: the filter, its next match, and marks.
enum ListAction: FeatureAction {
  var keyGroup: KeyGroup { .everywhere }
  case filter, acceptFilter, clearFilter, nextMatch, previousMatch, mark, range

  func obstacle(in model: AppModel) -> String? {
    switch self {
    case .nextMatch, .previousMatch:
      model.lastQuery.isEmpty ? model.shared.keys.fill("filter with {filter} first") : nil
    case .mark, .range:
      !model.canMark
        ? "not in this panel"
        : model.activeList.count == 0
          ? "the list is empty"
          : model.screen.markIDs(ofRow: model.activeList.selectedRow ?? 0) == nil
            ? "open the branch first" : nil
    case .filter, .acceptFilter, .clearFilter: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .filter, .acceptFilter, .clearFilter:
      guard var prompt = model.topDialog(PromptDialog.self) else { return filter(model: &model) }
      change(&prompt.list)
      model.shared.replaceDialog(prompt)
      return []
    case .nextMatch, .previousMatch:
      guard model.activeList.selectMatch(of: model.lastQuery, forward: self == .nextMatch) else {
        model.shared.say("Nothing matches “\(model.lastQuery)”.")
        return []
      }
      model.extendRange()
      return model.selectionMoved()
    case .mark: return mark(&model)
    case .range:
      range(&model)
      return []
    }
  }

  private func mark(_ model: inout AppModel) -> [Command] {
    guard let row = model.activeList.selectedRow, let ids = model.screen.markIDs(ofRow: row) else {
      return []
    }
    model.activeList.marks.toggle(ids)
    // A heading represents all rows below it, and stays selected.
    return model.screen.isHeading(row) ? [] : model.move(.down) ?? []
  }

  private func range(_ model: inout AppModel) {
    let list = model.activeList
    guard let row = list.selectedRow, let id = list.selectedID, let ids = model.screen.markIDs(ofRow: row)
    else {
      return
    }
    model.activeList.marks.toggleRange(at: id, ids)
    model.shared.say(
      model.activeList.marks.rangeStart != nil
        ? model.shared.keys.fill("Range: move to mark, {range} ends it.") : "Range marked.")
  }

  /// Changes the filter of a list.
  private func change(_ list: inout RowList) {
    if self == .clearFilter { list.clearFilter() } else { list.isFiltering = self == .filter }
  }

  private func filter(model: inout AppModel) -> [Command] {
    if self == .filter, !model.listHasKeys { model.panel = 0 }
    change(&model.activeList)
    if self == .filter { return [] }
    let query = model.activeList.query.text
    if !query.isEmpty { model.lastQuery = query }
    return model.selectionMoved()
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    guard self == .filter else { return nil }
    model.activeList.filter(by: argument)
    model.lastQuery = argument
    return model.selectionMoved()
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    guard self == .filter, !argument.isEmpty else { return nil }
    return ["tui", model.place.title.lowercased() + "/" + argument]
  }
}

/// The actions for the order and the columns of a table.
enum ColumnAction: FeatureAction {
  var keyGroup: KeyGroup { .everywhere }
  case sortMenu, columnMenu
  /// A digit in one of the menus.
  case pick(Int)

  func obstacle(in model: AppModel) -> String? {
    guard case .pick(let number) = self else { return nil }
    return number <= model.columns.count ? nil : "there is no such column"
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .sortMenu: model.shared.open(Menu(.sort))
    case .columnMenu: model.shared.open(Menu(.columns))
    case .pick(let number):
      if model.topDialog(Menu.self)?.kind == .columns {
        toggle(number, of: &model)
      } else {
        model.dialogs.removeLast()
        return sort(by: number, &model)
      }
    }
    return []
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    let titles = model.columns.map { $0.title.lowercased() }
    guard let place = titles.firstIndex(of: argument.lowercased()) else {
      return model.shared.refuse("column", argument, among: titles)
    }
    if self == .sortMenu { return sort(by: place + 1, &model) }
    toggle(place + 1, of: &model)
    return []
  }

  /// Sorts by a column, counted from 1.
  ///
  /// The same column again reverses the order, and 0 restores the order of the store.
  private func sort(by number: Int, _ model: inout AppModel) -> [Command] {
    guard number > 0 else {
      model.mainList.sorting = nil
      return model.reload()
    }
    let title = model.columns[number - 1].title
    if let obstacle = model.screen.obstacleToSort(by: title) {
      model.shared.say(obstacle)
      return []
    }
    let before = model.mainList.sorting
    let isAgain = before?.column == title
    model.mainList.sorting = Sorting(
      column: title, isDescending: isAgain && before?.isDescending == false)
    model.withScreen { $0.applySortOrder(&$1) }
    return []
  }

  private func toggle(_ number: Int, of model: inout AppModel) {
    guard number > 0 else {
      model.mainList.hiddenColumns = []
      return
    }
    let title = model.columns[number - 1].title
    guard number > 1 else {
      return model.shared.say("The column \(title) cannot be hidden: it names the rows.")
    }
    model.mainList.hiddenColumns.formSymmetricDifference([title])
  }
}
