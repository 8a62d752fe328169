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
struct LogRecogniser {
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
    guard let bracket = dateBracket(in: line, from: name, before: name + 200) else {
      return line.count < name + 200 && line.index(of: "TID=", before: name) != nil ? .cut : .unknown
    }
    guard let (at, end) = line.moment(at: bracket + 1) else { return .cut }
    guard let close = line.index(of: UInt8(ascii: "]"), from: end) else { return .cut }
    var result = LogLine(isNet ? .dotnet : .apple, at: at, message: close + 1..<line.count)
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

  /// Skips ` (client: version)`, which may be between the bracket and the message.
  private static func readNetMessage(_ line: LineBytes, _ result: inout LogLine) {
    var start = line.index(from: result.message.lowerBound, skipping: \.isSpace)
    if line[start] == UInt8(ascii: "("), let close = line.index(of: ") ", from: start), close < start + 80 {
      start = close + 2
    }
    result.message = min(start, line.count)..<line.count
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

  /// Returns the level whose word is at an index, and the end of the word, or `nil` if there is none.
  static func levelWord(in line: LineBytes, at start: Int) -> (LogLevel, end: Int)? {
    let end = line.index(from: start) { $0.isLetter }
    guard (1...8).contains(end - start), let level = LogLevel(line.text(start..<end)) else { return nil }
    return (level, end)
  }

  /// Returns the ID without spaces around it, or `nil` if it is empty or states that there is none.
  static func correlation(in line: LineBytes, _ range: Range<Int>) -> Range<Int>? {
    let range = line.trimmed(range)
    let isNone = line.hasText("UNSET", at: range.lowerBound) || line.hasText("(null)", at: range.lowerBound)
    return range.count < 4 || range.count > 80 || isNone ? nil : range
  }
}
