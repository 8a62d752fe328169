import Foundation
import Synchronization
import TerminalUI
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTermApp

/// A call that takes long, as on a distant server, and whose steps are drawn while it runs.
struct RunningCallTests {
  private static let silent = AnyIntent(
    AcquireSilently(
      app: "com.contoso.mytestapp1", account: nil, scopes: [], forceRefresh: false))

  /// The reported progress of a call, and what another process saw in the store at that moment.
  private final class Told: Sendable {
    let progress = Mutex<[CallProgress]>([])
    let stored = Mutex<Set<Int>>([])
  }

  @Test func eachHopIsToldBeforeItsResultAndBeforeAnythingIsStored() throws {
    let folder = try ScratchFolder()
    let lab = Lab(store: try folder.open()) { Instant(1_772_442_000) }
    try lab.create(try ScenarioLibrary().scenario("contoso-suite"))
    let other = Lab(store: try folder.open(create: false), isReadOnly: true)
    let before = try other.read { try $0.traces.rows(limit: 9) }.count
    let told = Told()
    let performance = try lab.perform(
      SignIn(app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired),
      answers: [.accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept]
    ) { progress in
      told.progress.withLock { $0.append(progress) }
      let traces = try? other.read { try $0.traces.rows(limit: 9) }.count
      told.stored.withLock { _ = $0.insert(traces ?? -1) }
    }
    guard case .done(_, let id) = performance else { return #expect(Bool(false), "\(performance)") }
    let hops = try #require(try other.read { try $0.traces.trace(id) }).hops
    let all = told.progress.withLock { $0 }
    #expect(all.last?.hops == hops && told.stored.withLock { $0 } == [before])
    // A request and a keychain call are reported when they start, and again with their result.
    let running = all.compactMap(\.running)
    #expect(running.contains { $0.to == .keychain } && running.contains { $0.to == .provider })
    #expect(running.allSatisfy { $0.result.isEmpty && $0.checks.isEmpty })
    for (progress, next) in zip(all, all.dropFirst()) {
      guard let begun = progress.running, next.running == nil else { continue }
      #expect(next.hops.count == progress.hops.count + 1 && next.hops.last?.action == begun.action)
    }
  }

  @Test func theRunnerTellsOfALongCallUntilItsResultIsThere() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let news = DispatchSemaphore(value: 0)
    let runner = CommandRunner(
      lab: lab, clipboard: ClipboardController(.off) { _ in nil }, patience: .nanoseconds(0)
    ) { news.signal() }
    runner.start(.perform(Self.silent, []))
    var messages: [Message] = []
    func isResult(_ message: Message) -> Bool { if case .performed = message { true } else { false } }
    while !messages.contains(where: isResult), news.wait(timeout: .now() + 20) == .success {
      messages += runner.collect().compactMap(\.message)
    }
    guard case .performed? = messages.last else { return #expect(Bool(false), "\(messages)") }
    for message in messages.dropLast() {
      guard case .callRuns(Self.silent, let progress) = message else {
        return #expect(Bool(false), "\(message)")
      }
      #expect(!progress.steps.isEmpty)
    }
  }

  @Test(arguments: ["", "3", "5"], [Size(width: 80, height: 24), Size(width: 120, height: 40)])
  func theStepThatRunsIsLitOnEveryScreen(_ screen: String, _ size: Size) throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    let (intent, progress) = try keys.halfOfACall()
    let step = try #require(progress.running)
    keys.press(screen)
    keys.model.working = "Asking the SDK…"
    keys.take(.callRuns(intent, progress))
    let frame = FrameSample("", keys.model).frame(size)
    #expect(frame.text().contains(" step \(progress.steps.count)"))
    #expect(frame.text().contains("Asking the SDK… MSAL -> \(step.to.label): \(step.action)"))
    let rows = frame.text().split(separator: "\n", omittingEmptySubsequences: false)
    let styles = frame.styleText().split(separator: "\n", omittingEmptySubsequences: false)
    let lit = rows.indices.filter {
      $0 < size.height - 3 && styles[$0].contains("A") && rows[$0].contains("│")
    }
    #expect(lit.count == 1, "one step is lit: \(lit)")
    // The result ends the call, and late progress is not shown.
    keys.take(.performed(intent, answers: [], try keys.lab.perform(intent.value)))
    #expect(keys.model.running == nil)
    keys.take(.callRuns(intent, progress))
    #expect(keys.model.running == nil)
  }

  /// The flow is repeated with each answer, and lags behind the prompt's contents until it has reached the prompt
  /// again.
  @Test func aPromptsStepsGrowWhileItsAnswerIsUnderWay() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press("i")
    let open = try #require(keys.model.topDialog(PromptDialog.self))
    let intent = try #require(open.intent)
    keys.model.working = "Continuing…"
    keys.take(.callRuns(intent, CallProgress(hops: Array(open.hops.prefix(1)))))
    #expect(keys.model.topDialog(PromptDialog.self)?.hops == open.hops)
    let next = Hop(from: .sdk, to: .provider, action: "GET /common/oauth2/v2.0/authorize")
    keys.take(.callRuns(intent, CallProgress(hops: open.hops, running: next)))
    #expect(keys.model.topDialog(PromptDialog.self)?.hops == open.hops + [next])
    let text = FrameSample("", keys.model).frame(Size(width: 120, height: 40)).text()
    #expect(text.contains("GET /common/oauth2/v2.0/authorize") && text.contains("▶ Continuing…"))
  }
}
