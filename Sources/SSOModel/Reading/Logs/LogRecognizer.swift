import SSOCore
import SSOReference

/// The result of reading one line of a file.
enum LineReading {
  /// A line that begins a record.
  case line(LogLine)
  /// The beginning of a line that was cut where a chat or a bug tracker wraps lines; the rest follows.
  case cut
  case unknown
}

/// A recogniser that finds the parts of a line by the marks of its kind (docs/behaviour/real-logs.md §1).
///
/// Another logger may have written something before them. Logs rarely mix kinds, so the kind of the last line is tried
/// first.
struct LogRecognizer {
  /// The maximum index of a line's mark, which may follow a time, a process, and a tag.
  static let furthest = 240

  private var last = LogKind.apple

  mutating func read(_ line: LineBytes) -> LineReading {
    let first = Self.read(line, as: last)
    if case .line = first { return first }
    var best = first
    for kind in LogKind.allCases where kind != last {
      let reading = Self.read(line, as: kind)
      switch reading {
      case .line:
        if !kind.isErrorText { last = kind }
        return reading
      case .cut: best = reading
      case .unknown: continue
      }
    }
    return best
  }

  private static func read(_ line: LineBytes, as kind: LogKind) -> LineReading {
    switch kind {
    case .apple: readBracketed(line, isNet: false)
    case .dotnet: readBracketed(line, isNet: true)
    case .android: readAndroid(line)
    case .javaScript: readJavaScript(line)
    case .runtime: readRuntime(line)
    case .python: readPython(line)
    case .entra: readEntra(line)
    case .printed: readPrinted(line)
    }
  }

  // MARK: - MSAL and ADAL on Apple platforms, MSAL.NET

  /// Reads a line of MSAL or ADAL on Apple platforms, or of MSAL.NET.
  ///
  /// The formats are `TID=7 MSAL 1.4.0 iOS 17.1 [2024-05-06 07:08:09 - <UUID>] message` (IdentityCore
  /// `logger/MSIDLogger.m`) and
  /// `False MSAL 4.61.0.0 MSAL.NetCore .NET 8.0 Windows [2024-05-06 07:08:09Z - <UUID>] message` (MSAL.NET
  /// `Internal/Logger/LoggerHelper.cs`). Both have a name, a version, and a system before the bracket.
  private static func readBracketed(_ line: LineBytes, isNet: Bool) -> LineReading {
    guard let name = sdkName(in: line), isNet == isNetLine(line, name) else { return .unknown }
    if isNet, let result = readNetWithoutDate(line, name) { return .line(result) }
    guard let bracket = dateBracket(in: line, from: name, before: name + 200) else {
      return line.count < name + 200 && line.index(of: "TID=", before: name) != nil ? .cut : .unknown
    }
    // Older versions write the date as the system's language does, `[02/14/2021 22:28:17]`, from which the time is
    // uncertain.
    let moment = line.moment(at: bracket + 1)
    let end = moment?.1 ?? bracket + 1
    guard let close = line.index(of: UInt8(ascii: "]"), from: end), moment != nil || close < bracket + 70
    else {
      return .cut
    }
    var result = LogLine(isNet ? .dotnet : .apple, at: moment?.0, message: close + 1..<line.count)
    result.isOfADAL = line.hasText("ADAL", at: name)
    if let dash = line.index(of: " - ", from: end, before: close + 1) {
      result.correlation = correlation(in: line, dash + 3..<close)
    }
    if let thread = line.index(of: "TID=", from: 0, before: name) {
      let start = thread + 4
      result.thread = start..<line.index(from: start, skipping: \.isDigit)
    }
    if isNet {
      readNetMessage(line, &result)
    } else {
      readAppleMessage(line, &result)
    }
    return .line(result)
  }

  /// Returns whether a line is from MSAL or ADAL on Apple platforms, or from MSAL.NET, judging by the part before its
  /// bracket.
  static func isBracketed(_ line: LineBytes) -> Bool {
    line.hasText("TID=", at: 0) || sdkName(in: line).map { isNetLine(line, $0) } ?? false
  }

