import SSOCore
import Testing

@testable import SSOTerm

/// The values in an SDK's sentence that need no mask.
struct OrdinaryValueTests {
  private func failure(_ check: Check, _ summary: String) -> String {
    let json = Outcome(.failed, summary, failedCheck: check).failure(next: "ssoterm status").json
    return (json["what"]?.string ?? "") + " " + (json["why"]?.string ?? "")
  }

  @Test func theRedirectURIsOfAnAppAreShown() {
    let wanted = "msauth://com.contoso.mytestapp2/ga0RGNYHvNM5d0SLGQfpQWAPGJ8%3D"
    let found = "msauth://com.contoso.mytestapp2/ga0RGNYHvNM5d0SLGQfpQWAPGJ8="
    let check = Check(
      "redirect URI is package name and signature hash", expected: wanted, found: found, false,
      source: "real-apps.md §2")
    let text = failure(check, "We expected '\(wanted)' and we received '\(found)'.")
    #expect(text.contains("'\(wanted)'") && text.contains("'\(found)'"), "\(text)")
    #expect(!text.contains("<hash"), "\(text)")
  }

  @Test func aFaultOfTheLabIsShown() {
    let check = Check(
      "no fault is set", expected: "none", found: "token: 429:30", false, source: "the lab's faults")
    #expect(failure(check, "The call fails.").contains("token: 429:30"))
  }

  @Test func aMessageWithLinesIsOneLine() {
    let check = Check("a filter", expected: "one", found: "none", false, source: "android.md §1")
    #expect(failure(check, "Add \n<activity>\n\t<intent-filter>").contains("Add  <activity> <intent-filter>"))
  }
}
