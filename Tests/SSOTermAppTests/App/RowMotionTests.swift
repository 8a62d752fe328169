import Testing

@testable import SSOTermApp

/// The small animation after single sign-on.
struct RowMotionTests {
  private func suite(mayMove: Bool = true) throws -> LabByKeys {
    var keys = try LabByKeys("contoso-suite")
    keys.model.mayMove = mayMove
    return keys
  }

  @Test func theRowOfTheAppThatNeededNobodyLightsUpOnceAndThenSleeps() throws {
    var keys = try suite()
    keys.signIn()
    #expect(keys.model.motion == nil, "a person signed in")
    keys.press("j")
    let quiet = FrameSample("", keys.model).frame(Size(width: 80, height: 24))
    keys.press("s")
    #expect(keys.model.motion?.bundleID == "com.contoso.mytestapp2")
    var lit: [Int] = []
    while let motion = keys.model.motion {
      #expect(keys.model.alarms[.motion] == Alarm.Wait(occasion: motion.frame, milliseconds: 60))
      let styles = FrameSample("", keys.model).frame(Size(width: 80, height: 24)).styleText()
      // Count the cells with the reversed ink for good.
      lit.append(
        styles.split(separator: "\n", omittingEmptySubsequences: false)[5].filter { $0 == "3" }.count)
      keys.take(.alarm(.motion))
    }
    #expect(lit.count == RowMotion.frames && lit == lit.sorted() && lit.last == 78)
    #expect(keys.model.alarms[.motion] == nil)
    let rows = FrameSample("", keys.model).frame(Size(width: 80, height: 24)).text().split(separator: "\n")
    #expect(rows.contains { $0.contains("Token for ada@contoso.com from the cache") })
    #expect(quiet.text().split(separator: "\n")[5] == rows[5], "it changes no text")
  }

  @Test func aKeyEndsItAtOnceAndAFailureStartsNone() throws {
    var keys = try suite()
    keys.press("s")
    #expect(keys.performed.last?.outcome.verdict == .failed && keys.model.motion == nil)
    keys.signIn()
    keys.press("js")
    #expect(keys.model.motion != nil)
    keys.press("k")
    #expect(keys.model.motion == nil)
  }

  @Test func withoutMotionNothingMoves() throws {
    var keys = try suite(mayMove: false)
    keys.signIn()
    keys.press("js")
    #expect(keys.performed.last?.outcome.verdict == .succeeded)
    #expect(keys.model.motion == nil && keys.model.alarms[.motion] == nil)
  }
}
