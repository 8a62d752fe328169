import SSOCore
import SSOProvider
import TerminalUI
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

/// The flow remains visible around a prompt, and each system shows its prompt in its own way (claim A5).
@Suite struct PromptSceneTests {
  private static func text(_ model: AppModel, _ size: Size) -> String {
    FrameSample("", model).frame(size).text()
  }

  private static func picker(on platform: String) -> AppModel {
    var model = Sample.prompt(
      .chooseAccount(Sample.picker(platform == "iOS" ? .transition : .overlay)))
    model.lab.status?.platform = platform
    return model
  }

  @Test(arguments: [
    ("iOS", "the app is in the background", "┊"), ("Android", "Android, over the app", "◀  ○  □"),
    ("Windows", "Windows, over the app", "- □ ×"),
  ])
  func thePickerStandsInThePictureOfItsSystem(_ platform: String, _ words: String, _ sign: String) {
    let model = Self.picker(on: platform)
    let wide = Self.text(model, Size(width: 100, height: 30))
    #expect(wide.contains("waiting for an account") && wide.contains(words) && wide.contains(sign))
    #expect(wide.contains("openURL msauthv3://broker") && wide.contains("ada@contoso.com"))
    // A narrower window has a strip of the last steps, down to the width that lanes need.
    let strip = Self.text(model, Size(width: 80, height: 24))
    #expect(strip.contains("waiting for an account") && strip.contains("ada@contoso.com"))
    #expect(!Self.text(model, Size(width: 67, height: 30)).contains("waiting for an account"))
  }

  @Test func noTwoSystemsLookAlike() {
    let size = Size(width: 120, height: 40)
    let rows = ["iOS", "Android", "Windows"].map { platform in
      Self.text(Self.picker(on: platform), size).split(separator: "\n", omittingEmptySubsequences: false)
        .firstIndex { $0.contains("Choose an account") }
    }
    #expect(Set(rows).count == 3, "a page, a sheet at the edge, and a window in the middle: \(rows)")
  }

  @Test func theStepThatRunsIsLitAndTheRestIsDim() throws {
    var model = Self.picker(on: "iOS")
    let size = Size(width: 120, height: 40)
    var frame = FrameSample("", model).frame(size)
    let last = Sample.hops[2].action
    let rows = frame.text().split(separator: "\n", omittingEmptySubsequences: false)
    let styles = frame.styleText().split(separator: "\n", omittingEmptySubsequences: false)
    let lit = try #require(rows.firstIndex { $0.contains(last) })
    #expect(styles[lit].contains("A") && !styles[lit - 1].contains("A"))
    // While an answer is being processed, no user is awaited.
    model.working = "Continuing…"
    frame = FrameSample("", model).frame(size)
    #expect(frame.text().contains("▶ Continuing…") && !frame.text().contains("waiting for"))
  }

  /// A long flow leaves enough rows for the prompt.
  @Test func aLongFlowShowsItsLastSteps() {
    var model = Sample.model(.apps)
    let hops = (0..<200).map { Hop(from: .app, to: .sdk, action: "step \($0)") }
    model.shared.open(
      PromptDialog(.signIn(Sample.signIn(.password)), intent: Sample.intent, hops: hops))
    let text = Self.text(model, Size(width: 120, height: 40))
    #expect(text.contains("step 199") && !text.contains("step 120") && text.contains("waiting for password"))
    #expect(text.contains("Password") && text.contains("Esc cancels"))
  }
}

/// The end of a cancelled call.
struct CancelledPromptTests {
  /// The system, and no app, asks for the sign-in of Platform SSO.
  @Test func cancellingPlatformSSOGivesNoAppACode() {
    var model = Sample.model(.apps)
    let register = AnyIntent(RegisterPlatformSSO(account: "ada@contoso.com"))
    model.shared.open(PromptDialog(.signIn(Sample.signIn(.password)), intent: register, hops: []))
    let text = FrameSample("", model).frame(Size(width: 120, height: 40)).text()
    #expect(text.contains("Esc cancels: the Mac is not registered.") && !text.contains("-50005"), "\(text)")
  }
}

/// `/`, `f` and `i` in "Choose an account".
struct PickerKeyTests {
  private let open = Sample.prompt(.chooseAccount(Sample.picker(.transition)))

