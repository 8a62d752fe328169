import SSOCore
import SSOReference

extension FailureLine {
  /// Returns whether a text is about a sign-in or about a service that users sign in to with Microsoft.
  static func isOfSignIn(_ text: String) -> Bool {
    if PrintedError.mentionsIdentity(text) { return true }
    let lower = text.lowercased()
    return services.contains { lower.contains($0) } || hasRefusal(lower)
      || lower.split { !$0.isLetter }.contains { word in
        // `adb devices` prints `unauthorized` beside a phone.
        words.contains(word) && !(word == "unauthorized" && lower.contains("device"))
      }
  }

  /// Returns whether a text, in lowercase, has the status with which a server does not accept who asks, or does not allow it
  /// (RFC 9110 §15.5.2, §15.5.4).
  static func hasRefusal(_ lower: String) -> Bool {
    let words = lower.split { !($0.isLetter || $0.isNumber) }
    return zip(words, words.dropFirst()).contains { one, other in
      ["401", "403"].contains(other) && ["status", "code", "http", "statuscode"].contains(one)
        || one == "401" && other == "unauthorized" || one == "403" && other == "forbidden"
    }
  }

  /// Returns whether a text names a sign-in or what it needs, and not only a product.
  static func namesSignIn(_ text: String) -> Bool {
    let lower = text.lowercased()
    return ["token", "sign", "auth", "login", "logon", "credential", "consent", "aadsts"].contains {
      lower.contains($0)
    }
  }

  private static let services = WordList.named("FailureLine.services")

  private static let words: Set<Substring> = [
    "auth", "authorize", "authorization", "unauthorized", "sso", "adfs", "webauth", "xoauth", "authenticate",
    "authenticator", "authentication",
  ]

  /// Returns whether a line is a warning, or one of Apple's unified log, that another part of a program or another program
  /// writes beside the lines about a sign-in.
  static func isOfAnotherPart(_ text: String, _ sentence: String) -> Bool {
    let words = text.prefix(80).split(maxSplits: 6, whereSeparator: { " \t[]".contains($0) })
    // `W/Lamp(12345): …`, `2026-11-20 09:41:07 WARN [lamp] …`
    let isWarning =
      text.hasPrefix("W/") || words.prefix(5).contains { ["WARN", "WARNING", "warn:"].contains(String($0)) }
    // `error  10:01:12.024737 +0100  lampd  …`
    let isUnified =
      words.count > 3
      && ["error", "errore", "fault", "default", "info", "fehler", "erreur"].contains(words[0].lowercased())
      && words[1].count(where: { $0 == ":" }) == 2 && words[2].first.map { "+-".contains($0) } == true
    return (isWarning || isUnified) && !isOfSignIn(sentence)
  }

  /// Returns whether the writer of a line, given in lowercase, refers to themselves.
  static func isOfPerson(_ lower: String) -> Bool {
    lower.split(whereSeparator: { " ,;:()?!\"".contains($0) }).contains(where: persons.contains)
  }

  /// Words with which people, but not programs, refer to themselves.
  private static let persons: Set<Substring> = [
    "i", "i'm", "i’m", "i've", "i’ve", "i'd", "i’d", "my", "mine", "myself",
  ]

  /// Returns whether a tool has replaced a sentence: `<REDACTED: secret>`, `***`.
  static func isRedacted(_ sentence: String) -> Bool {
    sentence.trimming { "<[".unicodeScalars.contains($0) }.uppercased().hasPrefix("REDACTED")
      || sentence.allSatisfy { "* ".contains($0) } || sentence.lowercased().hasPrefix("message not shown")
  }
}
