import SSOCore
import SSOReference

/// A finder of errors that an app, a tool, or a page prints outside its SDK's log: exceptions, results, console lines,
/// event logs (docs/behaviour/real-logs.md §1).
///
/// No kind has a parser: `read` finds what `explain` knows, by code or by sentence.
enum PrintedError {
  /// Returns whether a line may report a failure, or have a code of the tables.
  static func isPossible(in line: LineBytes) -> Bool {
    Explanation.mayOccur(in: line.bytes) || isOfFailure(line)
  }

  /// Returns whether a line has a word with which ``isUnknownFailure(_:isBesideLibrary:)`` begins, or one about signing in.
  private static func isOfFailure(_ line: LineBytes) -> Bool { line.count >= 8 && marks.occur(in: line) }

  /// Parts of the words of failures.
  private static let marks = LetterMarks(
    "rror xcep fail fata unab cann an't coul refe auth toke cred msal adal zure oidc saml")

  /// The lines beside a line that is searched for an error.
  enum Surroundings {
    /// Any lines: only the codes that nothing but an identity SDK or the provider prints count.
    case any
    /// Lines without a known failure, which do not mention a sign-in.
    case onlyThese
    /// Lines without a known failure, which mention a sign-in: codes that other programs print too count.
    case identity
    /// Such lines of an add-in of Office, so that its numbers count, too.
    case office

    /// Whether the lines mention a sign-in.
    var isOfIdentity: Bool { self == .identity || self == .office }
  }

  /// Returns whether a line from an unknown log contains an error of an identity SDK or of the provider.
  static func isError(_ text: String, among surroundings: Surroundings) -> Bool {
    // Most lines do not contain a code, and the forms of an ordinary line are many.
    hasCode(text, among: surroundings) && !isWish(text) && !isGuess(text) && !OrdinaryLine.matches(text)
  }

  /// Returns whether a line asks somebody else whether they got an error.
  ///
  /// `Do you perhaps see that the lamp is out?`
  static func isGuess(_ text: String) -> Bool {
    let text = text.trimming { " \t*_`>".unicodeScalars.contains($0) }
    guard text.hasSuffix("?") else { return false }
    let lower = text.lowercased()
    if guesses.contains(where: lower.hasPrefix) { return !FailureLine.isOfPerson(lower) }
    // A question that is only the error: `the lamp is out?`
    let words = lower.split { !($0.isLetter || $0 == "'" || $0 == "’") }.map(String.init)
    return (2...8).contains(words.count) && !words.contains(where: askers.contains)
  }

  private static let guesses = WordList.named("PrintedError.guesses")
  /// The words with which people ask about what happened to them.
  private static let askers = Set(WordList.named("PrintedError.askers"))

  private static func hasCode(_ text: String, among surroundings: Surroundings) -> Bool {
    Explanation.matches(in: text).contains { match in
      // ADAL for iOS prints the name of an error, and no other name is in capitals.
      guard !match.isName || match.quotation.hasPrefix("AD_ERROR_"), isTied(match, text),
        match.quotation.contains(" ") || !OrdinaryLine.isValueOrKey(text, match.place),
        !isExpected(match, text)
      else { return false }
      let code = match.explanation.code
      return switch match.explanation.family {
      case .aadsts, .b2c, .msal, .msalInternal, .identityCore: true
      case .keychain: code == KeychainError.missingEntitlement.text || surroundings.isOfIdentity
      case .library:
        code.first?.isNumber == true
          // Three digits are Intune's, and ten are Xbox Live's.
          ? [3, 10].contains(code.utf8.count) || surroundings == .office || mentionsOffice(text)
          : !match.explanation.isOfAnySoftware || surroundings.isOfIdentity
      // Some numbers of Microsoft.IdentityModel do not report an error.
      case .message where match.isOfFamily && code.hasPrefix("IDX"): libraryCode(in: text) != nil
      // The header of any page may be too large; a sign-in's is by its cookies.
      case .message where match.explanation.domain == "nginx" && text.contains("upstream"):
        surroundings.isOfIdentity || isOfSignInPath(text)
      case .message:
        match.explanation.isOfIdentity || surroundings.isOfIdentity && !namesOtherServer(text)
      case .windows:
        identityResults.contains { code.hasPrefix($0) }
          || surroundings.isOfIdentity && !code.hasPrefix("0x4AA")
      case .linuxBroker: code != LinuxBrokerStatus.unexpected.text || surroundings != .any
      case .oauth: surroundings != .any && !isPossibility(text, match.place)
      case .adal: match.isName || surroundings.isOfIdentity
      case .network: surroundings.isOfIdentity
      // A number of these is found only beside its domain, which is about nothing else.
      case .webSession: true
      case .state, .term: false
      }
    }
  }

