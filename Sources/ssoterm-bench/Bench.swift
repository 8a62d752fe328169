import Essentials
import SSOLab
import SSOScenarios
import SSOStore

/// `ssoterm-bench STORE APP USERNAME SCOPE` prints timings from inside one process, in milliseconds, as a JSON object.
///
/// `make bench` runs it on the store that it has created and prints each timing beside the timing of MSAL Python. It
/// adds accounts to the store. `Scripts/bench-team` uses `ssoterm-bench intents STORE SECONDS` and `commits STORE
/// COUNT`.
@main
enum Bench {
  static func main() {
    let arguments = CommandLine.arguments
    do {
      if arguments.count == 4, arguments[1] == "intents" {
        return print(try TeamBench.intentsPerSecond(store: arguments[2], seconds: Double(arguments[3]) ?? 1))
      }
      if arguments.count == 4, arguments[1] == "commits" {
        let times = try TeamBench.commitToRead(store: arguments[2], count: Int(arguments[3]) ?? 100)
        return print("[" + times.map { "\($0)" }.joined(separator: ", ") + "]")
      }
      guard arguments.count == 5 else { throw Failure("usage: ssoterm-bench STORE APP USERNAME SCOPE") }
      let figures = try measure(
        path: arguments[1], app: arguments[2], username: arguments[3], scope: arguments[4])
      print("{" + figures.map { "\"\($0.name)\": \($0.milliseconds)" }.joined(separator: ", ") + "}")
    } catch {
      let text = Array("ssoterm-bench: \(error)\n".utf8)
      _ = write(2, text, text.count)
      exit(1)
    }
  }

  private static func measure(
    path: String, app: String, username: String, scope: String
  ) throws -> [(name: String, milliseconds: Double)] {
    let (lab, _) = try Lab.open(.file(path: path), creating: { nil })
    let token = try lab.read { try $0.tokens.rows(TokenFilter(account: username)) }.first {
      $0.type == "AccessToken"
    }
    guard let token else { throw Failure("\(username) has no access token in \(path)") }

    var figures: [(name: String, milliseconds: Double)] = []
    let calls = 2000
    try lab.withSilentCall(app: app, account: username, scopes: [scope]) { call in
      let times = try (0..<calls).map { _ in
        try milliseconds {
          guard try call() else { throw Failure("the cache does not answer") }
        }
      }
      figures.append(("silent", median(times)))
    }
    figures.append(("lookup", median(try SQLite(path).lookups(token.keychain, count: calls))))
    let lists = try (0..<5).map { _ in try milliseconds { try lab.read { try $0.accounts.each { _ in } } } }
    figures.append(("accounts", median(lists)))
    let details = try (0..<5).map { _ in
      try milliseconds { try lab.read { try $0.accounts.eachDetails { _ in } } }
    }
    figures.append(("details", median(details)))
    figures.append(
      (
        "rows",
        median(try (0..<3).map { _ in try milliseconds { _ = try lab.read { try $0.accounts.rows() } } })
      ))

    // Alternate between the two so that both have the same disk conditions.
    let bare = try SQLite(path + ".bare")
    try bare.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row(value BLOB)")
    var commits: [Double] = []
    var saves: [Double] = []
    for number in 0..<100 {
      commits.append(
        try milliseconds { try bare.run("INSERT INTO row VALUES(zeroblob(1024))") })
      saves.append(try milliseconds { try lab.saveSignIn(app: app, number: number) })
    }
    figures += [("commit", median(commits)), ("save", median(saves))]
    // Measure this after the loop, because another connection's commit makes SQLite discard all its cached pages.
    let same = try SQLite(path)
    let items = try (0..<100).map { number in
      try milliseconds { try same.insertItems(like: token.keychain, number: number) }
    }
    figures.append(("items", median(items)))
    figures.append(("intent", median(try (0..<50).map { _ in try silentIntent(lab, app, username, scope) })))
    return figures
  }

  /// Measures the entire intent, which is the call and the durable write of its trace.
  private static func silentIntent(
    _ lab: Lab, _ app: String, _ username: String, _ scope: String
  ) throws -> Double {
    let intent = AcquireSilently(app: app, account: username, scopes: [scope], forceRefresh: false)
    return try milliseconds { _ = try lab.perform(intent) }
  }
}

/// An error that prevents a measurement.
struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let duration = try ContinuousClock().measure(body)
  return Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
