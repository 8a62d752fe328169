import Testing

@testable import SSOLab
@testable import SSOTermApp

/// The steps of a call without a prompt, drawn below the apps.
struct CallPictureTests {
  private func suite(mayMove: Bool = true) throws -> LabByKeys {
    var keys = try LabByKeys("contoso-suite")
    keys.model.mayMove = mayMove
    return keys
  }

  @Test(arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40)])
  func eachStepIsLitInItsTurnAndThenTheOutcomeStands(_ size: Size) throws {
    var keys = try suite()
    keys.signIn()
    #expect(keys.model.screens.apps.picture == nil, "a person was asked")
    keys.press("js")
    var pictures = 0
    var last = ""
    while let picture = keys.model.screens.apps.picture {
      #expect(keys.model.alarms[.callPicture] == picture.wait)
      last = FrameSample("", keys.model).frame(size).text()
      if !picture.isWhole {
        #expect(last.contains("step \(picture.flow.rows[picture.shown - 1].first + 1) of "))
      }
      keys.take(.alarm(.callPicture))
      pictures += 1
    }
    let rows = pictures - 1
    #expect(rows > 3 && last.contains("any key ends it") && last.contains("silent"))
    #expect(last.contains("Keychain") && last.contains("✓ Token for ada@contoso.com from the cache"))
    #expect(keys.model.alarms[.callPicture] == nil)
    #expect(FrameSample("", keys.model).frame(size).text().contains("next silent call"))
  }

  @Test func aCallThatFailsIsDrawnToo() throws {
    var keys = try suite()
    keys.press("s")
    let picture = try #require(keys.model.screens.apps.picture)
    #expect(picture.outcome.style == .bad && picture.outcome.text.hasPrefix("✗"))
  }

  @Test func anyKeyEndsItAndItDoesNotComeBackByItself() throws {
    var keys = try suite()
    keys.press("s")
    #expect(keys.model.screens.apps.picture != nil)
    keys.press("j")
    #expect(keys.model.screens.apps.picture == nil)
    // The trace arrives after the key press that ended it.
    let trace = try #require(try keys.lab.read { try $0.traces.rows(limit: 1) }.first)
    let outcome = try #require(keys.performed.last?.outcome)
    let read = try keys.lab.read { try $0.traces.trace(trace.id) }
    keys.take(.loaded(.callPicture(read, outcome)))
    #expect(keys.model.screens.apps.picture == nil)
  }

  @Test func withoutMotionAndOnOtherScreensThereIsNone() throws {
    var keys = try suite(mayMove: false)
    keys.press("s")
    #expect(keys.model.screens.apps.picture == nil && keys.performed.count == 1)
    keys = try suite()
    keys.press("s3.")
    #expect(keys.performed.count == 2 && keys.model.screens.apps.picture == nil)
  }
}
