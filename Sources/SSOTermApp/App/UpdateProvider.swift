import SSOLab
import SSOProvider
import TerminalUI

/// The Provider screen: the socket, the sign-ins that wait, the faults.
extension AppModel {
  var selectedSignIn: WaitingSignIn? {
    signIns.selectedRow.flatMap { serving.rows.waiting.indices.contains($0) ? serving.rows.waiting[$0] : nil }
  }
  var selectedFault: Fault? {
    faults.selectedRow.flatMap { serving.rows.faults.indices.contains($0) ? serving.rows.faults[$0] : nil }
  }

  mutating func take(_ news: ServerNews) -> [Command] {
    switch news {
    case .starting(let port): serving.state = .starting(port: port)
    case .on:
      guard case .starting(let port) = serving.state else { return [] }
      serving.state = .on(port: port)
      working = nil
      let shell = environmentLine.map { " For a shell: " + $0 } ?? ""
      notice = Notice(text: "✓ \(serverOrigin(port: port)) answers." + shell, kind: .good)
      return [.load(.provider)]
    case .off(let problem):
      serving.state = .off
      working = nil
      if serving.startsAgain {
        serving.startsAgain = false
        return begin("Starting", .serve(serving.wish))
      }
      notice =
        problem.map { Notice(text: $0.line, kind: .bad) } ?? Notice(text: "The server is off.", kind: .plain)
    case .served(let line):
      serving.requests = Array(([line] + serving.requests).prefix(Serving.requestsKept))
      return reload()
    case .waits: return [.load(.provider)]
    }
    return []
  }

  mutating func take(_ rows: ProviderRows) -> [Command] {
    serving.rows = rows
    signIns.replace(ids: rows.waiting.map(\.id), texts: rows.waiting.map { "\($0.client) \($0.number)" })
    faults.replace(ids: rows.faults.indices.map { "\($0)" }, texts: rows.faults.map(\.words))
    if let next = signInToRaise, !isFree {
      notice = Notice(text: "\(next.client) waits to be signed in: ! shows it.", kind: .plain)
    }
    return []
  }

  /// While this program serves, a sign-in brings its picker up by itself, as soon as nothing else has the keys.
  mutating func raiseSignIn() -> [Command] {
    guard let next = signInToRaise, isFree else { return [] }
    return answer(next)
  }

  private var signInToRaise: WaitingSignIn? {
    guard case .on = serving.state, serving.wish.approval == .terminal, !isReadOnly else { return nil }
    return serving.rows.waiting.first { !serving.raised.contains($0.id) }
  }

  private var isFree: Bool { dialogs.isEmpty && working == nil && !self[keyPath: activeList].isFiltering }

  private mutating func answer(_ waiting: WaitingSignIn) -> [Command] {
    serving.raised.insert(waiting.id)
    return begin(
      "\(waiting.client) asks, its page shows \(waiting.number)",
      .perform(.answerSignIn(id: waiting.id, client: waiting.client), []))
  }

  mutating func openInProvider() -> [Command] {
    panel == 0 ? selectedSignIn.map { answer($0) } ?? [] : []
  }

  /// `!`: the faults of the provider.
  mutating func showFaults() -> [Command] {
    let commands = show(.provider)
    panel = 1
    return commands
  }

  mutating func toggleServer() -> [Command] {
    switch serving.state {
    case .off: return begin("Starting", .serve(serving.wish))
    case .on, .starting:
      serving.state = .stopping
      return begin("Stopping", .stopServing)
    case .stopping: return []
    }
  }

  /// `ssoterm serve`: as if the person had come here, set it so and started it.
  mutating func startServing(_ wish: ServeWish) -> [Command] {
    serving.wish = wish
    return follow(path: "provider") + toggleServer()
  }

  mutating func askApproval() {
    let people = serving.rows.people.map { Candidate("auto:" + $0, "nobody is asked") }
    let options =
      [Candidate("terminal", "the picker comes up here"), Candidate("browser", "pages in the browser")]
      + people
    dialogs.append(
      .choice(
        Choice(.approval, title: "Who answers a sign-in", options, present: serving.wish.approval.word)))
  }

  mutating func askPort() {
    let options = [Candidate("8443", "the usual one"), Candidate("0", "any that is free")]
    dialogs.append(
      .choice(Choice(.port, title: "The port, or type one", options, present: "\(serving.wish.port)")))
  }

  /// A running server takes new settings by starting again.
  mutating func set(_ change: (inout ServeWish) -> Void) -> [Command] {
    let before = serving.wish
    change(&serving.wish)
    guard serving.wish != before, case .on = serving.state else { return [] }
    serving.startsAgain = true
    serving.state = .stopping
    return begin("Starting again", .stopServing)
  }

  var obstacleToServing: String? {
    if isReadOnly { return "the store is open for reading only (--readonly)" }
    return serving.state == .stopping ? "it is about to stop" : nil
  }
}
