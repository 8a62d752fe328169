import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOReference
@testable import SSOTermApp
@testable import TerminalUI

/// `w` and `W`: the reasons for a result, and their explanations.
struct WhyTests {
  @Test(
    arguments: [
      (.apps, "w", .app("com.contoso.mail")), (.apps, " jj w", .apps("com.contoso.mail", "漢字 太郎")),
      (.accounts, "w", .account(Sample.home)), (.tokens, "w", .token("t1")), (.traces, "w", .trace(2)),
      (.trace(2), "w", .trace(2)), (.keychain, "lw", .token("t1")),
    ] as [(Place, String, WhySubject)])
  func asksAboutWhatIsSelectedOrMarked(_ place: Place, _ keys: String, _ subject: WhySubject) {
    var model = Sample.model(place)
    let asked = FrameSample.commands(&model, keys).last
    if case .load(.why(.apps(let first, let second))) = asked, case .apps = subject {
      #expect(first == "com.contoso.mail")
      #expect(second.hasPrefix("com.contoso."))
    } else {
      #expect(asked == .load(.why(subject)))
    }
  }

  @Test(
    arguments: [
      (.apps, "   w", "w: two apps at most; Esc unmarks."),
      (.keychain, "w", "w: Tab, then select a token."),
    ] as [(Place, String, String)])
  func saysWhatIsMissing(_ place: Place, _ keys: String, _ notice: String) {
    var model = Sample.model(place)
    let isAsked = FrameSample.commands(&model, keys).contains {
      if case .load(.why) = $0 { true } else { false }
    }
    #expect(!isAsked)
    #expect(model.notice?.text == notice)
  }