  @Test func forgettingAnAccountAsksFirstAndThenTheFlowGoesOnWithoutIt() {
    var model = open
    let forget = AnyIntent(ForgetAccount(account: "ada@fabrikam.example"))
    #expect(FrameSample.commands(&model, "f") == [.load(.blastRadius(forget))])
    _ = update(&model, .loaded(.blastRadius(forget, Sample.radius)))
    _ = update(&model, .event(.key(.tab)))
    #expect(update(&model, .event(.key(.enter))) == [.perform(forget, [])])
    let commands = update(
      &model, .performed(forget, answers: [], .done(Outcome(.succeeded, "Gone."), traceID: 1)))
    #expect(commands.last == .perform(Sample.intent, []))
    #expect(model.dialogs.count == 1)
  }

  @Test func detailsFollowTheSelection() {
    var model = FrameSample.pressed(open, "i")
    let size = Size(width: 80, height: 24)
    #expect(FrameSample("", model).frame(size).text().contains("hinted by the app"))
    _ = update(&model, .event(.key(.up)))
    #expect(FrameSample("", model).frame(size).text().contains("home ID    ada@contoso.com"))
    #expect(!FrameSample.pressed(model, "i").dialogs.isEmpty)
  }

  /// Regression: twice, the sign-in was cancelled when only the layer over it should have closed.
  @Test func escapeClosesTheDetailsThenTheFilterAndOnlyThenCancels() {
    var model = FrameSample.pressed(open, "/grace")
    _ = update(&model, .event(.key(.enter)))
    model = FrameSample.pressed(model, "i")
    #expect(FrameSample("", model).frame(Size(width: 80, height: 24)).text().contains("Esc back"))
    #expect(update(&model, .event(.key(.escape))) == [])
    #expect(model.topDialog(PromptDialog.self)?.showsDetails == false)
    #expect(update(&model, .event(.key(.escape))) == [])
    #expect(model.topDialog(PromptDialog.self)?.list.isFiltered == false)
    #expect(update(&model, .event(.key(.escape))) == [.perform(Sample.intent, [.cancel])])
  }

  @Test func aBlockedAccountSaysWhyAndIsNotSent() {
    var model = FrameSample.pressed(open, "4")
    #expect(update(&model, .event(.key(.enter))).isEmpty)
    #expect(model.notice?.text == "taro@contoso.com cannot be chosen: blocked by policy.")
  }

  @Test func theFilterNarrowsAndPastedTextGoesIntoIt() {
    var model = FrameSample.pressed(open, "/")
    _ = update(&model, .event(.paste("grace")))
    _ = update(&model, .event(.key(.enter)))
    #expect(
      update(&model, .event(.key(.enter)))
        == [.perform(Sample.intent, [.account(homeAccountID: "grace@outlook.example")])])
  }
}

/// The picker's accounts, two lines each.
struct PickerTileTests {
  private func picker(_ count: Int) -> AccountPicker {
    var picker = Sample.picker(.transition)
    picker.candidates = (0..<count).map {
      PickerCandidate(
        homeAccountID: "oid-\($0).tid", displayName: "Person Number\($0)", username: "p\($0)@contoso.com",
        tenantName: "Contoso", state: $0 == 1 ? .blocked : .ready,
        remark: $0 == 1 ? "not compliant" : "no password",
        isHinted: false, shownBecause: "the broker holds it",
        lastUse: LastUse(at: Sample.now, app: "Files", secondsAgo: $0 * 3600))
    }
    return picker
  }

  private func text(_ model: AppModel, _ width: Int, _ height: Int) -> String {
    FrameSample("", model).frame(Size(width: width, height: height)).text()
  }