  /// Returns whether a code did not occur: `It throws LampError instead of DeskError`.
  fileprivate static func isExpected(_ match: Explanation.Match, _ text: String) -> Bool {
    match.wordBefore == "of"
      && String(decoding: text.utf8.prefix(match.place.lowerBound), as: UTF8.self).lowercased()
        .trimming { " `'\"".unicodeScalars.contains($0) }.hasSuffix("instead of")
  }

  /// Returns whether a sentence says that a server can return a code, and not that it did: `Servers may signal this with bad_lamp`.
  private static func isPossibility(_ text: String, _ place: Range<Int>) -> Bool {
    let before = String(decoding: text.utf8.prefix(place.lowerBound), as: UTF8.self).lowercased()
    let words = before.split { !($0.isLetter || $0 == "'" || $0 == "’") }.suffix(30)
    guard words.count > 4, !FailureLine.isOfPerson(before), before.last == " " else { return false }
    return zip(words, words.dropFirst()).contains { possibilities.contains($0) && $1 != "not" }
  }

  private static let possibilities: Set<Substring> = ["can", "may", "might", "must", "should"]

  /// Returns whether a line ties a code to a sign-in or to the syntax of errors, so that a number is not a score or the
  /// code of a coupon, and a word is not a count.
  private static func isTied(_ match: Explanation.Match, _ text: String) -> Bool {
    guard match.quotation.contains(where: \.isNumber), !match.quotation.contains(where: \.isLetter) else {
      return !OrdinaryLine.isCounted(text, at: match.place.upperBound)
    }
    let before = match.wordBefore
    switch match.explanation.family {
    case .aadsts, .b2c:
      return before.contains("error") || before == "resulttype" || before.contains("_")
        || mentionsIdentity(text) || ErrorLabel.ends(text.utf8.prefix(match.place.lowerBound))
    case .msal, .msalInternal, .identityCore:
      return isErrorBefore.contains { before.contains($0) } || verbsOfReports.contains(before)
        || Explanation.isOfMSAL(text) || before.isEmpty
    default: return true
    }
  }

  /// Parts of the words before a number that is an error's.
  private static let isErrorBefore = [
    "error", "code", "domain", "fail", "status", "return", "exception", "msal", "with",
  ]

  /// The words with which people introduce the number that they got.
  private static let verbsOfReports = Set(WordList.named("PrintedError.verbsOfReports"))

  /// Returns whether a web server's line is about a request of a sign-in.
  private static func isOfSignInPath(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["/oauth", "/login", "/signin", "/sign-in", "/callback", "/authorize", "/saml", "/oidc"].contains {
      text.contains($0)
    }
  }

  /// Returns whether a line says what a program should not do: `The SDK shouldn't remove a token upon invalid_grant`.
  static func isWish(_ text: String) -> Bool {
    ["shouldn't ", "shouldn’t ", " should throw ", " should raise "].contains(where: text.contains)
      || ["Don't delete ", "Don't remove ", "Don't throw ", "Don't fail ", "Don't retry ", "Don't swallow "]
        .contains(where: text.trimmed.hasPrefix)
  }

