import SSOCore
import SSOReference

/// The lines that some programs print in their own form.
extension FailureLine {
  /// Returns where the message of a line of Apache's error log begins, in bytes, if the line reports an error, or `nil` for
  /// another line: `[Mon …] [lamp:error] [pid 1] [client 127.0.0.1] The lamp is out`.
  static func apacheMark(in text: String) -> Int? {
    let levels = [":error] ", ":crit] ", ":alert] ", ":emerg] "]
    guard let mark = levels.lazy.compactMap({ text.firstRange(of: $0) }).first,
      text[..<mark.lowerBound].lastIndex(of: "[").map({ !text[$0..<mark.lowerBound].contains(" ") }) == true
    else { return nil }
    var rest = text[mark.upperBound...]
    while ["[pid ", "[client ", "[remote "].contains(where: rest.hasPrefix),
      let end = rest.firstRange(of: "] ")
    {
      rest = rest[end.upperBound...]
    }
    return text.utf8.distance(from: text.startIndex, to: rest.startIndex)
  }

  /// Returns whether a compiler, a linker, or Gradle printed a line, which is about a build and not about a call.
  static func isOfBuild(_ text: String) -> Bool {
    [
      "Undefined symbol", " project :", " of task ':", " for task ':", " configuration ':",
      "What went wrong:",
    ].contains {
      text.contains($0)
    } || isOfCompiler(text)
      || ["FAILURE: Build failed", "BUILD FAILED", "Build FAILED", "ld: "].contains { text.hasPrefix($0) }
  }

  /// Returns whether a compiler or an analyser prints a line, with a place in a source file and the name of a rule:
  /// `error - The lamp is out - lib/lamp.dart:12:3 - lamp_is_out`.
  private static func isOfCompiler(_ text: String) -> Bool {
    let parts = text.split(separator: " - ")
    guard parts.count > 3, let rule = parts.last,
      rule.allSatisfy({ $0.isLowercase || $0 == "_" || $0.isNumber })
    else { return false }
    let place = parts[parts.count - 2].split(separator: ":")
    return place.count == 3 && place[0].contains(".")
      && place.dropFirst().allSatisfy { $0.allSatisfy(\.isNumber) }
  }

  /// Returns the status with which an endpoint of a sign-in refused a request, as a client, a proxy, a server, or a user reports
  /// it, or `nil` if a line does not have both: `"POST /lamps/oauth2/token HTTP/1.1" 400`, `/lamps/oauth2/callback gets a 401`.
  static func refusedCall(in text: String, _ lower: String) -> String? {
    guard let endpoint = endpoints.lazy.compactMap({ lower.firstRange(of: $0) }).first else { return nil }
    for mark in statuses + told {
      for found in lower.ranges(of: mark) {
        let digits = lower[found.upperBound...].drop { ":= (\"".contains($0) }.prefix(while: \.isNumber)
        guard digits.count == 3, let status = Int(digits), (400..<600).contains(status) else { continue }
        // The next sentence of a user may be about another address.
        let between =
          endpoint.upperBound < found.lowerBound
          ? lower[endpoint.upperBound..<found.lowerBound]
          : lower[digits.endIndex..<max(digits.endIndex, endpoint.lowerBound)]
        if told.contains(mark), between.contains(". ") { continue }
        let start = lower[..<endpoint.lowerBound].lastIndex { " \"'(<".contains($0) }.map(lower.index(after:))
        let address = lower[(start ?? lower.startIndex)...].prefix { !" \"'`?)>,;".contains($0) }
        return "HTTP \(status) from \(address)"
      }
    }
    return phrasedStatus(in: lower).map { status in
      let start = lower[..<endpoint.lowerBound].lastIndex { " `\"'(<".contains($0) }.map(lower.index(after:))
      return "HTTP \(status) from "
        + lower[(start ?? lower.startIndex)...].prefix { !" \"'`?)>,;".contains($0) }
    }
  }

  /// Returns the status in a text, in lowercase, that a phrase of HTTP or a noun follows, or `nil` if there is none: `400 bad
  /// request`, `500 error`.
  private static func phrasedStatus(in lower: String) -> Int? {
    let words = lower.split { !($0.isLetter || $0.isNumber) }
    for (number, next) in zip(words, words.dropFirst()) where number.count == 3 && phrases.contains(next) {
      if let status = Int(number), (400..<600).contains(status) { return status }
    }
    return nil
  }

