import SSODevice
import SSOLab
import SSOReference

/// A word by which a text shows the software, the kind of program, or the grant.
struct CallerSign {
  var words: [String]
  var software: String?
  var kind: Program.Kind?
  var grant: CallProgram.Grant?
  /// The platform of the app that the text shows in place of a program.
  var platform: Platform?
  /// The software that another word may show although it is this one, because both have the same classes.
  var replaced: String?

  /// Creates a sign from its row: software, kind, grant, platform, the replaced software, and the words.
  private init(_ row: [String]) {
    words = ReferenceTable.words(row[5])
    software = row[0].isEmpty ? nil : row[0]
    kind = Program.Kind(rawValue: row[1])
    grant = CallProgram.Grant(rawValue: row[2])
    platform = Platform(rawValue: row[3])
    replaced = row[4].isEmpty ? nil : row[4]
  }
}

extension CallerSign {
  /// Returns whether a line, in lowercase, has one of the words, or begins with a word that is marked by `^`, such as a
  /// command after the shell's prompt.
  func isShown(in text: String, _ start: Substring) -> Bool {
    words.contains { $0.hasPrefix("^") ? start.hasPrefix($0.dropFirst()) : text.contains($0) }
  }

  /// Returns a line, in lowercase, without the shell's prompt: `PS C:\lamp> `, `ada@bulb:~$ `, `# `.
  static func withoutPrompt(_ text: String) -> Substring {
    let plain = text.drop { " \t`*>$#%".contains($0) }
    let head = plain.prefix(60)
    let mark = ["> ", "$ ", "# ", "% "].lazy.compactMap { head.firstRange(of: $0) }.first
    guard let mark, !head[..<mark.lowerBound].contains(" ") || head.hasPrefix("ps ") else { return plain }
    return plain[mark.upperBound...]
  }

  /// The signs in lowercase; of two in one text, the first counts.
  static let all = ReferenceTable("callers.tsv").records.map { CallerSign($0) }

  /// The forms in which the runtime of a language prints an error, which no app for a phone has, in lowercase.
  private static let languages: [(words: [String], name: String)] = [
    // ADAL's library for Python has the sentence, and programs other than Azure CLI use it (`OAuth2Client`).
    (
      [
        "traceback (most recent call last)", "site-packages/", "oauthlib.",
        "get token request returned http error",
      ],
      "a program in Python"
    ),
    (["at java.base/", "com.microsoft.sqlserver.jdbc"], "a program in Java"),
    // The sentences of Go's libraries, which servers and commands have (Azure/go-autorest, `autorest/adal/token.go`;
    // golang.org/x/oauth2, `RetrieveError.Error`).
    (
      [
        "adal: refresh request failed", "azure.bearerauthorizer", "/go/src/", "/go/pkg/mod/", "goroutine 1 [",
        "oauth2: cannot fetch token", "oauth2: \"", "oauth2: \\\"",
      ],
      "a program in Go"
    ),
    (["node:internal/", "processticksandrejections"], "a program in Node.js"),
    (
      [
        "system.runtime.compilerservices.", "system.runtime.exceptionservices.", "-dotnet-", "-dotnetcore-",
        ".net framework",
      ],
      "a program in .NET"
    ),
  ]

  /// Returns the language of the program whose error a line shows, or `nil` if it shows none.
  static func language(_ text: String) -> String? {
    languages.first { $0.words.contains(where: text.contains) }?.name
  }

  /// Returns a line, in lowercase, without the words of Entra's sentences about an API or an app that would be signs of a
  /// daemon: AADSTS500014, AADSTS7000229.
  static func withoutProviderWords(_ text: String) -> String {
    text.contains("service principal")
      ? text.replacing("service principal for resource", with: "")
        .replacing("missing service principal", with: "") : text
  }

  /// The plugins with which apps in other languages call MSAL for Apple's systems or for Android, in lowercase.
  static let plugins = [
    "cordova-plugin-ms", "cordova.plugins.msal", "react-native-msal", "capacitor-plugin-msal", "msal_flutter",
    "msal_auth", "msal_mobile", "platformexception(",
  ]

  /// Returns whether a line, in lowercase, says that a credential in a chain was not tried.
  ///
  /// An identity that the machine does not have is reported in the same way (Azure.Identity,
  /// `ImdsManagedIdentityProbeSource`).
  static func isUntried(_ text: String) -> Bool {
    text.contains("authentication unavailable") && !text.contains("not been assigned")
  }

  /// Returns a line, in lowercase, without the clauses that say what its writer tried beside the call, what differs from it,
  /// or where the same works: `In the lamp's own page it works, but here…`.
  ///
  /// A clause with an error is about the call, unless it only compares.
  static func withoutMentions(_ text: String) -> String {
    guard (mentions + comparisons).contains(where: text.contains) else { return text }
    let clauses = clauseEnds.reduce([text[...]]) { parts, end in parts.flatMap { $0.split(separator: end) } }
    return clauses.filter { clause in
      if comparisons.contains(where: clause.contains) { return false }
      let hasError = clause.contains("aadsts") || clause.contains("error")
      return hasError || !mentions.contains(where: clause.contains)
    }.joined(separator: "\n")
  }

  /// Returns a line, in lowercase, up to a program's advice to sign in in another way, such as Azure CLI's about device codes.
  static func withoutAdvice(_ text: String) -> String {
    guard let start = advice.lazy.compactMap({ text.firstRange(of: $0)?.lowerBound }).min() else {
      return text
    }
    return String(text[..<start])
  }

  private static let advice = WordList.named("CallerSign.advice")
  private static let clauseEnds = [". ", ", ", "; ", " but ", " while ", " whereas "]
  private static let comparisons = WordList.named("CallerSign.comparisons")
  private static let mentions = WordList.named("CallerSign.mentions")

  /// Returns whether a line has the form in which Android's logcat or Android Studio prints one.
  static func isLogcat(_ line: Substring) -> Bool {
    let levels = "VDIWEF"
    func isDigits(_ text: Substring?) -> Bool {
      text.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } ?? false
    }
    func isTime(_ text: Substring) -> Bool {
      text.count == 12 && text.dropFirst(8).first == "." && text.count(where: { $0 == ":" }) == 2
    }
    // E/AuthActivity( 1234): …
    if let first = line.first, levels.contains(first), line.dropFirst().first == "/" {
      let tag = line.dropFirst(2).prefix { $0.isLetter || $0.isNumber || "._-$".contains($0) }
      let rest = line.dropFirst(2 + tag.count).drop { $0 == " " }
      return !tag.isEmpty && (rest.first == ":" || rest.first == "(" && rest.contains("):"))
    }
    let words = line.prefix(120).split(separator: " ", maxSplits: 6)
    guard words.count > 4, words[0].contains("-"), words[0].allSatisfy({ $0.isNumber || $0 == "-" }),
      isTime(words[1])
    else { return false }
    // 06-12 17:56:16.123  1234  5678 E Tag: …
    if words[0].count == 5, isDigits(words[2]), isDigits(words[3]) {
      return words[4].count == 1 && levels.contains(words[4])
    }
    // 2026-06-12 17:56:16.123  1234-5678  Tag  com.example.app  E  …
    let ids = words[2].split(separator: "-", omittingEmptySubsequences: false)
    return words[0].count == 10 && ids.count == 2 && ids.allSatisfy { isDigits($0.prefix { $0 != "/" }) }
  }
}