  /// Returns whether a text is about a sign-in with Entra ID or another provider.
  static func mentionsIdentity(_ text: String) -> Bool {
    let text = text.lowercased()
    return identities.contains { text.contains($0) } || libraries.contains { text.contains($0) }
      || OAuthRefusal.isAnswered(in: text)
  }

  /// Parts, in lowercase, of the names of providers, libraries, and what a sign-in returns.
  private static let identities = WordList.named("PrintedError.identities")

  /// Returns whether a text names the port of a server that has nothing to do with a sign-in: a database, a cache, or
  /// a queue.
  static func namesOtherServer(_ text: String) -> Bool {
    // PostgreSQL's sentence (`auth.c`).
    if text.contains("password authentication failed for user") { return true }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return zip(parts, parts.dropFirst()).contains { host, part in
      // `09:25` and `2026-11-20T09:25` are times.
      let name = host.reversed().prefix { !$0.isWhitespace }
      guard name.contains(where: { $0.isLetter || ".]/".contains($0) }), name.dropFirst(2).first != "T"
      else { return false }
      return otherPorts.contains(String(part.prefix { $0.isNumber }))
    }
  }

  /// PostgreSQL, MySQL, SQL Server, Redis, MongoDB, RabbitMQ, Kafka, Elasticsearch, and SMTP.
  private static let otherPorts: Set = [
    "5432", "3306", "1433", "6379", "27017", "5672", "9092", "9200", "25", "587",
  ]

  /// Returns whether a text is about an add-in of Office, whose codes are numbers that other programs print too.
  static func mentionsOffice(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["accesstoken", "authtoken", "auth token", "office", "add-in", "addin", "outlook"].contains {
      text.contains($0)
    }
  }

  /// The facilities of result codes that only the sign-in of Windows uses; `0x4AA` codes are notes.
  private static let identityResults = ["0xCAA", "0x801C", "0x8018", "0xC004"]

  /// Returns whether a text is one word that is a code or the name of one, as `explain` takes it.
  static func isLoneCode(_ text: String) -> Bool {
    !text.contains(" ") && !OrdinaryLine.matches(text)
      && Explanation.find(in: text).contains { $0.family != .state }
  }

  // MARK: - Errors that are not in a table

  /// Returns whether a line names a sign-in library, so that the failures around it are about a sign-in.
  static func namesLibrary(_ text: String) -> Bool {
    let text = text.lowercased()
    return libraries.contains { text.contains($0) }
  }

  /// The names of libraries, and of the commands of PowerShell that sign in.
  private static let libraries = WordList.named("PrintedError.libraries")

  /// Returns whether a line from an unknown log reports a failed sign-in without a known code: an exception, or, beside
  /// a line that names a sign-in library, a sentence.
  static func isUnknownFailure(_ text: String, isBesideLibrary: Bool) -> Bool {
    let lower = text.lowercased().trimmed
    func has(_ words: [String]) -> Bool { words.contains { lower.contains($0) } }
    let isOfSignIn = has(["credential", "access token", "accesstoken", "access_token", "authtoken", "oauth"])
    if OrdinaryLine.matches(text) || FailureLine.isOfBuild(text) || lower.hasPrefix("at ") { return false }
    if has(["msalerrordomain", "msiderrordomain", "adauthenticationerrordomain"]) { return true }
    if oauthError(in: text) != nil || libraryCode(in: text) != nil { return true }
    if exceptionName(in: text) != nil { return isBesideLibrary || isOfSignIn }
    if tokenFailure(in: text) != nil { return true }
    if isBesideLibrary, nullReference(in: text) != nil { return true }
    guard isBesideLibrary else { return false }
    return ["error: ", "fatal: "].contains { lower.hasPrefix($0) }
      || (isOfSignIn || has(["authenticat", "sign-in", "sign in", "login", "log in"]))
        && has(["failed", "error:", "fatal:"])
  }

