import ArgumentParser
import Assets
import Essentials
import SSOCore
import SSOLab
import SSOProvider
import SSOReproduce
import SSOServer
import SSOTermApp
import SafeText

/// A document that `ssoterm reproduce --as KIND` prints.
enum ReproduceExport: String, CaseIterable, ExpressibleByArgument {
  case html, markdown, junit, pytest, playwright, xcuitest, uiautomator

  /// Returns the reason that a test of this kind cannot make the call, as a clause, or `nil` if it can.
  func obstacle(_ reproduction: Reproduction) -> String? {
    switch self {
    case .html, .markdown, .junit: return nil
    case .pytest, .playwright, .xcuitest, .uiautomator: break
    }
    guard let test = reproduction.test else {
      return reproduction.difference ?? "no call in the lab fails like this"
    }
    switch self {
    // Python runs the scenario, if it cannot make the call itself.
    case .html, .markdown, .junit, .pytest: return nil
    case .playwright: return test.obstacle
    case .xcuitest: return Self.obstacle(test, .appleApp, "an app for Apple's systems", "a simulator")
    case .uiautomator: return Self.obstacle(test, .androidApp, "an app for Android", "an emulator")
    }
  }

  private static func obstacle(
    _ test: ReproducedTest, _ subject: ReproducedTest.Subject, _ name: String, _ place: String
  ) -> String? {
    guard test.subject == subject else { return "it drives \(name), and the lab's caller is another" }
    if test.call.grant == .refreshToken {
      return "it drives pages, and the silent call shows none"
    }
    return test.usesBroker ? "\(place) has no broker, which the call or the change needs" : nil
  }

  /// Returns the document, or `nil` if there is an ``obstacle(_:)``.
  ///
  /// `scenario` is the name of the scenario's file beside an exported test.
  func text(_ reproduction: Reproduction, scenario: String) -> String? {
    guard obstacle(reproduction) == nil else { return nil }
    return switch self {
    case .html: HTMLPage(reproduction.title, reproduction.page(scenario)).text
    case .markdown: reproduction.bugReport(scenario)
    case .junit: junitText("ssoterm reproduce", [reproduction.suite])
    case .pytest, .playwright, .xcuitest, .uiautomator:
      reproduction.test.map { ExportedTest(reproduction, $0, scenario: scenario).text(self) }
    }
  }
}

// MARK: - Reports

extension Reproduction {
  fileprivate var title: String {
    "\(call ?? "A call"): \((failure ?? shown).displayText)"
  }

  var verdictText: String {
    switch verdict {
    case .reproduced:
      assumedCaller.map { "Reproduced with an assumed caller: \($0)." }
        ?? "Reproduced: the lab's call fails as the sources show."
    case .nearest: "Only the nearest: \(difference ?? "it differs")."
    case .notReproduced, .nothingRead: "Not reproduced: \(difference ?? "nothing was read")."
    }
  }

  fileprivate func page(_ file: String) -> Markup {
    let read: [Markup] = facts.map {
      "<tr><th>\($0.name.rawValue)</th><td>\($0.value)</td><td><small>\($0.place)</small></td></tr>"
    }
    let assumed: [Markup] = assumptions.map {
      "<tr><th>\($0.name.rawValue)</th><td>\($0.value)</td><td><small>\($0.why)</small></td></tr>"
    }
    let questions: [Markup] = alternatives.map { "<li>\($0.question) <small>\($0.text)</small></li>" }
    let asked: Markup? = questions.count > 1 ? "<ul>\(questions)</ul>" : nil
    let changes: [Markup] = self.changes.map { "<li>\($0.page)</li>" }
    let mended: Markup = changes.isEmpty ? "<p>No change is known.</p>" : "<ul>\(changes)</ul>"
    let steps: Markup? = trace.map { "<h2>What the lab does</h2>\(Markup.trace($0))" }
    let written: Markup? = scenario.map {
      "<h2>Scenario</h2><p>ssoterm scenario run \(shellWord("./" + file)) --fixed</p><pre>\(lines: $0)</pre>"
    }
    return """
      <p><strong>\(verdictText)</strong></p>
      <h2>What was read</h2><table>\(read)</table>
      <h2>What was assumed</h2><table>\(assumed)</table>\(asked)
      <h2>What fixes it</h2>\(mended)\(steps)\(written)
      """
  }