  @Test(arguments: [1, 2, 30, 100_000])
  func anyNumberOfAccountsIsCountedAndTheLastOneCanBeReached(_ count: Int) {
    var model = Sample.prompt(.chooseAccount(picker(count)))
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
      let text = text(model, width, height)
      #expect(text.contains("Person Number0") && text.contains("p0@contoso.com"))
      #expect(text.contains("\(counted(count, "account")), \(max(1, count - 1)) ready"), "\(text)")
    }
    _ = update(&model, .event(.key(.character("G"))))
    #expect(text(model, 120, 40).contains("Sign out of one…"))
    _ = update(&model, .event(.key(.character("k"))))
    #expect(text(model, 120, 40).contains("Use another account"))
    _ = update(&model, .event(.key(.character("k"))))
    #expect(text(model, 120, 40).contains("p\(count - 1)@contoso.com"))
  }

  @Test func aTileSaysWhoWhereAndWhy() {
    let lines = text(Sample.prompt(.chooseAccount(picker(2))), 120, 40).split(separator: "\n").map(
      String.init)
    let first = lines.firstIndex { $0.contains(" PN   Person Number0") && $0.contains("● ready") }
    #expect(
      first != nil
        && lines[(first ?? 0) + 1].contains("p0@contoso.com · Contoso · last used just now by Files"))
    let second = lines.firstIndex { $0.contains("Person Number1") && $0.contains("✗ blocked") }
    #expect(
      second != nil
        && lines[(second ?? 0) + 1].contains("not compliant · last used 1h ago by Files"))
  }

  @Test(
    arguments: [
      ("Ada Lovelace", "", "AL"), ("漢字 太郎", "", "漢"), ("", "grace@contoso.com", "GC"), ("émile", "", "É"),
      ("", "", "?"), ("\u{1B}[31m", "", "3"), ("Ada (guest)", "", "AG"),
    ])
  func initials(_ name: String, _ username: String, _ initials: String) {
    let candidate = PickerCandidate(
      homeAccountID: "a.b", displayName: name, username: username, tenantName: "", state: .ready, remark: "",
      isHinted: false)
    #expect(candidate.initials == initials)
  }

  @Test func yCopiesTheWholeID() {
    var model = Sample.prompt(.chooseAccount(picker(2)))
    #expect(
      FrameSample.commands(&model, "jy") == [.copy(Copy(text: "oid-1.tid", label: "home account ID"))])
    #expect(FrameSample.commands(&model, "Gy").isEmpty, "the row for signing out has none")
  }

  @Test(arguments: [(80, 24), (120, 40)])
  func theQuestionMarkSaysWhyTheAccountIsShown(_ width: Int, _ height: Int) {
    let text = text(
      FrameSample.pressed(Sample.prompt(.chooseAccount(picker(2))), "?"), width, height)
    for words in [
      "home ID    oid-0.tid", "shown      because the broker holds it", "last used  just now by Files",
      "picker     The app asked for select_account.",
    ] { #expect(text.contains(words), "\(text)") }
  }

  /// The row, its key, and Enter on it lead to the same question as `f` on an account.
  @Test(arguments: ["-", "G\r"])
  func oneOfTheAccountsIsSignedOutOfTheDevice(_ keys: String) {
    var model = Sample.prompt(.chooseAccount(picker(2)))
    #expect(FrameSample.commands(&model, keys).isEmpty)
    let text = text(model, 80, 24)
    #expect(text.contains("Which account do you want to sign out of this device?"))
    #expect(!text.contains("Use another account") && !text.contains("Sign out of one…"))
    #expect(
      FrameSample.commands(&model, "j\r") == [.load(.blastRadius(of: ForgetAccount(account: "oid-1.tid")))])
    _ = update(&model, .event(.key(.escape)))
    #expect(model.topDialog(PromptDialog.self)?.isSigningOut == false, "Esc goes back to choosing")
    #expect(
      FrameSample.commands(&model, "\r") == [.perform(Sample.intent, [.account(homeAccountID: "oid-0.tid")])])
  }

  /// The picker of an external client lists users of the directory, who were never on this device.
  @Test func aRealProgramsPickerSignsNobodyOut() {
    let dialog = PromptDialog(
      .chooseAccount(picker(2)), intent: AnyIntent(AnswerSignIn(id: "a", client: "Azure CLI")))
    #expect(!dialog.canSignOutOne && !dialog.list.ids.contains(RowID(PickerRow.signOutID)))
  }

  /// The broker records the app for which it last used the account, and a later app's request replaces it.
  @Test func theAppThatUsedAnAccountLastIsNamed() throws {
    var keys = try LabByKeys("two-vendors")
    keys.press("gi")
    keys.answerPages()
    let first = try #require(keys.model.lab.apps.first)
    keys.press("jc")
    #expect(keys.text.contains("· last used just now by \(first.displayName)"), "\(keys.text)")
    keys.answerPages()
    let second = try #require(keys.model.screens.apps.selected(keys.model.shared))
    #expect(second.bundleID != first.bundleID)
    keys.press("c")
    #expect(keys.text.contains("· last used just now by \(second.displayName)"), "\(keys.text)")
  }

  /// The broker asks for the password with prompt=login, whichever account is chosen.
  @Test func anAppThatAsksForThePasswordAgainMakesNobodyReady() throws {
    var keys = try LabByKeys("two-vendors")
    keys.press("ga")
    #expect(keys.text.contains("prompt login") && keys.text.contains("2 accounts, 0 ready"))
    #expect(!keys.text.contains("● ready") && keys.text.contains("○ needs password"))
    #expect(keys.text.contains("ada@contoso.com · Contoso · the app asks for the password again"))
    keys.press("\r")
    let prompt = try #require(keys.model.topDialog(PromptDialog.self)).prompt
    guard case .signIn(let page) = prompt else { return #expect(Bool(false), "\(prompt)") }
    #expect(page.asks == .password)
  }
}