  /// Returns the index of `MSAL 1.…` or `ADAL 4.…`, or `nil` if there is neither.
  private static func sdkName(in line: LineBytes) -> Int? {
    for name: StaticString in ["MSAL ", "ADAL ", "MSAL.", "ADAL."] {
      var from = 0
      while let found = line.index(of: name, from: from, before: furthest) {
        if line[found + 4] == UInt8(ascii: ".") || line[found + 5].isDigit { return found }
        from = found + 1
      }
    }
    return nil
  }

  /// Returns whether the name follows MSAL.NET's flag for personal data, which older versions write in brackets.
  private static func isNetLine(_ line: LineBytes, _ name: Int) -> Bool {
    line.hasText("True ", at: name - 5) || line.hasText("False ", at: name - 6)
      || line.hasText("True) ", at: name - 6) || line.hasText("False) ", at: name - 7)
  }

  private static func dateBracket(in line: LineBytes, from start: Int, before end: Int) -> Int? {
    var from = start
    while from < end, let bracket = line.index(of: UInt8(ascii: "["), from: from), bracket < end {
      if line[bracket + 1].isDigit, line[bracket + 2].isDigit || bracket + 2 >= line.count { return bracket }
      from = bracket + 1
    }
    return nil
  }

  /// Reads a line of MSAL.NET in whose bracket there is only an ID, as an app's own logger may shorten it:
  /// `[11:58:53:836][Error] False MSAL 4.66.1.0 [<UUID>] message`.
  private static func readNetWithoutDate(_ line: LineBytes, _ name: Int) -> LogLine? {
    guard let bracket = line.index(of: UInt8(ascii: "["), from: name), bracket < name + 60,
      line[bracket + 9] == UInt8(ascii: "-"), line.hasText("]", at: bracket + 37)
    else { return nil }
    var result = LogLine(.dotnet, message: bracket + 38..<line.count)
    result.correlation = correlation(in: line, bracket + 1..<bracket + 37)
    readNetMessage(line, &result)
    if line.index(of: "[Error]", before: name) != nil { result.level = .error }
    return result
  }

  /// Skips ` (client: version)`, which may be between the bracket and the message.
  private static func readNetMessage(_ line: LineBytes, _ result: inout LogLine) {
    var start = line.index(from: result.message.lowerBound, skipping: \.isSpace)
    if line[start] == UInt8(ascii: "("), let close = line.index(of: ") ", from: start), close < start + 80 {
      start = close + 2
    }
    result.message = min(start, line.count)..<line.count
    // MSAL.NET does not write a level, but the app's own logger may: `[MSAL|LogLevel:Error] False MSAL 4.…`.
    let isError =
      line.hasText("MSAL.", at: start) && line.index(of: "Exception:", from: start, before: start + 80) != nil
      || line.hasText("[MSAL:", at: start) && line.index(of: "ERROR", from: start, before: start + 40) != nil
      || isFailureTelemetry(line, from: start) || line.index(of: "Level:Error", before: 60) != nil
      || ["Error True MSAL", "Error False MSAL", "Error - True MSAL", "Error - False MSAL"].contains {
        line.index(of: $0, before: 60) != nil
      }
      || line.index(of: "Exception type: ", from: start, before: start + 200) != nil
    if isError { result.level = .error }
  }

  /// Reads ` [MSAL] ERROR: File.m:12: -[Class method] message`, in which every part except the message is optional.
  private static func readAppleMessage(_ line: LineBytes, _ result: inout LogLine) {
    var start = line.index(from: result.message.lowerBound, skipping: \.isSpace)
    if line.hasText("[MSAL] ", at: start) || line.hasText("[ADAL] ", at: start) { start += 7 }
    if let (level, end) = levelWord(in: line, at: start), line[end] == UInt8(ascii: ":") {
      result.level = level
      start = line.index(from: end + 1, skipping: \.isSpace)
    }
    if let file = line.index(of: ".m:", from: start, before: start + 80),
      line.index(of: UInt8(ascii: " "), from: start).map({ $0 > file }) ?? true
    {
      let digits = line.index(from: file + 3, skipping: \.isDigit)
      if line.hasText(": ", at: digits) { start = afterFunction(line, digits + 2) }
    }
    result.message = min(start, line.count)..<line.count
  }

