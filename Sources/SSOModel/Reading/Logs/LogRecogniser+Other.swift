extension LogRecogniser {
  // MARK: - Android, and the broker on Linux

  /// Reads a line of MSAL or the broker on Android or Linux (common4j `logging/Logger.java`).
  ///
  /// The format is `[2024-05-06 07:08:09 - thread_id: 2, correlation_id: <UUID> - Android 34] message`. Before 2021, it
  /// was `{"thread_id":"2","correlation_id":"…"}`. ADAL's format is `[2020-01-31 09:39:36 - <UUID>]`.
  static func readAndroid(_ line: LineBytes) -> LineReading {
    guard let (bracket, at, end) = androidBracket(in: line) else { return .unknown }
    let mark = line.index(of: "correlation_id", from: end, before: end + 120)
    guard let close = line.index(of: UInt8(ascii: "]"), from: end) else { return .cut }
    var result = LogLine(.android, at: at, message: close + 1..<line.count)
    if let mark, mark < close {
      let start = line.index(from: mark + 14) { $0 == 0x22 || $0 == 0x3A || $0 == 0x20 }
      let stop = line.index(from: start) { $0.isHexDigit || $0.isLetter || $0 == 0x2D || $0 == 0x5F }
      result.correlation = correlation(in: line, start..<stop)
    } else if let dash = line.index(of: " - ", from: end, before: close) {
      let stop = line.index(of: " - ", from: dash + 3, before: close) ?? close
      result.correlation = correlation(in: line, dash + 3..<stop)
    }
    if let mark = line.index(of: "thread_id", from: end, before: close) {
      let start = line.index(from: mark + 9) { !$0.isDigit && $0 != 0x2C }
      result.thread = start..<line.index(from: start, skipping: \.isDigit)
    }
    result.level = logcatLevel(line, before: bracket)
    result.message = line.trimmed(result.message)
    return .line(result)
  }

  /// Returns the bracket with the time, which is followed by `- thread_id`, `- {"thread_id"`, or an ID, or `nil` if
  /// there is none.
  private static func androidBracket(in line: LineBytes) -> (bracket: Int, at: Instant, end: Int)? {
    var from = 0
    while let bracket = line.index(of: "[20", from: from, before: furthest) {
      if let (at, end) = line.moment(at: bracket + 1), line.hasText(" - ", at: end) {
        let isID = line[end + 11] == UInt8(ascii: "-") && line[end + 16] == UInt8(ascii: "-")
        // On Apple platforms and in .NET, the library's name precedes the bracket, and only an ID follows the date.
        if isID ? !isBracketed(line) : line.index(of: "thread_id", from: end, before: end + 16) != nil {
          return (bracket, at, end)
        }
      }
      from = bracket + 1
    }
    return nil
  }

  /// Returns the level in `E/MSAL:Tag: [`, or in logcat's own `05-06 07:08:09.123  1234  1250 E MSAL    : [`.
  private static func logcatLevel(_ line: LineBytes, before bracket: Int) -> LogLevel? {
    for index in stride(from: bracket - 1, through: 0, by: -1) {
      let isAlone = index == 0 || line[index - 1].isSpace || line[index - 1] == UInt8(ascii: ":")
      guard isAlone, line[index + 1] == UInt8(ascii: "/") || line[index + 1] == 0x20 else { continue }
      switch line[index] {
      case UInt8(ascii: "E"), UInt8(ascii: "F"): return .error
      case UInt8(ascii: "W"): return .warning
      case UInt8(ascii: "I"): return .info
      case UInt8(ascii: "D"), UInt8(ascii: "V"): return .verbose
      default: continue
      }
    }
    return nil
  }

  // MARK: - MSAL.js

  /// Reads a line of MSAL.js (msal-common `logger/Logger.ts`).
  ///
  /// The format is `[Fri, 12 Jun 2026 17:56:16 GMT] : [<ID>] : @azure/msal-browser@5.13.0 : Info - message`. The second
  /// bracket was added later than the first.
  static func readJavaScript(_ line: LineBytes) -> LineReading {
    guard let zone = line.index(of: " GMT]", before: furthest) else { return readConsoleError(line) }
    guard let open = lastBracket(line, before: zone), let at = line.httpDate(at: open + 1) else {
      return .unknown
    }
    var rest = line.index(from: zone + 5) { $0.isSpace || $0 == 0x3A }
    var result = LogLine(.javaScript, at: at, message: rest..<rest)
    if line[rest] == UInt8(ascii: "[") {
      guard let close = line.index(of: UInt8(ascii: "]"), from: rest) else { return .cut }
      result.correlation = correlation(in: line, rest + 1..<close)
      rest = line.index(from: close + 1) { $0.isSpace || $0 == 0x3A }
    }
    guard let package = line.index(of: UInt8(ascii: "@"), from: rest + 1), package < rest + 60 else {
      return rest >= line.count ? .cut : .unknown
    }
    guard let dash = line.index(of: " - ", from: package) else { return .cut }
    let word = line.index(of: " : ", from: package, before: dash).map { $0 + 3 } ?? dash
    result.level = levelWord(in: line, at: word)?.0
    result.message = dash + 3..<line.count
    return .line(result)
  }

  /// Reads an error as a browser's console prints it: its class, its code, and a sentence, without a log line's time
  /// and package.
  private static func readConsoleError(_ line: LineBytes) -> LineReading {
    // Most lines of other kinds get here, so search once for the common end of the names before searching for each.
    guard line.index(of: "Error: ", before: furthest + 30) != nil else { return .unknown }
    let classes: [StaticString] = [
      "BrowserAuthError: ", "InteractionRequiredAuthError: ", "ClientAuthError: ",
      "ClientConfigurationError: ", "ServerError: ",
    ]
    for name in classes {
      guard let start = line.index(of: name, before: furthest), !line[start - 1].isLetter else { continue }
      var result = LogLine(.javaScript, message: start..<line.count)
      result.level = .error
      return .line(result)
    }
    return .unknown
  }

  private static func lastBracket(_ line: LineBytes, before end: Int) -> Int? {
    (max(0, end - 32)..<end).last { line[$0] == UInt8(ascii: "[") }
  }

  // MARK: - MSALRuntime

  /// Reads a line of MSALRuntime: `[MSAL:0003:1f2e3d4c]<tab>INFO<tab>Function:269<tab>message`.
  ///
  /// The bracket contains a thread and the first eight digits of the ID.
  static func readRuntime(_ line: LineBytes) -> LineReading {
    guard let open = line.index(of: "[MSAL:", before: furthest) else { return .unknown }
    guard let close = line.index(of: UInt8(ascii: "]"), from: open), close < open + 60 else { return .cut }
    let colon = line.index(of: UInt8(ascii: ":"), from: open + 6).flatMap { $0 < close ? $0 : nil }
    var start = line.index(from: close + 1, skipping: \.isSpace)
    guard let (level, end) = levelWord(in: line, at: start) else {
      return start >= line.count ? .cut : .unknown
    }
    start = line.index(from: end, skipping: \.isSpace)
    var result = LogLine(.runtime, message: start..<line.count)
    result.level = level
    result.thread = open + 6..<(colon ?? close)
    result.correlation = colon.flatMap { correlation(in: line, $0 + 1..<close) }
    // `Function:269`, then the message.
    let function = line.index(from: start) { !$0.isSpace }
    if let colon = line.index(of: UInt8(ascii: ":"), from: start), colon < function,
      line.index(from: colon + 1, skipping: \.isDigit) == function
    {
      result.message = line.index(from: function, skipping: \.isSpace)..<line.count
    }
    return .line(result)
  }

  // MARK: - MSAL Python

  /// Reads a line of MSAL Python, such as `DEBUG:msal.application:Cache hit an AT`, or of its HTTP client.
  ///
  /// The line may have any format that `logging` was given.
  static func readPython(_ line: LineBytes) -> LineReading {
    guard let name = loggerName(in: line) else { return .unknown }
    let end = line.index(from: name) { $0.isLetter || $0.isDigit || $0 == 0x2E || $0 == 0x5F }
    var start = end
    var result = LogLine(.python, message: start..<line.count)
    // Separators and a level's word, in any order.
    while start < line.count {
      let byte = line[start]
      if byte.isSpace || byte == 0x3A || byte == 0x2D || byte == 0x5D || byte == 0x7C || byte == 0x29 {
        start += 1
      } else if result.level == nil, let (level, end) = levelWord(in: line, at: start),
        line[end].isSpace || line[end] == 0x3A || line[end] == 0x5D
      {
        result.level = level
        start = end
      } else {
        break
      }
    }
    guard start > end else { return .unknown }
    if result.level == nil { result.level = levelBefore(line, name) }
    result.at = timeBefore(line, name)
    result.message = start..<line.count
    return .line(result)
  }

  private static func loggerName(in line: LineBytes) -> Int? {
    for name: StaticString in ["msal.", "urllib3.connectionpool", "msal_extensions."] {
      guard let found = line.index(of: name, before: furthest) else { continue }
      let before = line[found - 1]
      let isWord = before.isLetter || before.isDigit || before == 0x2E || before == 0x2F || before == 0x40
      // `msal.js.browser@…` is MSAL.js, and a file name is not a logger.
      if !isWord || found == 0, !line.hasText("msal.js", at: found) { return found }
    }
    return nil
  }

  private static func levelBefore(_ line: LineBytes, _ end: Int) -> LogLevel? {
    var start = 0
    while start < end {
      if line[start].isLetter {
        if let (level, _) = levelWord(in: line, at: start), line[start].isLetter, line[start] < 0x61 {
          return level
        }
        start = line.index(from: start) { $0.isLetter }
      } else {
        start += 1
      }
    }
    return nil
  }

  private static func timeBefore(_ line: LineBytes, _ end: Int) -> Instant? {
    line.index(of: "20", before: end).flatMap { line.moment(at: $0)?.0 }
  }

  // MARK: - Errors of Entra

  /// Reads a line that contains an error such as `AADSTS50011: …`, wherever it is.
  static func readEntra(_ line: LineBytes) -> LineReading {
    guard let code = line.index(of: "AADSTS"), line[code + 6].isDigit else { return .unknown }
    var result = LogLine(.entra, message: code..<line.count)
    result.level = .error
    return .line(result)
  }

  private static let printedDomains: [StaticString] = [
    "Error Domain=MSALErrorDomain ", "Error Domain=MSIDErrorDomain ",
    "Error Domain=ADAuthenticationErrorDomain ",
    "Error Domain=ADBrokerResponseErrorDomain ", "Error Domain=ADKeychainErrorDomain ",
  ]

  /// Reads an error such as `Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={…}`, wherever an app prints
  /// it.
  static func readPrinted(_ line: LineBytes) -> LineReading {
    guard line.index(of: "Error Domain=", before: furthest) != nil else { return .unknown }
    for domain in printedDomains {
      guard let start = line.index(of: domain, before: furthest) else { continue }
      var result = LogLine(.printed, message: start..<line.count)
      result.level = .error
      return .line(result)
    }
    return .unknown
  }
}