  /// Returns the name that a line has for its error: the error of an OAuth response, or the innermost exception.
  ///
  /// The name of an exception that is not in a table says less than its sentence.
  static func errorName(in text: String) -> String? {
    if let code = oauthError(in: text) ?? libraryCode(in: text) ?? FailureLine.flutterError(in: text) {
      return code
    }
    let text = FailureLine.withoutResult(text)
    guard let name = exceptionName(in: text) else { return tokenFailure(in: text) ?? nullReference(in: text) }
    if let rest = text.ranges(of: name + ": ").last.map({ text[$0.upperBound...] }) {
      if let number = number(at: rest) { return name + ": " + number }
      if rest.first == "{" { return name }
    }
    return sentence(in: text, after: [name + ": "]) ?? name
  }

  /// Returns the number that alone follows the name of an exception, as in `LampException: 10`, or `nil` if a sentence
  /// follows.
  static func number(at text: Substring) -> String? {
    let number = text.prefix { $0.isNumber || $0 == "-" }
    let rest = text[number.endIndex...]
    return number.contains(where: \.isNumber)
      && (rest.trimmed.isEmpty || ":,)\"'".contains(rest.first ?? " "))
      ? String(number) : nil
  }

  /// Returns .NET's sentence for a null reference, which is often printed without its exception, or `nil` if the line
  /// does not have it.
  private static func nullReference(in text: String) -> String? {
    let sentence = "Object reference not set to an instance of an object"
    return text.contains(sentence) ? sentence : nil
  }

  /// Returns the reason why a program did not get a token, as a line states it, or else that sentence, or `nil` if the
  /// line says nothing of the kind.
  static func tokenFailure(in text: String) -> String? {
    let lower = text.lowercased()
    // Lowercase letters may have another length than the text's own.
    guard lower.utf8.count == text.utf8.count, !FailureLine.isOfPerson(lower) else { return nil }
    for failure in ["failed to ", "unable to ", "cannot ", "can't ", "could not ", "couldn't "] {
      guard let start = lower.firstRange(of: failure) else { continue }
      let rest = lower[start.upperBound...]
      let isGetting = ["get", "acquir", "obtain", "retriev", "fetch", "refresh", "renew"].contains(
        where: rest.hasPrefix)
      guard isGetting, rest.prefix(60).contains("token") else { continue }
      let sentence = String(
        decoding: text.utf8.dropFirst(lower.utf8.distance(from: lower.startIndex, to: start.lowerBound)),
        as: UTF8.self)
      if let colon = sentence.firstRange(of: ": "),
        let reason = Self.sentence(in: String(sentence[colon.lowerBound...]), after: [": "])
      {
        return reason
      }
      let part = FailureLine.lastPart(of: sentence)
      return sentence.contains(": ") && part.contains(" ") && part.count <= 160
        ? part : Self.sentence(in: "\u{1}" + sentence, after: ["\u{1}"])
    }
    return nil
  }

  /// Returns the sentence after the last of the given marks in an error's text, or `nil` if a sentence of a readable
  /// length does not follow.
  static func sentence(in text: String, after marks: [String], longest: Int = 160) -> String? {
    guard let start = marks.compactMap({ text.ranges(of: $0).last?.upperBound }).max() else { return nil }
    var words = afterGenericHalf(of: text[start...])
    // Azure's libraries put the response below a sentence that fits every failure.
    if words.hasPrefix("Service request failed") {
      if let content = words.firstRange(of: "Content:") {
        words = words[content.upperBound...].drop(while: \.isWhitespace).prefix { !$0.isNewline }
      } else if let status = words.firstRange(of: "Status: ") {
        let number = words[status.upperBound...].prefix(while: \.isNumber)
        if !number.isEmpty { return String(words[..<number.endIndex]) }
      }
    }
    // A stack, an exception inside, or a hint follows.
    for end in [
      " at ", " @ ", " (anonymous)", " ---> ", " Caused by: ", " Headers: ", " Traceback (most recent", ". ",
      " Stack trace:", ", called in ", " com.microsoft.",
      // The rest of a line in JSON.
      "\",\"", "\", \"", "\"}", "\\n\"",
    ] {
      if let found = words.ranges(of: end).first(where: { !FailureLine.isQuoted($0.lowerBound, in: words) }) {
        words = words[..<found.lowerBound]
      }
    }
    if let end = FailureLine.endOfField(in: words) { words = words[..<end] }
    // `[LampError: The lamp is out]`
    if words.hasSuffix("]"), !words.contains("[") { words.removeLast() }
    let sentence = words.trimmed.trimming { " :'\"".unicodeScalars.contains($0) }
    // `[WinError 87]` is all that Python prints if Windows does not have a text for the number.
    let isTelling = sentence.split(separator: " ").count > 2 || sentence.hasPrefix("[WinError ")
    return isTelling && sentence.count <= longest ? sentence : nil
  }

