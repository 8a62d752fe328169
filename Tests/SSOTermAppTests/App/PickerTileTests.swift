import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

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