  private static func afterFunction(_ line: LineBytes, _ start: Int) -> Int {
    let isMethod = line.hasText("-[", at: start) || line.hasText("+[", at: start)
    guard let end = isMethod ? line.index(of: "] ", from: start) : line.index(of: " ", from: start) else {
      return start
    }
    return end + (isMethod ? 2 : 1)
  }

  // MARK: - Shared

  /// Returns the level whose word is at an index, and the end of the word, or `nil` if the word is not a level.
  static func levelWord(in line: LineBytes, at start: Int) -> (LogLevel, end: Int)? {
    let end = line.index(from: start) { $0.isLetter }
    guard (1...8).contains(end - start), let level = LogLevel(line.text(start..<end)) else { return nil }
    return (level, end)
  }

  /// Returns the ID without spaces around it, or `nil` if it is empty or says that the ID is missing.
  static func correlation(in line: LineBytes, _ range: Range<Int>) -> Range<Int>? {
    let range = line.trimmed(range)
    let isNone = line.hasText("UNSET", at: range.lowerBound) || line.hasText("(null)", at: range.lowerBound)
    return range.count < 4 || range.count > 80 || isNone ? nil : range
  }
}

extension LogRecognizer {
  // MARK: - Android, and the broker on Linux

  /// Reads a line of MSAL or the broker on Android or Linux (common4j `logging/Logger.java`).
  ///
  /// The format is `[2024-05-06 07:08:09 - thread_id: 2, correlation_id: <UUID> - Android 34] message`. Before 2021, it
  /// was `{"thread_id":"2","correlation_id":"…"}`. ADAL's format is `[2020-01-31 09:39:36 - <UUID>]`.
  static func readAndroid(_ line: LineBytes) -> LineReading {
    guard let (bracket, at, end) = androidBracket(in: line) else { return .unknown }
    let mark = line.index(of: "correlation_id", from: end, before: end + 120)
    guard let close = line.index(of: UInt8(ascii: "]"), from: end) else { return .cut }
    // ADAL 1 for iOS wrote `ADALiOS [2015-01-31 09:39:36 - <UUID>] ERROR: message`.
    let isOfApple = line.index(of: "ADALiOS", from: 0, before: bracket) != nil
    var result = LogLine(isOfApple ? .apple : .android, at: at, message: close + 1..<line.count)
    result.isOfADAL = isOfApple
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
    result.level =
      isOfApple && line.hasText(" ERROR:", at: close + 1) ? .error : logcatLevel(line, before: bracket)
    result.message = line.trimmed(result.message)
    return .line(result)
  }