  /// Returns the part of an error that says why, without the first half, which fits every failure.
  ///
  /// `The lamp failed. CAUSE: It has no bulb.`
  static func afterGenericHalf(of text: Substring) -> Substring {
    let end = genericHalves.compactMap { text.ranges(of: $0).last?.upperBound }.max()
    return end.map { text[$0...] } ?? text
  }

  /// The marks that nextjs-auth0 (`CallbackHandlerError`) and Azure's services put between the two halves of an error.
  private static let genericHalves = [" CAUSE: ", " Challenge failed: "]

  /// Returns the key in quotes, which is all that Python prints of a `KeyError`, or `nil` if something else follows the
  /// mark.
  static func missingKey(in text: String, after mark: String) -> String? {
    guard let start = text.firstRange(of: mark + "'")?.upperBound,
      let end = text[start...].firstIndex(of: "'"), start != end,
      !text[start..<end].contains(" ")
    else { return nil }
    return "'" + text[start..<end] + "'"
  }

  /// Returns the number with which Microsoft.IdentityModel begins the message of an exception, such as `IDX21345`, or
  /// `nil` if the message does not begin with one.
  ///
  /// The same numbers begin lines of its log that do not report an error, so one in the middle of a line has to follow
  /// an exception's name.
  private static func libraryCode(in text: String) -> String? {
    guard let mark = text.firstRange(of: "IDX") else { return nil }
    let digits = text[mark.upperBound...].prefix { $0.isNumber }
    let before = text[..<mark.lowerBound]
    let isOfError = before.hasSuffix("Exception: ") || before.lowercased().hasSuffix("message: ")
    guard digits.count == 5, isOfError || before.allSatisfy(\.isWhitespace), !reports.contains(digits) else {
      return nil
    }
    return "IDX" + digits
  }

  /// The numbers with which Microsoft.IdentityModel reports its actions (`LogMessages.cs` of its packages).
  private static let reports = Set(WordList.named("PrintedError.reports").map { $0[...] })

  /// Returns the error of an OAuth response in a line, such as `bad_state` in `{"error": "bad_state",
  /// "error_description": …}`, or `nil` if the line does not contain one.
  private static func oauthError(in text: String) -> String? {
    guard text.contains("error_description") else { return nil }
    for mark in text.ranges(of: "error") {
      let rest = text[mark.upperBound...].drop { "\"'\\:= ".contains($0) }
      let word = rest.prefix { $0.isLetter || $0 == "_" }
      if word.contains("_"), !word.hasPrefix("_"), word != "error_description" { return String(word) }
    }
    return nil
  }

  /// Returns the name of the innermost exception in a line, such as `AdalException` in `… ---> AdalException: …`, or
  /// `nil` if the line does not contain one.
  static func exceptionName(in text: String) -> String? {
    // Most lines do not contain one, and a search for a byte is faster than for a name.
    guard text.utf8.contains(UInt8(ascii: ":")) || isBareName(text) || text.contains("Exception - ") else {
      return nil
    }
    // PowerShell puts a category, which may end like an exception's name, before the exception.
    let category = text.firstRange(of: "CategoryInfo").flatMap { mark in
      text[mark.upperBound...].firstRange(of: "], ")
    }
    let words = text[(category?.upperBound ?? text.startIndex)...].split {
      !($0.isLetter || $0.isNumber || $0 == "." || $0 == "_")
    }
    let names = words.compactMap { word in word.split(separator: ".").last }.filter { name in
      let isOne = ["Exception", "Error"].contains { name.hasSuffix($0) && name.count > $0.count }
      return isOne && name.first?.isUppercase == true && !wrappers.contains(String(name))
    }
    return names.last.map(String.init)
  }