  @Test func firstFailureIsSelectedAndEnterShowsItsRule() throws {
    var model = FrameSample.why(.app("com.contoso.mail"))
    guard let why = model.topDialog(Why.self) else { return #expect(Bool(false)) }
    #expect(why.selected == Sample.checklist.firstFailure)
    #expect(FrameSample.commands(&model, "\r").isEmpty)
    guard let explained = model.topDialog(Explained.self) else { return #expect(Bool(false)) }
    #expect(explained.check == Sample.checklist.firstFailure)
    let text = FrameSample("", model).frame(Size(width: 80, height: 24)).text()
    #expect(text.contains("C1: Client ID, team, keychain group"))
    _ = update(&model, .event(.key(.escape)))
    _ = update(&model, .event(.key(.escape)))
    #expect(model.dialogs.isEmpty)
  }

  /// Returns a checklist with a failed condition, and a field that decides it.
  private static func mendable() -> Checklist {
    let check = Check(
      "query schemes are registered", expected: "msauthv2, msauthv3", found: "msauthv2", false, source: "s",
      remedy: Remedy(.app, "com.contoso.mail", "queriesSchemes+=msauthv3"))
    return Checklist(
      title: "Why", answer: "Mail asks.", cause: check,
      sections: [Checklist.Section(title: "Set-up", checks: [Sample.passed, check])])
  }

  @Test(arguments: ["f", "\r"]) func theKeyOpensTheFieldWithTheValueThatMends(_ key: String) throws {
    var model = Sample.model(.apps)
    _ = update(&model, .loaded(.why(.app("com.contoso.mail"), Self.mendable())))
    let remedy = try #require(Self.mendable().remedy)
    #expect(FrameSample.commands(&model, key) == [.load(.remedy(remedy))])
    let field = RecordRow.Field(
      name: "queriesSchemes", value: "msauthv2", canChange: true, choices: nil, isSecret: false,
      isOptional: false, hasParts: true)
    let record = RecordRow(kind: .app, name: "com.contoso.mail", title: "Mail", fields: [field])
    _ = update(&model, .loaded(.remedy(try FieldChange(remedy.change), record)))
    #expect(model.topDialog(FieldEdit.self)?.input.text == "msauthv2, msauthv3")
    #expect(
      FrameSample.commands(&model, "\r") == [
        .perform(
          EditRecord(
            .app, record: "com.contoso.mail", [try FieldChange("queriesSchemes=msauthv2, msauthv3")]), [])
      ])
  }

  @Test func fromTheFailedConditionToASilentCallInTwoKeys() throws {
    var keys = try LabByKeys("contoso-suite-broken-sharing-group")
    keys.signIn()
    keys.press("jw")
    #expect(keys.model.topDialog(Why.self)?.checklist.holds == false)
    keys.press("f\r")
    #expect(keys.model.topDialog(Effects.self) != nil)
    keys.press("\r")
    #expect(keys.model.topDialog(Why.self)?.checklist.holds == true)
    #expect(keys.model.topDialog(Why.self)?.firstFailure == nil)
  }

  @Test func readOnlyProposesNothing() {
    var model = Sample.model(.apps)
    model.lab.isReadOnly = true
    _ = update(&model, .loaded(.why(.app("com.contoso.mail"), Self.mendable())))
    #expect(FrameSample.commands(&model, "f").isEmpty)
    #expect(model.topDialog(Why.self) != nil)
  }

  @Test func whatHoldsIsFoldedUntilItIsAskedFor() {
    var model = Sample.model(.apps)
    _ = update(&model, .loaded(.why(.app("com.contoso.mail"), Self.mendable())))
    #expect(model.topDialog(Why.self)?.rows == [.heading(0), .check(section: 0, 1), .folded])
    #expect(model.topDialog(Why.self)?.foldedText == "1 more holds; press a")
    _ = FrameSample.commands(&model, "a")
    #expect(model.topDialog(Why.self)?.rows == [.heading(0), .check(section: 0, 0), .check(section: 0, 1)])
    #expect(model.topDialog(Why.self)?.selected?.verdict == .failed)
  }

  /// After the change, the same question is answered again in the open dialog.
  @Test func anAnswerThatChangedTakesThePlaceOfTheOld() {
    var model = Sample.model(.apps)
    let subject = WhySubject.app("com.contoso.mail")
    _ = update(&model, .loaded(.why(subject, Self.mendable())))
    let good = Checklist(title: "Why", answer: "Mail is silent.", cause: nil, sections: [])
    #expect(model.reload().contains(.load(.why(subject))))
    _ = update(&model, .loaded(.why(subject, good)))
    #expect(model.dialogs.count == 1 && model.topDialog(Why.self)?.checklist == good)
  }

  @Test(
    arguments: [
      ("a=1", "0", "1"), ("a+=b", "a", "a, b"), ("a+=b", nil, "b"), ("a+=b,c", "c, d", "d, b, c"),
      ("a-=b", "a, b", "a"), ("a-=b", nil, ""),
    ] as [(String, String?, String)])
  func aChangeIsShownAsTheWholeField(_ change: String, _ present: String?, _ text: String) throws {
    #expect(try FieldChange(change).text(after: present) == text)
  }

  @Test func codesInAConditionAreExplained() {
    var model = FrameSample.why(.app("com.contoso.mail"))
    _ = FrameSample.commands(&model, "j\r")
    guard let explained = model.topDialog(Explained.self) else { return #expect(Bool(false)) }
    #expect(explained.codes.map(\.code) == ["-50002"])
  }

  @Test func secondAppIsChosenFromAList() {
    var model = FrameSample.why(.app("com.contoso.mail"))
    #expect(
      FrameSample.commands(&model, "wchat\r") == [.load(.why(.apps("com.contoso.mail", "com.contoso.chat")))])
    #expect(model.dialogs.isEmpty)
  }

  @Test func thePairOfTheMatrixIsAskedAbout() {
    var model = Sample.model(.apps)
    _ = update(&model, .loaded(.visibility(Sample.sights)))
    #expect(
      FrameSample.commands(&model, "\r") == [.load(.why(.apps("com.contoso.files", "com.contoso.mail")))])
  }

