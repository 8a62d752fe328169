import Testing

@testable import SSOLab
@testable import SSOTermApp

/// The results of a user's keys on every screen and dialog, on real labs: the place, the status line, and the intents.
struct KeyJourneyTableTests {
  struct Journey: Sendable, CustomTestStringConvertible {
    var scenario = "contoso-suite"
    /// Whether Ada signs in to the first app first.
    var isSignedIn = true
    /// The keys: a carriage return is Enter, `⎋` is Esc, and `⇥` is Tab.
    var keys: String
    var place: Place = .apps
    /// The dialog that has the keyboard focus at the end, or `nil` for the screen.
    var dialog: KeyContext?
    /// The start of the status line.
    var says: String?
    /// The descriptions of the intents that the keys performed, in order.
    var performed: [String] = []

    var testDescription: String { "\(scenario) \(isSignedIn ? "signed in " : "")\(keys.debugDescription)" }
  }

  private static let app = "com.contoso.mytestapp"

  @Test(arguments: [
    // Apps.
    Journey(
      isSignedIn: false, keys: "s", says: "✗ No account is signed in.", performed: ["silent 1"]),
    Journey(isSignedIn: false, keys: "i⎋", dialog: nil, says: "· ", performed: ["sign in 1"]),
    Journey(keys: "js", says: "✓ Token for ada@contoso.com from the cache", performed: ["silent 2"]),
    Journey(keys: "jsj", performed: ["silent 2"]),
    Journey(keys: "es", says: "✓ Token for ada@contoso.com", performed: ["expire", "silent 1"]),
    Journey(keys: "Ies", says: "✗", performed: ["invalidate", "expire", "silent 1"]),
    Journey(keys: "o", dialog: .confirm), Journey(keys: "o\r", says: "Nothing was removed."),
    Journey(keys: "o⇥\r", says: "✓", performed: ["sign out of 1 as ada@contoso.com"]),
    Journey(isSignedIn: false, keys: "o", says: "o: no account is signed in."),
    Journey(keys: "ez", says: "Undone: expire", performed: ["expire"]),
    Journey(keys: "ezZ", says: "Redone: expire", performed: ["expire"]),
    Journey(isSignedIn: false, keys: "z", says: "z: nothing to undo."),
    Journey(keys: "t", says: "✓ The lab's clock is moved 1h forward.", performed: ["clock +1h"]),
    Journey(
      keys: "tT", says: "✓ The lab's clock is no longer moved.", performed: ["clock +1h", "reset the clock"]),
    Journey(keys: "s.", says: "✓ Token for", performed: ["silent 1", "silent 1"]),
    Journey(isSignedIn: false, keys: ".", says: ".: "),
    Journey(keys: "w", dialog: .why), Journey(keys: "w⎋"), Journey(keys: "wa", dialog: .why),
    Journey(keys: "m", dialog: .visibility), Journey(keys: "m\r", dialog: .why), Journey(keys: "m⎋"),
    Journey(
      isSignedIn: false, keys: "sW", dialog: .explained, says: "✗ No account is signed in.",
      performed: ["silent 1"]),
    Journey(keys: "y", dialog: .copyMenu), Journey(keys: "O", dialog: .sortMenu),
    Journey(keys: ",", dialog: .columnMenu),
    Journey(keys: "/zzz\r", says: nil), Journey(keys: "d", says: "d does nothing here: it is “delete” on "),
    Journey(keys: "⎋", says: "Esc: no previous screen."),
    // The message disappears with the next key.
    Journey(keys: "⎋j"), Journey(keys: "⎋/", dialog: .filter), Journey(keys: "⎋:⎋"), Journey(keys: "⎋?⎋"),
    // The other screens, there and back.
    Journey(keys: "2", place: .accounts), Journey(keys: "2\r", place: .tokens),
    Journey(keys: "2f", place: .accounts, dialog: .confirm),
    Journey(keys: "2f⇥\r", place: .accounts, says: "✓", performed: ["forget"]),
    Journey(keys: "2E", place: .accounts, says: "✓", performed: ["expire"]),
    Journey(keys: "3", place: .tokens), Journey(keys: "3-"), Journey(keys: "33", place: .tokens),
    Journey(keys: "3jjd", place: .tokens, dialog: .confirm), Journey(keys: "3jjv", place: .tokens),
    Journey(keys: "4", place: .traces), Journey(keys: "4\r]]", place: Place(.trace)),
    Journey(keys: "4\r;x\r", place: Place(.trace), says: "The note on step 1 is kept."),
    Journey(keys: "4\rw", place: Place(.trace), dialog: .why),
    Journey(keys: "4x", place: .traces, dialog: .exportMenu),
    Journey(keys: "4\r⎋", place: .traces), Journey(keys: "4\rm'", place: Place(.trace)),
    Journey(keys: "5", place: .keychain), Journey(keys: "5l", place: .keychain),
    Journey(keys: "6", place: .records), Journey(keys: "6\r", place: Place(.records)),
    Journey(keys: "7", place: .provider), Journey(keys: "7a", place: .provider, dialog: .faultForm),
    Journey(keys: "!", place: .provider),
    Journey(keys: "7D", place: .provider, says: "D: "), Journey(keys: "9", place: .scenarios),
    Journey(keys: "8", says: "8: "),
    Journey(keys: "C", place: Place(.records)), Journey(keys: "C⎋", place: Place(.records)),
    // Commands by name, and the layers over the screen.
    Journey(keys: "?", dialog: .help), Journey(keys: ":", dialog: .palette),
    Journey(keys: ":tokens\r", place: .tokens),
    Journey(keys: ":expire t99\r", says: "There is no credential t99."),
    Journey(keys: ":silent mytestapp3\r", says: "✓ Token for", performed: ["silent 3"]),
    Journey(keys: ":why mytestapp2\r", dialog: .why),
    Journey(keys: "+"), Journey(keys: "+_"), Journey(keys: "P"), Journey(keys: "u", says: "Showing "),
    // The broker's picker, and the pages after it.
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i", dialog: .picker),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i?", dialog: .picker),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i?⎋", dialog: .picker),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i/grace\r⎋", dialog: .picker),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i-", dialog: .signOutOne),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i\r", dialog: .consent),
    Journey(
      scenario: "two-vendors", isSignedIn: false, keys: "i\r\r", says: "✓ Token for ada@contoso.com",
      performed: ["sign in com.fabrikam.notes"]),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i2\r", dialog: .signIn),
    Journey(
      scenario: "two-vendors", isSignedIn: false, keys: "i⎋", says: "· ",
      performed: ["sign in com.fabrikam.notes"]),
    Journey(
      scenario: "two-vendors", isSignedIn: false, keys: "i\r⇥\r", says: "· ",
      performed: ["sign in com.fabrikam.notes"]),
    Journey(isSignedIn: false, keys: "i", dialog: .systemAlert),
    Journey(isSignedIn: false, keys: "i\r", dialog: .signIn),
  ])
  func keysLead(_ journey: Journey) throws {
    var keys = try LabByKeys(journey.scenario)
    if journey.isSignedIn { keys.signIn() }
    keys.model.notice = nil
    let before = keys.performed.count
    for key in journey.keys {
      switch key {
      case "⎋": keys.press(.escape)
      case "⇥": keys.press(.tab)
      default: keys.press(String(key))
      }
    }
    #expect(keys.model.place.screen == journey.place.screen)
    let context = keys.model.context
    #expect((context == keys.model.place.screen ? nil : context) == journey.dialog)
    let said = keys.model.notice?.text
    if let says = journey.says {
      #expect(said?.hasPrefix(says) == true, "\(said ?? "nothing")")
    } else {
      #expect(said == nil)
    }
    let done = keys.performed.dropFirst(before).map { $0.intent.value.words.replacing(Self.app, with: "") }
    #expect(done.count == journey.performed.count, "\(done)")
    for (words, expected) in zip(done, journey.performed) { #expect(words.hasPrefix(expected)) }
    // Every step of the journey can be drawn.
    for size in FrameSample.sizes { _ = FrameSample("", keys.model).frame(size) }
  }
}