  /// Returns the first word of a text that is the name of an exception of several words, or `nil` if it does not contain one:
  /// `light() throws LampIsOutException in the hall`.
  static func className(in text: String) -> String? {
    for word in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == ".") }) {
      guard let name = word.split(separator: ".").last.map(String.init) else { continue }
      let isOne = ["Exception", "Error"].contains { name.hasSuffix($0) && name.count > $0.count + 3 }
      if isOne, name.first?.isUppercase == true, !wrappers.contains(name) { return name }
    }
    return nil
  }

  /// Names that say only that another exception is the cause, or that a Windows error number follows.
  private static let wrappers: Set = ["AggregateException", "InnerException", "WinError"]

  /// Returns whether a line ends with the name of an exception and its namespace, as the first line of a stack does if
  /// the exception does not have a message.
  private static func isBareName(_ text: String) -> Bool {
    let trimmed = text.trimmed
    guard trimmed.hasSuffix("Exception") || trimmed.hasSuffix("Error") else { return false }
    return trimmed.split(separator: " ").last.map { $0.contains(".") } ?? false
  }
}

extension Explanation {
  /// Whether only identity SDKs print the message.
  ///
  /// The messages about networks and certificates are those of the languages and the system.
  fileprivate var isOfIdentity: Bool { !isOfAnySoftware && !Self.languages.contains(domain) }

  private static let languages: Set = [
    "Python", "Java", "Node", ".NET", "Android", "iOS", "azure-core for Java", "azure-core for .NET",
    "Windows", "Go",
    "browser",
    "Flask-AppBuilder", "Angular", "Flutter", "Capacitor", "JSON web tokens",
  ]
}

