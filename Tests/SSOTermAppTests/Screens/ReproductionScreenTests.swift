import Foundation
import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOReproduce
import SSOScenarios
import TerminalUI
import Testing

@testable import SSOTermApp

/// A failure of a log, or a finding of the doctor, that becomes a lab which fails the same way.
struct ReproductionScreenTests {
  @Test func aCallOfALogIsReproducedAndLeadsToTheLab() throws {
    let lab = try Sample.reproduction()
    let result = try #require(lab.model.screens.reproduction.result)
    #expect(result.verdict == .reproduced && result.cause == "refresh-token-unused")
    #expect(lab.text.contains("✓ reproduced") && lab.text.contains("AADSTS700082 at the token endpoint"))
    // The step at which the lab's call fails is selected.
    let step = try #require(lab.model.screens.reproduction.selectedStep)
    #expect(step.labStep == result.failedStep)
    let start = DemoStart.reproduction(try #require(result.scenario), isMended: false)
    var model = lab.model
    #expect(FrameSample.commands(&model, "L") == [.finish(.demo(start))])
    #expect(FrameSample.commands(&model, "\r") == [.finish(.demo(start))])
    #expect(FrameSample.commands(&model, "x") == [.writeScenario(try #require(result.scenario))])
  }

  /// The lab opens on the trace of the call, whose failed step is selected, and its steps can be repeated.
  @Test(arguments: [(false, Outcome.Verdict.failed), (true, .succeeded)])
  func theLabOpensAtTheFailingStep(_ isMended: Bool, _ verdict: Outcome.Verdict) throws {
    let scenario = try #require(try Sample.reproduction().model.screens.reproduction.result?.scenario)
    let opened = try DemoStart.reproduction(scenario, isMended: isMended).open()
    #expect(opened.reports.count == 3 && opened.reports.allSatisfy(\.passed))
    let session = OffscreenSession(opened.lab, title: "demo")
    var model = AppModel(demo: opened, from: session.model)
    #expect(model.follow(path: opened.path).count == 2 && model.place.screen == .trace)
    let trace = try #require(opened.reports.last?.traceID)
    let outcome = try opened.lab.read { try $0.traces.trace(trace)?.outcome }
    #expect(outcome?.verdict == verdict)
  }

  @Test func anotherCauseRunsTheCallAtOnce() throws {
    var lab = try Sample.reproduction(of: "AADSTS65001: The user has not consented.")
    lab.press("/cause\r")
    lab.press("e")
    let choice = try #require(lab.model.topDialog(Choice.self))
    let names = choice.options.map(\.value)
    #expect(
      names == [
        "any", "consent-missing", "consent-missing-without-page", "consent-missing-with-password",
        "consent-missing-at-external-tenant", "consent-missing-for-server",
      ])
    lab.press("server\r")
    #expect(lab.model.screens.reproduction.chosen == [.cause: "consent-missing-for-server"])
    #expect(lab.model.screens.reproduction.result?.cause == "consent-missing-for-server")
    #expect(lab.text.contains("you chose it"))
    lab.press("eany\r")
    #expect(lab.model.screens.reproduction.chosen.isEmpty)
    #expect(lab.model.screens.reproduction.result?.cause == "consent-missing")
  }

  /// A text is typed in place of the current one, and rejected if it has another form.
  @Test func anotherClientIDIsUsed() throws {
    var lab = try Sample.reproduction()
    lab.press("/client\r")
    lab.press("e")
    lab.press(.control("u"))
    lab.press("not-an-id\r")
    #expect(lab.model.screens.reproduction.chosen.isEmpty)
    lab.press("e")
    lab.press(.control("u"))
    lab.press("11111111-2222-4333-8444-555555555555\r")
    let scenario = lab.model.screens.reproduction.result?.scenario
    #expect(scenario?.contains("11111111-2222-4333-8444-555555555555") == true)
    #expect(lab.model.screens.reproduction.result?.verdict == .reproduced)
  }

  @Test func theLabsOwnCallsAndCallsThatDidNotFailAreNotReproduced() throws {
    var lab = try LabByKeys("contoso-suite")
    lab.signIn()
    lab.press("4")
    #expect(lab.model.obstacle(to: ReproductionAction.reproduce) == "the call did not fail")
    lab.press("\rR")
    #expect(lab.model.place.screen == .trace)
    #expect(lab.model.notice?.text == "R: it is a call of this lab; w explains it.")
  }

  /// The finding's own code decides which failure of the project is reproduced.
  @Test(arguments: ["", "l\r"])
  func aFindingOfTheDoctorIsReproduced(_ keys: String) throws {
    var lab = try LabByKeys("contoso-suite")
    let source = ProjectSource(paths: ["sample:no-callback"])
    lab.take(.event(.key(.character(":"))))
    lab.press("doctor sample:no-callback\r")
    #expect(lab.model.place.project == source)
    lab.press(keys)
    lab.press("R")
    #expect(lab.model.place.screen == .reproduction && lab.model.dialogs.isEmpty)
    let result = try #require(lab.model.screens.reproduction.result)
    #expect(result.failure?.displayText == "MSALErrorDomain -42700" && result.verdict == .reproduced)
    #expect(
      result.changes.first?.text.contains("handleMSALResponse") == true && lab.text.contains("mended by"))
    // With another assumption, the files are not checked again.
    var screen = lab.model.screens.reproduction
    let chosen = [EvidenceFact.Name.bundleID: "com.example.other"]
    if case .load(.reproduction(.finding, let known, chosen))? =
      screen.choose("com.example.other", as: .bundleID).first
    {
      #expect(known?.evidence.diagnosis != nil)
    } else {
      Issue.record("no facts are handed on")
    }
    // Files that change are tried again.
    var model = lab.model
    guard case .load(.reproduction(.finding, nil, [:]))? = update(&model, .projectChanged).first else {
      Issue.record("nothing is tried")
      return
    }
  }

  @Test func aFailureThatIsNoLongerThereIsSaidSo() throws {
    var lab = try LabByKeys("contoso-suite")
    _ = lab.model.open(Place(.reproduction, .reproduction(.trace(99))))
    lab.take(.loaded(.reproduction(.trace(99), nil, [:], nil)))
    #expect(lab.text.contains("no longer there") && lab.model.obstacle(to: ReproductionAction.openLab) != nil)
  }

  /// Bar, help, and palette name the key where it works.
  @Test func theKeyIsFound() throws {
    let lab = try Sample.reproduction(isOpened: false)
    #expect(lab.text.contains("R reproduce"))
    for context in [KeyContext.traces, .trace, .doctor, .finding] {
      #expect(KeyTable.standard.find(.character("R"), in: context)?.name == "reproduce")
    }
    #expect(KeyTable.standard.names.contains("reproduce"))
  }
}

extension Sample {
  /// A log of MSAL for iOS, in which the refresh token of a silent call was refused.
  static let failedLog = """
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:01 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Beginning silent flow.
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:01 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Looking for access token...
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:02 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Acquiring Access token via Refresh token...
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:03 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] acquireTokenSilent returning with error: (MSALErrorDomain, -50002) Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={MSALOAuthErrorKey=invalid_grant, MSALErrorDescriptionKey=AADSTS700082: The refresh token has expired due to inactivity.}
    """

  /// Pastes a log on the screen of a lab, and reproduces its call.
  static func reproduction(of log: String = failedLog, isOpened: Bool = true) throws -> LabByKeys {
    var lab = try LabByKeys("contoso-suite")
    lab.press("4p")
    lab.take(.event(.paste(log)))
    lab.press(.enter)
    if isOpened { lab.press("R") }
    return lab
  }
}