  /// Returns the bracket with the time, which is followed by `- thread_id`, `- {"thread_id"`, or an ID, or `nil` if
  /// the line does not contain one.
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
    // VS Code adds the authority in another bracket.
    if line[rest] == UInt8(ascii: "["), let close = line.index(of: UInt8(ascii: "]"), from: rest) {
      rest = line.index(from: close + 1) { $0.isSpace || $0 == 0x3A }
    }
    guard let package = line.index(of: UInt8(ascii: "@"), from: rest + 1), package < rest + 60 else {
      return rest >= line.count ? .cut : .unknown
    }
    guard let dash = line.index(of: " - ", from: package) else { return .cut }
    let word = line.index(of: " : ", from: package, before: dash).map { $0 + 3 } ?? dash
    result.level = levelWord(in: line, at: word)?.0
    result.message = dash + 3..<line.count
    // MSAL Node passes MSALRuntime's lines on.
    if line.hasText("[MSAL:", at: dash + 3), isFailureTelemetry(line, from: dash + 3) {
      result.level = .error
    }
    return .line(result)
  }

  /// Reads an error as a browser's console prints it: its class, its code, and a sentence, without a log line's time
  /// and package.
  private static func readConsoleError(_ line: LineBytes) -> LineReading {
    // Most lines of other kinds get here, so search once for the common end of the names before searching for each.
    guard line.index(of: "Error: ", before: furthest + 30) != nil else { return .unknown }
    let classes: [StaticString] = [
      "BrowserAuthError: ", "InteractionRequiredAuthError: ", "ClientAuthError: ",
      "ClientConfigurationError: ", "ServerError: ", "BrowserConfigurationAuthError: ", "NativeAuthError: ",
      "CacheError: ", "NetworkError: ", "JoseHeaderError: ",
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

  /// Returns whether a message of MSALRuntime contains the code of a call that failed, as `Key: api_error_code, Value:
  /// 3399614467`.
  private static func isFailureTelemetry(_ line: LineBytes, from start: Int) -> Bool {
    if line.index(of: "Key: api_error_context, Value: User cancel", from: start, before: start + 80) != nil {
      return true
    }
    // The answer of the provider, in JSON: `Key: wam_telemetry, Value: {…"server_error_code":50076,…}`.
    if line.index(of: "Key: wam_telemetry, Value: {", from: start, before: start + 80) != nil,
      let number = line.index(of: "\"server_error_code\":", from: start)
    {
      return (0x31...0x39).contains(line[number + 20])
    }
    guard let key = line.index(of: "Key: api_error_code, Value: ", from: start, before: start + 80) else {
      return false
    }
    return line[key + 28] != UInt8(ascii: "0")
  }

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
    if isFailureTelemetry(line, from: result.message.lowerBound) { result.level = .error }
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
    guard let code = line.index(of: "AADSTS") else { return .unknown }
    let end = line.index(from: code + 6, skipping: \.isDigit)
    // A terminal wraps lines anywhere, and the shortest number has five digits.
    if end == line.count, end - code < 11 { return .cut }
    guard end > code + 6, !isKey(line, code..<end), !isNamed(line, end) else { return .unknown }
    var result = LogLine(.entra, message: code..<line.count)
    result.level = .error
    return .line(result)
  }

  /// Returns whether a number is the key of a table, or in a string that source code prints: `AADSTS50011: 'No lamp',`,
  /// `log.error("AADSTS50076: no lamp")`.
  private static func isKey(_ line: LineBytes, _ code: Range<Int>) -> Bool {
    let isQuoted = line[code.lowerBound - 1] == 0x22 || line[code.lowerBound - 1] == 0x27
    let end = code.upperBound + (isQuoted && line[code.upperBound] == line[code.lowerBound - 1] ? 1 : 0)
    let value = line.index(from: end + 1) { $0 == 0x20 }
    if line[end] == 0x3A, line[value] == 0x22 || line[value] == 0x27 { return true }
    return isQuoted && line[line.index(from: 0, skipping: \.isSpace)].isLetter
      && SourceCode.isLine(line.text(0..<min(line.count, longestSearched)))
  }

  /// Returns whether a line only names the number that ends at an index, as the name of a test or source code does.
  private static func isNamed(_ line: LineBytes, _ end: Int) -> Bool {
    let hasSentence = line.hasText(": ", at: end)
    // Most lines are errors, and a search for a word is faster than for the forms.
    if hasSentence, line[line.index(from: 0, skipping: \.isSpace)] != 0xE2,
      !["PASS", "passed", "... ok", "ok ", "  OK", "xample", "e.g", "z. B", "ften ", "sually", "ypical"]
        .contains(where: { (mark: StaticString) in
          line.index(of: mark) != nil
        })
    {
      return false
    }
    let text = line.text(0..<min(line.count, longestSearched))
    if OrdinaryLine.namesNumber(text, hasSentence: hasSentence) { return true }
    let isQuoted = line[end] == 0x22 || line[end] == 0x27
    return isQuoted && SourceCode.isLine(text)
  }

  /// Reads an error that an app, a tool, or a page prints, such as `Error Domain=MSALErrorDomain Code=-50000`, wherever
  /// it is in the line.
  static func readPrinted(_ line: LineBytes) -> LineReading {
    guard Explanation.mayOccur(in: line.bytes) else { return .unknown }
    let text = line.text(0..<min(line.count, longestSearched))
    guard PrintedError.isError(text, among: .any), !SourceCode.isLine(text) else { return .unknown }
    var result = LogLine(.printed, message: line.index(from: 0, skipping: \.isSpace)..<line.count)
    result.level = .error
    return .line(result)
  }

  /// The length, in bytes, of the part of a line that is searched for an error.
  private static let longestSearched = 2000
}
