import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

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