  @Test func whatWentWrongLastIsExplainedBeforeTheSelection() {
    var model = Sample.model(.apps)
    _ = update(&model, .failed(Problem(what: "MSALErrorDomain -50005")))
    _ = FrameSample.commands(&model, "W")
    guard let explained = model.topDialog(Explained.self) else { return #expect(Bool(false)) }
    #expect(explained.codes.map(\.code) == ["-50005"])
  }

  @Test func aTraceOfTheListIsReadForItsCodes() {
    var model = Sample.model(.traces)
    #expect(FrameSample.commands(&model, "jW") == [.load(.lastCall(1)), .load(.outcome(1))])
    var trace = Sample.trace
    trace.outcome = Outcome(
      .failed, "no", errorText: "-50000", errorDomain: "MSALErrorDomain", errorCode: -50000)
    _ = update(&model, .loaded(.outcome(trace)))
    guard let explained = model.topDialog(Explained.self) else { return #expect(Bool(false)) }
    #expect(explained.codes.map(\.code) == ["-50000"])
  }

  @Test func paletteExplainsACode() {
    var model = Sample.model(.apps)
    _ = FrameSample.commands(&model, ":explain 50011\r")
    guard let explained = model.topDialog(Explained.self) else { return #expect(Bool(false)) }
    #expect(explained.codes.map(\.code) == ["AADSTS50011"])
  }
}

/// Texts that are shown without their list, compared with what is on the screen beside them.
@Suite struct StandingAloneTests {
  /// Regression: it was "✗ same client ID: b6c69a37…", which reads as if the ID were the same.
  @Test func aFailedConditionIsSaidAsASentence() {
    var check = Check("same client ID", expected: "a", found: "b", false, source: "claim C1")
    #expect(
      Notice(Outcome(.failed, "x", failedCheck: check)).text == "✗ The check “same client ID” failed: b. x")
    check.failure = "its client ID differs from Mail's"
    #expect(
      Notice(Outcome(.failed, "x", failedCheck: check)).text == "✗ Its client ID differs from Mail's. x")
  }

  @Test func theReasonIsSaidOnce() throws {
    var keys = try LabByKeys("contoso-suite")
    let text = FrameSample("", keys.model).frame(Size(width: 80, height: 24)).text()
    #expect(text.contains("NEXT ! needs sign-in: no account is") && !text.contains("because"))
    keys.press("t")
    #expect(keys.model.notice?.text == "✓ Clock +1h.")
    keys.press("T")
    #expect(keys.model.notice?.text == "✓ Clock reset.")
  }

  /// Regression: it said "none: Nothing is stored" about an item that existed.
  @Test func anItemWithoutAStateIsNotCalledMissing() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("5")
    keys.press(.tab)
    for _ in 0..<20 where keys.model.screens.keychain.selectedItem?.isDated == true { keys.press("j") }
    #expect(keys.model.screens.keychain.selectedItem?.isDated == false)
    keys.press("W")
    #expect(keys.model.notice?.text == "This item is not a token: it has no state. :explain takes a code.")
    #expect(keys.model.dialogs.isEmpty)
  }
}

struct ReuseGridTests {
  @Test func theGridMovesByAppAndFixesTheSelectedPair() throws {
    var keys = try LabByKeys("contoso-suite-broken-team")
    keys.press("m")
    let first = try #require(keys.model.topDialog(VisibilityMatrix.self)?.selected)
    keys.press(.right)
    let right = try #require(keys.model.topDialog(VisibilityMatrix.self)?.selected)
    #expect(right.signedIn == first.signedIn && right.looking != first.looking)
    keys.press(.down)
    let down = try #require(keys.model.topDialog(VisibilityMatrix.self)?.selected)
    #expect(down.signedIn != first.signedIn && down.signedIn != down.looking)
    let text = keys.text
    #expect(text.contains("USED BY") && text.contains("[✗]") || text.contains("[✓]"))
    keys.press(.up)
    keys.press(.left)
    #expect(keys.model.topDialog(VisibilityMatrix.self)?.selected == first)
    #expect(first.extent == .nothing)
    keys.press("f")
    #expect(keys.model.topDialog(FieldEdit.self)?.input.text == "A1B2C3D4E5")
    keys.press("\r\r")
    #expect(keys.model.topDialog(VisibilityMatrix.self)?.selected?.extent == .all)
  }
}

struct IssueCardTests {
  @Test func theCardHasTheAnswerTheValuesAndTheCall() throws {
    var keys = try LabByKeys("contoso-suite-broken-team")
    keys.signIn()
    keys.press("jsY")
    let card = try #require(keys.model.topDialog(IssueCard.self))
    #expect(
      card.text.hasPrefix("### My Test App 2 needs sign-in, because its team differs from My Test App 1's."))
    #expect(card.text.contains("| its team differs from My Test App 1's | F6G7H8I9J0 | A1B2C3D4E5 |"))
    #expect(card.text.contains("sequenceDiagram") && !card.text.contains("eyJ"))
  }

  /// Regression: the first line of a call's card was the SDK's sentence, which says what to call next and not why.
  @Test func theCardOfACallSaysWhichCallFailedAndWhy() throws {
    var keys = try LabByKeys("contoso-suite-broken-team")
    keys.signIn()
    keys.press("js4Y")
    let card = try #require(keys.model.topDialog(IssueCard.self))
    let (title, rest) = (card.text.prefix { $0 != "\n" }, card.text)
    #expect(title.hasPrefix("### silent My Test App 2: The call failed"))
    #expect(title.hasSuffix(", because its team differs from My Test App 1's."))
    #expect(rest.contains("| its team differs from My Test App 1's | F6G7H8I9J0 | A1B2C3D4E5 |"))
  }

  @Test func fixingWorksFromEveryRow() throws {
    var keys = try LabByKeys("contoso-suite-broken-team")
    keys.signIn()
    keys.press("jwk")
    #expect(keys.model.topDialog(Why.self)?.selected == nil)
    keys.press("f\r\r")
    let why = try #require(keys.model.topDialog(Why.self))
    #expect(why.firstFailure == nil)
  }
}
