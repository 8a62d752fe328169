import Foundation
import SSOProvider
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOLab
@testable import SSOScenarios

/// An invalid file, and the entire line that is printed about it.
struct BadScenario: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var text: String
  var others: [String: String] = [:]

  static func aliases(after end: String) -> String {
    "a: &a x\nb: [" + String(repeating: end + "*a,", count: 17) + "]"
  }

  static func list(_ depth: Int, of text: String) -> String {
    String(repeating: "[", count: depth) + text + String(repeating: "]", count: depth)
  }

  static let world = """
    name: a
    title: A
    world:
      tenants: [{id: t1, displayName: Contoso}]
      people: [{username: ada@contoso.com, password: p, objectID: o1, homeTenantID: t1}]
      apps: [{bundleID: com.contoso.one, vendor: Contoso, teamID: T, clientID: c1}]

    """

  static func expecting(_ expectation: String) -> String {
    "steps:\n  - title: X\n    do: undo\n    expect: {\(expectation)}"
  }
}

@Suite struct ScenarioFileErrorTests {
  @Test(arguments: [
    BadScenario(testDescription: "a.yaml: the file is empty", text: ""),
    BadScenario(testDescription: "a.yaml: the file is empty", text: "# nothing but a comment\n"),
    BadScenario(
      testDescription: "a.yaml:2: this is not YAML: did not find expected ',' or ']'",
      text: "name: [a\ntitle: b"),
    BadScenario(
      testDescription: "a.yaml:2: this is not YAML: did not find expected ',' or '}'",
      text: "name: a\ntitle: {b\n"),
    BadScenario(
      testDescription: "a.yaml:1: key 'scenario' must be a map with keys, not a list; "
        + "allowed: name, title, claims, note, seed, clock, inherit, patch, world, steps, fix",
      text: "- name"),
    BadScenario(
      testDescription: "a.yaml:11: key 'before' names step 2, and the scenario has 1",
      text: BadScenario.world + BadScenario.expecting("verdict: failed")
        + "\nfix: {title: F, steps: [{before: 2, do: undo}]}"),
    BadScenario(testDescription: "a.yaml:1: key 'name' occurs twice", text: "name: a\nname: b"),
    BadScenario(testDescription: "a.yaml:1: key 'name' is missing", text: "title: A"),
    BadScenario(
      testDescription: "a.yaml:2: key 'titel' is not known here; allowed: name, title, claims, note, seed, "
        + "clock, inherit, patch, world, steps, fix; nearest: title",
      text: "name: a\ntitel: A"),
    BadScenario(
      testDescription: "a.yaml:3: key 'seed' must be a whole number, not a text",
      text: "name: a\ntitle: A\nseed: one\nworld: {}"),
    BadScenario(
      testDescription: "a.yaml:3: key 'claims' must be a list, not a text",
      text: "name: a\ntitle: A\nclaims: C1\nworld: {}"),
    BadScenario(
      testDescription: "a.yaml:3: key 'clock' has the value 'noon', which is not a time; "
        + "allowed: 2026-03-02T09:00:00Z, real",
      text: "name: a\ntitle: A\nclock: noon\nworld: {}"),
    BadScenario(
      testDescription: "a.yaml:4: key 'platform' has the value 'ios', which is not known here; "
        + "allowed: iOS, Android, Windows, macOS; nearest: iOS",
      text: "name: a\ntitle: A\nworld:\n  device: {name: X, platform: ios}"),
    BadScenario(
      testDescription: "a.yaml:4: key 'installed' must be true or false, not a text",
      text: "name: a\ntitle: A\nworld:\n  broker: {installed: maybe}"),
    BadScenario(
      testDescription: "a.yaml:5: key 'homeTenantID' names the tenant 't2', which is not in this world; "
        + "allowed: t1; nearest: t1",
      text: BadScenario.world.replacing("homeTenantID: t1", with: "homeTenantID: t2")),
    BadScenario(
      testDescription: "a.yaml:7: key 'person' names the user 'adb@contoso.com', who is not in this world; "
        + "allowed: ada@contoso.com; nearest: ada@contoso.com",
      text: BadScenario.world + "  brokerAccounts: [{person: adb@contoso.com}]"),
    BadScenario(
      testDescription: "a.yaml:6: key 'clentID' is not known here; allowed: "
        + ScenarioTree.appKeys.joined(separator: ", ") + "; nearest: clientID",
      text: BadScenario.world.replacing("clientID", with: "clentID")),
    BadScenario(
      testDescription: "a.yaml:9: key 'app' names the app 'com.contoso.two', which is not in this world; "
        + "allowed: com.contoso.one; nearest: com.contoso.one",
      text: BadScenario.world + "steps:\n  - title: X\n    do: {signIn: {app: com.contoso.two}}"),
    BadScenario(
      testDescription: "a.yaml:9: key 'account' names the user 'bob', who is not in this world; "
        + "allowed: ada@contoso.com",
      text: BadScenario.world + "steps:\n  - title: X\n    do: {forget: {account: bob}}"),
    BadScenario(
      testDescription: "a.yaml:9: key 'singIn' is not known here; allowed: "
        + StepReader.verbs.joined(separator: ", ") + "; nearest: signIn",
      text: BadScenario.world + "steps:\n  - title: X\n    do: {singIn: {app: com.contoso.one}}"),
    BadScenario(
      testDescription: "a.yaml:10: key 'source' has the value 'cashe', which is not known here; "
        + "allowed: cache, appRefreshToken, familyRefreshToken, webSession, broker, legacyRefreshToken, "
        + "legacyFamilyRefreshToken, singleResourceRefreshToken; nearest: cache",
      text: BadScenario.world + "steps:\n  - title: X\n    do: undo\n    expect: {source: cashe}"),
    BadScenario(
      testDescription: "a.yaml:10: key 'type' has the value 'acess token', which is not known here; allowed: "
        + ItemKind.allCases.map(\.rawValue).joined(separator: ", ") + "; nearest: access token",
      text: BadScenario.world
        + BadScenario.expecting("items: [{group: T.com.contoso.one, type: acess token}]")),
    BadScenario(
      testDescription: "a.yaml:10: key 'format' has the value 'json', which is not known here; "
        + "allowed: unified, legacy, other",
      text: BadScenario.world + BadScenario.expecting("items: [{group: T.com.contoso.one, format: json}]")),
    BadScenario(
      testDescription:
        "a.yaml:10: key 'group' names the access group 'T.com.contoso.two', which no app in this "
        + "world has; allowed: SGGM6D27TK.com.microsoft.workplacejoin, "
        + "SGGM6D27TK.com.microsoft.workplacejoin.v2, T.com.contoso.one, T.com.microsoft.adalcache; "
        + "nearest: T.com.contoso.one",
      text: BadScenario.world + BadScenario.expecting("items: [{group: T.com.contoso.two, count: 0}]")),
    BadScenario(
      testDescription: "a.yaml:10: key 'notReached' has the value 'server', which is not known here; "
        + "allowed: person, app, sdk, adal, system, broker, provider, keychain, cache, library",
      text: BadScenario.world + BadScenario.expecting("notReached: [server]")),
    BadScenario(
      testDescription: "a.yaml:10: key 'com.contoso.one' has the value 'silent', which is not known here; "
        + "allowed: cache, appRefreshToken, familyRefreshToken, broker, prompt, failure, ownSecret",
      text: BadScenario.world + BadScenario.expecting("next: {com.contoso.one: silent}")),
    BadScenario(
      testDescription: "a.yaml:10: key 'tokens' has the value 'Token', which is not known here; allowed: "
        + ExpectedBranch.tokenTypes.joined(separator: ", ") + "; nearest: token",
      text: BadScenario.world
        + BadScenario.expecting(
          "tree: [{clientID: c1, redirectURI: 'msauth.com.contoso.one://auth', tokens: [Token]}]")),
    BadScenario(
      testDescription: "a.yaml:10: key 'clientID' has the value 'c2', which is not known here; "
        + "allowed: c1; nearest: c1",
      text: BadScenario.world
        + BadScenario.expecting(
          "tree: [{clientID: c2, redirectURI: 'msauth.com.contoso.one://auth', tokens: []}]")),
    BadScenario(
      testDescription: "a.yaml:1: values are nested more than 64 deep",
      text: String(repeating: "[", count: 65) + String(repeating: "]", count: 65)),
    BadScenario(
      testDescription: "a.yaml:1: values are nested more than 64 deep",
      text: String(repeating: "- ", count: 65) + "x"),
    BadScenario(
      testDescription: "a.yaml:3: more than 16 aliases",
      text: "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
        + "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]"),
    // These are the other line ends that YAML supports; those of two or three bytes do not start a new line in an
    // editor.
    BadScenario(testDescription: "a.yaml:19: more than 16 aliases", text: BadScenario.aliases(after: "\r")),
    BadScenario(
      testDescription: "a.yaml:2: more than 16 aliases", text: BadScenario.aliases(after: "\u{85}")),
    BadScenario(
      testDescription: "a.yaml:2: more than 16 aliases", text: BadScenario.aliases(after: "\u{2028}")),
    BadScenario(
      testDescription: "a.yaml:2: more than 16 aliases", text: BadScenario.aliases(after: "\u{2029}")),
    BadScenario(
      testDescription: "a.yaml:1: values are nested more than 64 deep",
      text: "a: &a " + BadScenario.list(33, of: "x") + "\nb: " + BadScenario.list(32, of: "*a")),
    BadScenario(testDescription: "a.yaml:2: this is not YAML: found undefined alias", text: "a: 1\nb: *a"),
    BadScenario(testDescription: "a.yaml:1: this is not YAML: found undefined alias", text: "a: &a [*a]"),
    BadScenario(
      testDescription: "a.yaml:2: this is not YAML: but found another document", text: "name: a\n---\nname: b"
    ),
    BadScenario(
      testDescription: "a.yaml: this is not YAML: control characters are not allowed", text: "name: \u{1}"),
    BadScenario(testDescription: "a.yaml:2: a key must be a text", text: "name: a\n? [b]\n: c"),
    BadScenario(
      testDescription: "a.yaml:1: more than 100000 values, aliases written out",
      text: "a: &a [" + String(repeating: "x,", count: 30_000) + "x]\nb: [*a,*a,*a,*a]"),
    BadScenario(
      testDescription: "a.yaml: the file is larger than 4 MB",
      text: String(repeating: "#", count: (4 << 20) + 1)),
    BadScenario(
      testDescription: "a.yaml:2: key 'inherit' names the scenario 'b', which was not found",
      text: "name: a\ninherit: b"),
    BadScenario(
      testDescription: "a.yaml:2: key 'inherit' is circular: a → a", text: "name: a\ninherit: a"),
    BadScenario(
      testDescription: "c.yaml:2: key 'inherit' is circular: b → c → b",
      text: "name: a\ninherit: b",
      others: ["b": "name: b\ninherit: c", "c": "name: c\ninherit: b"]),
    BadScenario(
      testDescription: "a.yaml:4: key 'com.contoso.two' is not among the apps to patch; "
        + "allowed: com.contoso.one; nearest: com.contoso.one",
      text: "name: a\ninherit: b\npatch:\n  apps: {com.contoso.two: {teamID: X}}",
      others: ["b": BadScenario.world]),
  ])
  func tells(_ bad: BadScenario) {
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioFile(ScenarioSource(path: "a.yaml", text: bad.text)) { name in
        bad.others[name].map { ScenarioSource(path: "\(name).yaml", text: $0) }
      }
    }
    #expect(error?.description == bad.testDescription)
  }

  @Test func ofVeryManyAllowedNamesTheFirstAreNamed() {
    let names = (1...3000).map { "p\($0)@contoso.com" }
    let error = ScenarioError(file: "a.yaml", line: 3, key: "choose", "names nobody", allowed: names)
    #expect(error.why.count < 1000 && error.why.hasSuffix("p40@contoso.com and 2960 more."))
  }

  @Test func wordsAnErrorInThreeSentences() {
    let error = ScenarioError(
      file: "a.yaml", line: 3, key: "clentID", "is not known here", allowed: ["clientID"], nearest: "clientID"
    )
    #expect(error.what == "a.yaml:3: key 'clentID' is not known here.")
    #expect(error.why == "Allowed there: clientID.")
    #expect(error.next == "Did you mean 'clientID'?")
  }

  /// docs/scenarios.md contains every key and verb that a file may have.
  @Test func theFormatIsDescribed() throws {
    let page = try String(contentsOfFile: bundledScenarioFolder + "/../../docs/scenarios.md", encoding: .utf8)
    let words = ScenarioFile.keys + StepReader.verbs + ExpectationReader.keys
    #expect(
      words.filter {
        !page.contains("`\($0)`") && !page.contains("\n\($0): ") && !page.contains("\n\($0):\n")
      } == [])
  }

  /// Brackets, dashes, and asterisks in texts do not count towards the limits.
  @Test func aTextMayHaveMuchPunctuation() throws {
    let text = String(repeating: "[ *a - ", count: 100)
    let file = try ScenarioFile(
      ScenarioSource(path: "a.yaml", text: BadScenario.world + "note: '\(text)'\nclock: &t real\nseed: 7"))
    #expect(file.note == text && file.clock == nil && file.seed == 7)
  }

  @Test func aPatchWithNothingBehindANameTakesTheThingOut() throws {
    let file = try ScenarioFile(
      ScenarioSource(path: "a.yaml", text: "name: a\ninherit: b\npatch:\n  apps: {com.contoso.one: }")
    ) { _ in ScenarioSource(path: "b.yaml", text: BadScenario.world) }
    #expect(file.world.apps == [])
    #expect(file.world.people.map(\.username) == ["ada@contoso.com"])
  }
}
