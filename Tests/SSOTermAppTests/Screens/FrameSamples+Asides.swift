import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTermApp

extension FrameSample {
  /// The samples of a demo, a checklist, a user's own command, and a running call.
  static let asides =
    [
      demo("sign-out-one", "two-vendors", "i-"), demo("leaving", "contoso-suite", "tq"),
      demo("story-demo", "two-vendors", "8"), demo("presenter-story", "contoso-suite", ">P"),
      FrameSample("paste-log", suite: "4p"),
      FrameSample("remark", pressed(Sample.scenarios(), "f;No picker came up.")),
      FrameSample("evidence", pressed(Sample.scenarios(), "a")),
      FrameSample("sign-in-over", opened(SignInEnded(client: "Azure CLI"))),
      FrameSample(
        "run-question",
        opened(
          RunConfirmation(
            program: ExternalProgram(
              name: "portal", words: ["xdg-open", "https://portal.example/apps/b6c69a37"])))),
    ] + calls

  /// Returns a sample of a demo, with its scenario in the screens.
  private static func demo(_ name: String, _ scenario: String, _ keys: String) -> FrameSample {
    do {
      var lab = try LabByKeys(try ScenarioLibrary().scenario(scenario))
      lab.model.notice = nil
      lab.press(keys)
      return FrameSample(name, lab.model)
    } catch {
      Issue.record(error)
      return FrameSample(name, AppModel(title: "no lab"))
    }
  }

  private static func opened(_ dialog: some DialogComponent) -> AppModel {
    var model = LabByKeys.suite("")
    model.shared.open(dialog)
    return model
  }

  /// The samples of a silent call in progress, and after it has ended.
  private static var calls: [FrameSample] {
    do {
      var lab = try LabByKeys("contoso-suite")
      lab.model.mayMove = true
      lab.signIn()
      lab.press("js")
      lab.take(.alarm(.callPicture))
      let picture = FrameSample("call-picture", lab.model)
      lab.model.screens.apps.endPicture()
      lab.model.working = "My Test App 2 asks…"
      let (intent, progress) = try lab.halfOfACall()
      lab.take(.callRuns(intent, progress))
      return [picture, FrameSample("running-call", lab.model)]
    } catch {
      Issue.record(error)
      return []
    }
  }
}

extension LabByKeys {
  /// Returns a silent call of the second app up to its middle, where a step has started.
  func halfOfACall() throws -> (AnyIntent, CallProgress) {
    let intent = AnyIntent(
      AcquireSilently(
        app: "com.contoso.mytestapp2", account: nil, scopes: [], forceRefresh: false))
    var told: [CallProgress] = []
    _ = try lab.perform(intent.value) { told.append($0) }
    return (intent, try #require(told[(told.count / 2)...].first { $0.running != nil }))
  }
}