  /// The words behind a status: the first of each phrase of RFC 9110 §15.5 and §15.6, and what people call it.
  private static let phrases: Set<Substring> = [
    "bad", "unauthorized", "forbidden", "not", "internal", "service", "gateway", "error", "response",
    "conflict",
  ]

  private static let endpoints = WordList.named("FailureLine.endpoints")
  private static let statuses = WordList.named("FailureLine.statuses")
  private static let told = WordList.named("FailureLine.toldStatuses")

  /// Returns whether a line is one of the many errors that Chromium reports about itself, and not a page's, which it
  /// marks CONSOLE: `[12:0305/101112.345:ERROR:lamp.cc(291)] The lamp is out`.
  static func isOfBrowser(_ text: String) -> Bool {
    guard text.hasPrefix("["), let end = text.firstRange(of: ")] "),
      let mark = text[..<end.lowerBound].firstRange(of: ":ERROR:")
    else { return false }
    return text[mark.upperBound..<end.lowerBound].contains(".cc(") && text[..<mark.lowerBound].contains("/")
  }

  /// Returns what React Native quotes of an exception in a module, `Exception '-[Lamp light]: no oil' was thrown while invoking …`, or
  /// `nil` if the line does not contain it.
  static func thrownWords(in text: String) -> String? {
    guard let mark = text.firstRange(of: "xception '"), let end = text.firstRange(of: "' was thrown"),
      mark.upperBound < end.lowerBound
    else { return nil }
    return String(text[mark.upperBound..<end.lowerBound])
  }

  /// Returns the class and the message of an exception as Amplify prints it in Kotlin and in Dart,
  /// `LampException{message=The lamp is out, cause=null, …}` and `LampException(message: The lamp is out, …)`, or `nil`
  /// if the line does not contain one.
  static func amplifyError(in text: String) -> String? {
    for (mark, ends) in [
      ("Exception{message=", [", cause=", ", recoverySuggestion="]),
      ("Exception(message: ", [", underlyingException: ", ", recoverySuggestion: "]),
      ("Exception {\"message\": \"", ["\""]), ("Exception {  \"message\": \"", ["\""]),
    ] {
      guard let found = text.firstRange(of: mark) else { continue }
      let name = text[..<found.lowerBound].reversed().prefix { $0.isLetter || $0.isNumber }.reversed()
      var message = text[found.upperBound...]
      for end in ends + ["}", ")"] {
        if let place = message.firstRange(of: end) { message = message[..<place.lowerBound] }
      }
      let sentence = message.trimmed.trimming { $0 == "." }
      if !sentence.isEmpty { return String(name) + "Exception: " + sentence }
    }
    return nil
  }

  /// Returns the message of a response of SAML (SAML 2.0 Core §3.2.2.3), or `nil` if a text does not contain one.
  static func message(ofSAML text: String) -> String? {
    guard let mark = text.firstRange(of: "StatusMessage>") else { return nil }
    let message = text[mark.upperBound...].prefix { $0 != "<" }.trimmed
    return message.isEmpty || isRedacted(message) ? nil : message
  }

  /// Returns the sentence in a server's answer that a text quotes with its status, or `nil` if it does not quote one:
  /// `received HTTP status 405 with response: {"Message":"The lamp is out"}`.
  static func answer(in text: String) -> String? {
    ["HTTP status ", "RESPONSE ", "status code: "].lazy.flatMap { text.ranges(of: $0) }.compactMap { mark in
      guard let status = Int(text[mark.upperBound...].prefix(3)), (400..<600).contains(status) else {
        return nil
      }
      // The frame of a terminal may be within the answer.
      let failure = FailureLine(text[mark.upperBound...].replacing("│ ", with: ""))
      return failure.flatMap { $0.form >= .code && !isGeneral($0.sentence) ? $0.sentence : nil }
    }.first
  }

  /// Returns whether a line belongs to a stack trace.
  static func isFrame(_ text: String) -> Bool {
    text.hasPrefix("at ") || text.hasPrefix("File \"") || text.hasPrefix("Traceback")
      || text.contains(":in `") || isFrameOfApple(text)
  }

  /// Returns whether a line is a frame as Apple's systems print it: `0   Lamp   0x000000010d9766fb lampIsOut + 331`.
  private static func isFrameOfApple(_ text: String) -> Bool {
    guard text.first?.isNumber == true, text.contains(" 0x") else { return false }
    let words = text.split(separator: " ", maxSplits: 3)
    return words.count == 4 && words[0].allSatisfy(\.isNumber) && words[2].hasPrefix("0x")
      && words[2].dropFirst(2).allSatisfy(\.isHexDigit) && words[3].contains(" + ")
  }
}
