import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOReference

/// The apps that can use a credential: the conditions, and their agreement with the list.
struct WhyTokenTests {
  private static let old = SuiteApp.adal("old", "2.6.6")
  private static let new = SuiteApp.adal("new", "2.7.18")
  private static let modern = SuiteApp.msal("modern")
  private static let other = SuiteApp.msal("other", client: "c2")

  @Test(arguments: [false, true], ["", "keychainSharingGroup: com.contoso.own"])
  func anAppCanUseItExactlyIfEveryConditionHolds(family: Bool, extra: String) throws {
    let stranger = SuiteApp.msal("stranger", client: "c2", extra: extra)
    let apps = [Self.old, Self.new, Self.modern, Self.other, stranger]
    let lab = try suiteLab(apps, family: family)
    for app in apps { try lab.signIn(app) }
    for token in try lab.read({ try $0.tokens.rows() }) {
      let why = try #require(try lab.read { try $0.why.credential(token.id) })
      let holding = why.sections.dropFirst().filter { $0.checks.allSatisfy { $0.verdict == .passed } }
      #expect(
        holding.map(\.title) == token.apps.map { $0 + ": can use it" }, "\(token.type) of \(token.clientID)")
      #expect(why.sections.count == apps.count + 1)
    }
  }

  @Test func namesTheConditionThatKeepsAnAppFromIt() throws {
    let lab = try suiteLab([Self.modern, Self.other])
    try lab.signIn(Self.modern)
    let token = try #require(try lab.read { try $0.tokens.rows() }.first { $0.type == "AccessToken" })
    let why = try #require(try lab.read { try $0.why.credential(token.id) })
    #expect(why.answer == "Usable by modern.")
    #expect(why.holds && why.sections.last?.title == "other: cannot use it")
    #expect(
      why.sections.last?.checks.first
        == Check("same client ID", expected: "c1", found: "c2", verdict: .skipped, source: "claim C1"))
  }

  @Test func anEndedTokenIsOfNoUseToAnybody() throws {
    let lab = try suiteLab([Self.modern])
    try lab.signIn(Self.modern)
    let token = try #require(try lab.read { try $0.tokens.rows() }.first { $0.type == "AccessToken" })
    _ = try lab.perform(ChangeCredentials(.expire, [token.id]))
    let why = try #require(try lab.read { try $0.why.credential(token.id) })
    #expect(why.answer == "Usable by modern, but it is expired.")
    #expect(why.firstFailure?.name == "it is valid")
  }

  @Test func thereIsNothingToSayOfACredentialThatIsGone() throws {
    #expect(try suiteLab([Self.modern]).read { try $0.why.credential("t99") } == nil)
  }

  @Test(arguments: [
    ("claims B1, C3", ["B1: ", "C3: "]), ("broker.md §7(2)", ["docs/behaviour/broker.md §7: "]),
    ("RFC 8252 §8.6", ["RFC 8252: "]),
    ("the lab's faults", []),
  ])
  func aSourceIsExplained(_ source: String, _ beginnings: [String]) {
    let sentences = RuleSource(source).sentences
    #expect(sentences.count == beginnings.count)
    for (sentence, beginning) in zip(sentences, beginnings) { #expect(sentence.hasPrefix(beginning)) }
  }
}
