import SSOLab
import SSOProvider
import TerminalUI

/// A fault while it is put together.
struct FaultForm: Equatable, Sendable {
  enum Part: String, CaseIterable, Sendable { case kind, endpoint, client, times, set }

  var fault = Fault(.token, .status(503), remaining: 1)
  var list = RowList()

  init() { list.replace(ids: Part.allCases.map(\.rawValue), texts: Part.allCases.map(\.rawValue)) }

  var selected: Part? { list.selectedRow.map { Part.allCases[$0] } }

  static let anybody = "any"
  static let always = "until cleared"

  /// What may stand in a part, and what does now; nil for the last row.
  func choice(_ part: Part, clients: [Candidate]) -> Choice? {
    switch part {
    case .kind: Choice(.fault(part), title: "What goes wrong", Fault.Kind.examples, present: fault.kind.text)
    case .endpoint:
      Choice(
        .fault(part), title: "Where",
        Fault.Endpoint.allCases.map { Candidate($0.rawValue, $0 == .any ? "everywhere" : "") },
        present: fault.endpoint.rawValue)
    case .client:
      Choice(
        .fault(part), title: "For whom", [Candidate(Self.anybody, "every program")] + clients,
        present: fault.clientID ?? Self.anybody)
    case .times:
      Choice(
        .fault(part), title: "How often, or type a number",
        [
          Candidate("1", "once"), Candidate("3", "three times"),
          Candidate(Self.always, "until it is cleared"),
        ],
        present: fault.remaining.map(String.init) ?? Self.always)
    case .set: nil
    }
  }

  /// - Throws: `LabError` that says what may stand there.
  mutating func set(_ part: Part, to text: String) throws(LabError) {
    switch part {
    case .kind: fault.kind = try Fault.Kind(named: text)
    case .endpoint: fault.endpoint = try Fault.Endpoint(named: text)
    case .client: fault.clientID = text == Self.anybody ? nil : text
    case .times: fault.remaining = text == Self.always ? nil : try Fault.times(text)
    case .set: break
    }
  }
}

extension Fault.Kind {
  /// One of each sort, with what it is; another number may be typed.
  package static let examples = [
    Candidate("503", "the server is down"), Candidate("500", "an error in the server"),
    Candidate("429:30", "too many requests, Retry-After 30"), Candidate("unreachable", "no connection"),
    Candidate("slow:5", "answers after 5 seconds"), Candidate("hang", "never answers"),
    Candidate("truncated:20", "the body breaks off"), Candidate("invalid_grant", "the grant is refused"),
    Candidate("invalid_grant:bad_token", "the refresh token is bad"),
    Candidate("invalid_grant:token_expired", "the refresh token has ended"),
    Candidate("interaction_required", "a person is needed"),
    Candidate("temporarily_unavailable", "try later"),
    Candidate("token:signature", "tokens with a wrong signature"),
    Candidate("token:issuer", "tokens of another issuer"), Candidate("token:expired", "tokens that are over"),
    Candidate("clock:600", "its clock is ten minutes ahead"), Candidate("clock:-600", "ten minutes behind"),
    Candidate("keys:rollover", "a new key signs"), Candidate("keys:forgotten", "and the old one is gone"),
    Candidate("require:consent", "asks for consent"), Candidate("require:mfa", "asks for a second factor"),
    Candidate("require:device", "asks for a registered device"),
  ]
}

extension AppModel {
  mutating func openFaultForm() { dialogs.append(.fault(FaultForm())) }

  /// Enter in the form: a list for a part, or the fault is set.
  mutating func submitFault() -> [Command] {
    guard case .fault(let form) = dialogs.last, let part = form.selected else { return [] }
    guard let choice = form.choice(part, clients: serving.rows.clients) else { return setFault() }
    dialogs.append(.choice(choice))
    return []
  }

  mutating func setFault() -> [Command] {
    guard case .fault(let form) = dialogs.last else { return [] }
    dialogs.removeLast()
    return begin("Setting the fault", .perform(.addFault(form.fault), []))
  }

  mutating func set(_ part: FaultForm.Part, to text: String) {
    guard case .fault(var form) = dialogs.last else { return }
    do throws(LabError) {
      try form.set(part, to: text)
      form.list.state.selection = FaultForm.Part.allCases.count - 1
      dialogs[dialogs.count - 1] = .fault(form)
    } catch {
      notice = Notice(text: Problem(error).line, kind: .bad)
    }
  }
}