  /// Returns a report for an issue tracker, with the sequence as a Mermaid diagram.
  fileprivate func bugReport(_ file: String) -> String {
    func table(_ rows: [[String]]) -> [String] {
      ["", "| | | |", "|---|---|---|"]
        + rows.map { "| " + $0.map { Escaping.markdown($0) }.joined(separator: " | ") + " |" }
    }
    var lines = ["# \(Escaping.markdown(title))", "", Escaping.markdown(verdictText), "", "## What was read"]
    lines += table(facts.map { [$0.name.rawValue, $0.value, $0.place] })
    lines += ["", "## What was assumed"] + table(assumptions.map { [$0.name.rawValue, $0.value, $0.why] })
    if let trace {
      lines += ["", "## What the lab does", "", "```mermaid", mermaid(trace), "```"]
    }
    lines += ["", "## What fixes it", ""]
    lines += changes.isEmpty ? ["No change is known."] : changes.flatMap { $0.bullets(indent: "") }
    if let scenario {
      lines += [
        "", "## Scenario", "", "`ssoterm scenario run \(shellWord("./" + file)) --fixed`", "", "````yaml",
      ]
      lines += scenario.split(separator: "\n").map { safe(String($0)) } + ["````"]
    }
    return (lines + ["", "ssoterm \(programVersion)", ""]).joined(separator: "\n")
  }

  fileprivate var suite: ReportSuite {
    var suite = ReportSuite(
      name: "reproduction",
      cases: [
        ReportSuite.Case(
          name: call ?? "the call",
          failure: ((failure ?? shown).displayText, check?.reasonInFull ?? verdictText))
      ])
    suite.properties = facts.map { ($0.name.rawValue, "\($0.value) (\($0.place))") }
    suite.output = trace.map { traceText($0, TextInk()) } ?? ""
    return suite
  }
}

extension Reproduction.Change {
  fileprivate var page: Markup {
    let next: [Markup] = next.map { "<li>and then: \($0.page)</li>" }
    let list: Markup? = next.isEmpty ? nil : "<ul>\(next)</ul>"
    return "\(kindName): \(text) <small>\(place ?? "")</small>\(list)"
  }

  fileprivate func bullets(indent: String) -> [String] {
    let place = place.map { " (\(Escaping.markdown($0)))" } ?? ""
    return ["\(indent)- \(kindName): \(Escaping.markdown(text))\(place)"]
      + next.flatMap { $0.bullets(indent: indent + "  ") }
  }
}

// MARK: - Tests

/// A test of a program that makes the same call, in the lab of the scenario.
///
/// It expects the call to succeed: it fails as the sources show, and passes with the change (`SSOTERM_FIXED=1`). The tests
/// are in `assets/exports`; every text of a source becomes a literal of the test's language, or a comment of one line.
private struct ExportedTest: ~Copyable {
  private let reproduction: Reproduction
  private let test: ReproducedTest
  private let scenario: String

  init(_ reproduction: Reproduction, _ test: ReproducedTest, scenario: String) {
    (self.reproduction, self.test, self.scenario) = (reproduction, test, scenario)
  }

  func text(_ kind: ReproduceExport) -> String {
    switch kind {
    case .pytest where test.obstacle == nil:
      filled("pytest.py", .json, "#", ["pip install pytest playwright"])
    case .pytest:
      filled(
        "scenario.py", .json, "#",
        [
          "This test runs the scenario because it cannot make the call over HTTP: \(test.obstacle ?? "").",
          "pip install pytest",
        ])
    case .playwright:
      filled(
        "playwright.ts", .json, "//",
        ["Untried where SSOTerm is built: npm install -D @playwright/test; npx playwright test"])
    case .xcuitest:
      filled(
        "xcuitest.swift", .swift, "//",
        [
          "Untried: there is no Xcode where SSOTerm is built.", serve,
          "The simulator trusts the lab after: xcrun simctl keychain booted add-root-cert FILE (ssoterm ca export)",
          "The app takes its authority from SSOTERM_AUTHORITY, and lists it in knownAuthorities.",
        ])
    default:
      filled(
        "uiautomator.kt", .kotlin, "//",
        [
          "Untried: there is no Android SDK where SSOTerm is built.", serve,
          "The emulator reaches the lab after: adb reverse tcp:8443 tcp:8443",
          "The app trusts the lab's certificate authority (ssoterm ca export) in its debug network security configuration.",
        ])
    }
  }

  private var serve: String {
    "ssoterm serve --scenario \(scenario) --until \(test.step) --port 8443 --approve browser"
  }

