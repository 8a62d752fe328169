import SSOLab
import SSOProvider
import TerminalUI

/// A fault that the user is assembling.
struct FaultForm: Equatable, Sendable {
  enum Part: String, CaseIterable, Sendable { case kind, endpoint, client, times, set }

  var fault = Fault(.token, .status(503), remaining: 1)
  var list = RowList()

  init() { list.replace(ids: Part.allCases.map(\.rawValue), texts: Part.allCases.map(\.rawValue)) }

  var selected: Part? { list.selectedRow.map { Part.allCases[$0] } }

  static let anyClient = "any"
  static let always = "until cleared"

  /// Returns the possible values of a part and its current value, or `nil` for the last row.
  func choice(_ part: Part, clients: [Candidate]) -> Choice? {
    switch part {
    case .kind:
      Choice(FaultChoice(part: part), title: "Fault", Fault.Kind.examples, present: fault.kind.text)
    case .endpoint:
      Choice(
        FaultChoice(part: part), title: "Where",
        Fault.Endpoint.allCases.map { Candidate($0.rawValue, $0 == .any ? "everywhere" : "") },
        present: fault.endpoint.rawValue)
    case .client:
      Choice(
        FaultChoice(part: part), title: "Client", [Candidate(Self.anyClient, "every program")] + clients,
        present: fault.clientID ?? Self.anyClient)
    case .times:
      Choice(
        FaultChoice(part: part), title: "How often, or type a number",
        [
          Candidate("1", "once"), Candidate("3", "three times"),
          Candidate(Self.always, "until it is cleared"),
        ],
        present: fault.remaining.map(String.init) ?? Self.always)
    case .set: nil
    }
  }

  /// - Throws: `LabError` that says which values are allowed.
  mutating func set(_ part: Part, to text: String) throws(LabError) {
    switch part {
    case .kind: fault.kind = try Fault.Kind(named: text, at: fault.endpoint)
    case .endpoint: fault.endpoint = try Fault.Endpoint(named: text)
    case .client: fault.clientID = text == Self.anyClient ? nil : text
    case .times: fault.remaining = text == Self.always ? nil : try Fault.times(text)
    case .set: break
    }
  }
}

extension KeyContext { static let faultForm = KeyContext("faultForm") }

/// The dialog, with the parts of the fault and the equivalent command line.
extension FaultForm: ListDialog {
  static let keys: [KeyContext: [KeyCommand]] = [
    .faultForm: [
      KeyCommand(
        FaultFormAction.submit, [.enter], "Enter", "change", name: "change part",
        "Lists the possible values; on the last row it sets the fault."),
      KeyCommand(
        FaultFormAction.set, [.character("a")], "a", "set it", name: "set fault",
        "Sets the fault with these values."),
      .close(
        [.escape, .character("q")], "cancel", name: "leave fault",
        "Closes the form without setting a fault."),
      .help,
    ]
  ]

  var context: KeyContext { .faultForm }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = min(70, layout.size.width)
    let area = layout.body.centred(
      width: width, height: min(layout.body.height, Part.allCases.count + 4))
    let inner = grid.window(area, "Add a fault")
    let (rows, foot) = inner.splitTop(Part.allCases.count)
    drawTable(
      into: &grid, rect: rows,
      columns: [TableColumn("", width: .fixed(10)), TableColumn("", width: .flexible(min: 12, weight: 1))],
      rowCount: list.count,
      row: { cells(Part.allCases[$0]) }, state: list.state, list: 0)
    grid.lines([PanelLine(""), PanelLine(commandLine, .dim)], in: foot)
  }

  private func cells(_ part: Part) -> [TableCell] {
    switch part {
    case .kind: [TableCell("What"), TableCell(fault.kind.text, .bad)]
    case .endpoint: [TableCell("Where"), TableCell(fault.endpoint.rawValue)]
    case .client: [TableCell("Client"), TableCell(fault.clientID ?? "any")]
    case .times: [TableCell("Times"), TableCell(fault.remaining.map(String.init) ?? Self.always)]
    case .set: [TableCell("[ set it ]", .accent)]
    }
  }

  private var commandLine: String {
    let client = fault.clientID.map { " --client \($0)" } ?? ""
    let times = fault.remaining.map { " --times \($0)" } ?? ""
    return "ssoterm fault add \(fault.endpoint.rawValue) \(fault.kind.text)\(client)\(times)"
  }
}

enum FaultFormAction: FeatureAction {
  /// Enter: opens the list for a part, or sets the fault.
  case submit, set

  func run(on model: inout AppModel) -> [Command] {
    guard let form = model.topDialog(FaultForm.self), let part = form.selected else { return [] }
    if self == .submit, let choice = form.choice(part, clients: model.screens.provider.rows.clients) {
      model.shared.open(choice)
      return []
    }
    model.dialogs.removeLast()
    return model.shared.begin("Setting the fault", .perform(AddFault(form.fault)))
  }
}

/// The choice of a value for a part of the fault.
struct FaultChoice: ChoicePurpose {
  var part: FaultForm.Part

  func takes(_ text: String) -> Bool {
    switch part {
    case .kind: Fault.Kind(text) != nil
    case .times: (try? Fault.times(text)) != nil
    case .endpoint, .client, .set: false
    }
  }

  func run(_ chosen: String, on model: inout AppModel) -> [Command] {
    guard var form = model.topDialog(FaultForm.self) else { return [] }
    do throws(LabError) {
      try form.set(part, to: chosen)
      form.list.state.selection = FaultForm.Part.allCases.count - 1
      model.shared.replaceDialog(form)
    } catch { model.shared.notice = Notice(Problem(error)) }
    return []
  }
}

extension Fault.Kind {
  /// An example of each kind of fault, with a description.
  ///
  /// Other numbers may be typed.
  package static let examples = [
    Candidate("503", "the server is down"), Candidate("500", "an error in the server"),
    Candidate("429:30", "too many requests, Retry-After 30"),
    Candidate("503:30", "down for 30 seconds, Retry-After 30"), Candidate("unreachable", "no connection"),
    Candidate("slow:5", "answers after 5 seconds"), Candidate("hang", "never answers"),
    Candidate("truncated:20", "the body is truncated"), Candidate("invalid_grant", "the grant is refused"),
    Candidate("invalid_grant:bad_token", "the refresh token is invalid"),
    Candidate("invalid_grant:token_expired", "the refresh token has expired"),
    Candidate("interaction_required", "user interaction is required"),
    Candidate("temporarily_unavailable", "try later"),
    Candidate("token:signature", "tokens with a wrong signature"),
    Candidate("token:issuer", "tokens of another issuer"),
    Candidate("token:expired", "tokens that have expired"),
    Candidate("clock:600", "its clock is ten minutes ahead"), Candidate("clock:-600", "ten minutes behind"),
    Candidate("keys:rollover", "a new key signs"),
    Candidate("keys:forgotten", "and the old one is no longer published"),
    Candidate("require:consent", "asks for consent"), Candidate("require:mfa", "asks for a second factor"),
    Candidate("require:device", "asks for a registered device"),
    Candidate("2", "a broker's method answers status 2 (at broker:METHOD)"),
  ]
}
