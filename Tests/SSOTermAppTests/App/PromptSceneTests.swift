import Testing

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
    #expect(!Self.text(model, Size(width: 99, height: 30)).contains("waiting for an account"))
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
