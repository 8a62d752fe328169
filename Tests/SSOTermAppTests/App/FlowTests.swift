import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

/// An interactive call from the first prompt to the outcome.
struct FlowTests {
  private func press(_ model: inout AppModel, _ key: KeyPress) -> [Command] {
    update(&model, .event(.key(key)))
  }

  @Test func hintedAccountIsMarkedAndDigitsSendNothing() {
    var model = Sample.prompt(.chooseAccount(Sample.picker(.transition)))
    #expect(press(&model, .character("1")).isEmpty)
    let chosen = Answer.account(homeAccountID: "ada@contoso.com")
    #expect(press(&model, .enter) == [.perform(Sample.intent, [chosen])])
    #expect(press(&model, .enter).isEmpty, "one answer at a time")
  }

  @Test func answersAddUpAlongTheFlow() {
    var model = Sample.prompt(.chooseAccount(Sample.picker(.overlay)))
    #expect(press(&model, .character("+")) == [.perform(Sample.intent, [.useAnotherAccount])])
    _ = update(
      &model,
      .performed(
        Sample.intent, answers: [.useAnotherAccount],
        .needs(.signIn(Sample.signIn(.username)), hopsSoFar: [])))
    #expect(model.dialogs.count == 1)
    _ = press(&model, .control("t"))
    #expect(
      press(&model, .enter)
        == [.perform(Sample.intent, [.useAnotherAccount, .username("ada@contoso.com")])])
    let outcome = Outcome(.failed, "x", errorText: "MSALErrorDomain -50005", next: "Try i.")
    _ = update(&model, .performed(Sample.intent, answers: [], .done(outcome, traceID: 3)))
    #expect(model.dialogs.isEmpty)
    #expect(
      model.notice
        == Notice(text: "✗ x", kind: .bad, next: "Try i.", printed: "MSALErrorDomain -50005"))
  }

  @Test func controlTFillsInThePasswordOfTheLabsPerson() {
    var model = Sample.prompt(.signIn(Sample.signIn(.password)))
    let ada = TestPerson(username: "ada@contoso.com", password: "analytical-engine", remark: "")
    _ = update(&model, .loaded(.people([ada])))
    _ = press(&model, .control("t"))
    #expect(press(&model, .enter) == [.perform(Sample.intent, [.password("analytical-engine")])])
  }

  @Test func escapeInAPromptCancelsTheFlow() {
    var model = Sample.prompt(.consent(Sample.consent))
    #expect(press(&model, .escape) == [.perform(Sample.intent, [.cancel])])
  }

  @Test func pickerAloneEndsTheProgramWithTheChoice() {
    var model = AppModel(title: "pick")
    model.isPickerOnly = true
    model.dialogs = [Dialog(PromptDialog(.chooseAccount(Sample.picker(.transition)), intent: nil))]
    #expect(press(&model, .enter) == [.finish(.picked(Sample.picker(.transition).candidates[1]))])
    #expect(press(&model, .escape) == [.finish(.cancelled)])
  }

  /// The picker has no sign-in, so no account can be added, and there is no app to return to.
  @Test func pickerAloneOffersOnlyWhatItCanDo() {
    var picker = Sample.picker(.transition)
    (picker.appName, picker.signsIn) = ("", false)
    var model = AppModel(title: "pick")
    model.isPickerOnly = true
    model.dialogs = [Dialog(PromptDialog(.chooseAccount(picker), intent: nil))]
    let text = FrameSample("pick", model).frame(Size(width: 80, height: 24)).text()
    #expect(text.contains("Which account?") && text.hasSuffix("F1 help"))
    #expect(!text.contains("Use another account"))
    #expect(FrameSample.commands(&model, "+f").isEmpty && model.dialogs.count == 1)
  }
}