  /// Returns the test below a comment, with its values as literals in place of `{{NAME}}`.
  private func filled(_ file: String, _ language: Literal, _ mark: String, _ notes: [String]) -> String {
    func answer(_ name: String) -> String { test.call.answers.first { $0.name == name }?.value ?? "" }
    let failure = (reproduction.failure ?? reproduction.shown).displayText
    let values = [
      "scenario": language(scenario), "step": String(test.step), "failure": language(failure),
      "bundleID": language(test.bundleID),
      "authority": language("https://localhost:8443/" + test.call.tenant),
      "username": language(answer("username")), "password": language(answer("password")),
      "call": dictionary(test.call), "mendedCall": dictionary(test.mended ?? test.call),
      "head": head(mark, notes),
    ]
    // A value may look like a placeholder, so read the text once from its beginning.
    let parts = (Asset("exports/" + file)?.text ?? "").split(
      separator: "{{", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts.first ?? "")) { text, part in
      guard let end = part.firstRange(of: "}}"), let value = values[String(part[..<end.lowerBound])] else {
        return text + "{{" + part
      }
      return text + value + part[end.upperBound...]
    }
  }

  /// Returns the comment at the top.
  private func head(_ mark: String, _ notes: [String]) -> String {
    let failure = (reproduction.failure ?? reproduction.shown).displayText
    let change = reproduction.changes.first.map {
      ["With the change it passes (SSOTERM_FIXED=1 makes it in the lab): \($0.text)"]
    }
    let assumed = reproduction.assumptions.map { "Assumed: \($0.name.rawValue) = \($0.value) (\($0.why))" }
    let lines =
      ["Made by ssoterm \(programVersion). \(reproduction.title)", "The test fails so: \(failure)."]
      + (change ?? []) + notes + assumed
    return lines.map { mark + " " + safe($0) }.joined(separator: "\n")
  }

  private func dictionary(_ call: ReproducedCall) -> String {
    var fields: [String: JSONValue] = [
      "grant": .string(call.grant.type.rawValue), "scope": .string(call.scopes.joined(separator: " ")),
      "client_id": .string(call.clientID), "tenant": .string(call.tenant),
    ]
    if !call.redirectURI.isEmpty { fields["redirect_uri"] = .string(call.redirectURI) }
    let texts = [
      ("client_secret", call.secret), ("origin", call.origin), ("prompt", call.prompt),
      ("redeems_at", call.redeemingTenant), ("assertion_of", call.assertionOf),
    ]
    for (name, value) in texts + call.answers.map({ ($0.name, $0.value) }) {
      if let value { fields[name] = .string(value) }
    }
    if call.repeats { fields["repeats"] = .integer(1) }
    if call.discovers { fields["discovers"] = .integer(1) }
    if call.opensTokenEndpoint { fields["opens"] = "token" }
    for (endpoint, changes) in Dictionary(grouping: call.changes, by: \.endpoint) {
      // A field without a value is not sent: Python has no null.
      let list = changes.map {
        JSONValue.array(([$0.name] + [$0.value].compactMap(\.self)).map(JSONValue.string))
      }
      fields["change_" + endpoint.rawValue] = .array(list)
    }
    return JSONValue.object(fields).text(.wire)
  }
}

extension CallProgram.Grant {
  /// The grant at the provider, or `nil` for a machine's own request, whose test runs the scenario.
  fileprivate var type: GrantType {
    switch self {
    case .authorizationCode: .authorizationCode
    case .refreshToken: .refreshToken
    case .password: .password
    case .clientCredentials, .managedIdentity: .clientCredentials
    case .deviceCode: .deviceCode
    case .onBehalfOf: .primaryRefreshToken
    }
  }
}

/// A string literal of a language, whatever the text contains.
enum Literal {
  /// Python, JavaScript, and TypeScript.
  case json
  case swift, kotlin

  func callAsFunction(_ text: String) -> String {
    switch self {
    case .json: JSONValue.string(text).text(.wire)
    case .swift:
      "\"" + text.unicodeScalars.map { plain($0.value) ?? "\\u{\(String($0.value, radix: 16))}" }.joined()
        + "\""
    case .kotlin:
      "\""
        + text.utf16.map { unit in
          let digits = String(unit, radix: 16)
          return plain(UInt32(unit)) ?? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined() + "\""
    }
  }

  /// Returns the character as written in a literal, or `nil` if it is written as a number: a quote, a backslash, the
  /// sign of Kotlin's templates, and everything beyond printable ASCII.
  private func plain(_ value: UInt32) -> String? {
    guard (0x20..<0x7F).contains(value), ![0x22, 0x24, 0x5C].contains(value) else { return nil }
    return String(UnicodeScalar(UInt8(value)))
  }
}