extension Explanation {
  /// Returns explanations of the codes in a printed error, beginning with the most informative.
  ///
  /// The error of a lower layer is closer to the cause. Names of exceptions and codes that stand for any failure come
  /// last.
  static func ofError(_ text: String) -> [Explanation] {
    let matches = Explanation.matches(in: text).filter { !PrintedError.isExpected($0, text) }
    // `MSALErrorDomain, -50000, where it was MSALErrorInteractionRequired`: the number was printed.
    let numbered = Set(matches.filter { !$0.isName && $0.explanation.isOfApple }.map(\.explanation.family))
    return matches.enumerated()
      .filter {
        $1.explanation.family != .state
          && !($1.isName && $1.explanation.isOfApple
            && (numbered.contains($1.explanation.family) || !isOfMSAL(text)))
          && !($1.explanation.isOfSeveralServers && !$1.explanation.isNamed(in: text))
      }
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element.explanation)
  }

  /// Returns whether a text names the server whose words these are, such as Google in a host or a class.
  private func isNamed(in text: String) -> Bool {
    text.lowercased().contains(domain.lowercased().split(separator: " ").first.map(String.init) ?? "")
  }

  /// Whether the code is a number of MSAL or ADAL for iOS and macOS, whose name other programs use too.
  private var isOfApple: Bool { [.msal, .msalInternal, .identityCore, .adal].contains(family) }

  /// Returns whether a text names MSAL, ADAL, or one of their classes.
  static func isOfMSAL(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["msal", "msid", "adal", "adauth", "ad_error"].contains { text.contains($0) }
  }

  /// The distance from the cause: of several codes in an error, the code with the smallest distance is the most
  /// informative.
  var distance: Int {
    if let general { return 100 + general }
    if Self.isWrapper(code) { return 1 }
    if isClassName { return 200 }
    // The sentence of a number says more than the number, which stands for several.
    if family == .message, code.hasPrefix("AADSTS") { return -1 }
    return Self.order.firstIndex { $0.contains(family) } ?? Self.order.count
  }

  /// Whether the code says only that something failed.
  var isGeneral: Bool {
    isClassName || general.map { $0 >= Self.firstWithoutCause } ?? false
  }

  /// Whether another code in the same text says more.
  var isOuter: Bool { isClassName || general != nil }

  /// The place among the codes beside which another code says more, or `nil` if this code is not one of them.
  private var general: Int? {
    // A credential of azure-identity quotes the error that it received.
    let wrapper = [Self.failedCredential, Self.unavailableCredential].first { code.hasSuffix($0) }
    return Self.general.firstIndex(of: wrapper ?? code) ?? (pointsBehind ? Self.general.count : nil)
  }

  /// Whether all advice on the code is to read what stands behind it, so that it only wraps the cause.
  private var pointsBehind: Bool {
    let advice = remedy.description
    return advice.hasPrefix("Read the ") && !advice.contains(";")
      && ["behind", "inner", "beside", "below", "rest", "above"].contains { advice.contains($0) }
  }

  /// Whether all advice on the code is to read what stands above it.
  var pointsAbove: Bool {
    ["Read the lines above", "Read the sentence beside"].contains(where: remedy.description.hasPrefix)
  }

  /// Whether the advice on the code begins with reading what the text says beside it.
  var pointsToText: Bool {
    [
      "Read the text", "Read the message", "Read the description", "Read the inner", "Explain the sentence",
      "Read error and errorDescription",
    ].contains(where: remedy.description.hasPrefix) || code.hasPrefix("urn:oasis:names:tc:SAML:2.0:status:")
      // AppAuth's number for metadata is Okta's for any failure.
      || code == "AuthorizationException: {\"type\":0,\"code\":0"
  }

  private static let failedCredential = "Credential authentication failed"
  private static let unavailableCredential = "Credential authentication unavailable"

  /// Whether the code says only that a credential of azure-identity returned no token, or that a page could not sign a
  /// user in, and the text after it says why.
  var isFollowedByReason: Bool {
    code.hasSuffix(Self.failedCredential) || code.hasSuffix(Self.unavailableCredential)
      || [
        "There was an error trying to log you in", "The command failed with an unexpected error",
        "An error occurred while attempting to decode the Jwt",
      ].contains(code)
  }

  /// Whether the code begins a chain of sentences of which the last one says why.
  var beginsChain: Bool {
    ["unable to build authorizer for", "Unhandled remote failure"].contains(code)
      || code == "An error was encountered while handling the remote login"
  }

  /// Whether only the description beside the code says what it stands for.
  var isDescribed: Bool { remedy.description == "Read the description." }

  /// Whether the code is the name of an exception.
  var isClassName: Bool {
    family == .library && code.first?.isUppercase == true
      && (code.hasSuffix("Exception") || code.hasSuffix("Error"))
  }

  private static let order: [Set<Family>] = [
    [.aadsts, .b2c], [.msalInternal], [.keychain], [.library, .message], [.identityCore], [.oauth],
    [.windows],
    [.network], [.webSession], [.linuxBroker], [.adal], [.msal],
  ]

  /// The number of codes at the beginning of ``general`` that name a cause.
  private static let firstWithoutCause = general.firstIndex(of: "broker_response_returned_error") ?? 0

  /// Codes beside which another code of the same error says more, the more specific ones first.
  private static let general = WordList.named("Explanation.general")
}

extension Explanation.Match {
  /// The distance of the explanation; a name may be an everyday word in a program's own text, so it says less.
  fileprivate var distance: Int {
    // The provider's sentence says more than the number before it, which stands for several.
    if explanation.family == .aadsts, quotation.contains(" "), !quotation.contains(where: \.isNumber) {
      return -1
    }
    return explanation.distance + (isName ? 90 : 0)
  }
}
