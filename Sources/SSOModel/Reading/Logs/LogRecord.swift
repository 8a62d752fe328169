import SSOCore

/// A line with the lines that belong to it, as ranges in the reader's buffer.
struct LogRecord {
  /// The parts of the line, whose ranges are relative to its beginning.
  var parts: LogLine
  var line: Range<Int>
  /// The end of the last line.
  var end: Int
  /// The one-based line number.
  var number: Int
  var step: LogStep?
  /// The number of lines that were joined to the first one.
  var joinedLines = 0
  /// Whether the line was wrapped where a chat or a mail breaks lines, so that its message may continue on the next
  /// lines.
  var isWrapped = false
  /// The number of plain lines that may still be part of an error's text or of a wrapped message.
  private var textLines = 8
  /// The number of lines that may still contain arguments of the method in the message.
  private var argumentLines = 0

  init(parts: LogLine, line: Range<Int>, end: Int, number: Int, step: LogStep?) {
    self.parts = parts
    self.line = line
    self.end = end
    self.number = number
    self.step = step
    if let step, step.hasArguments { argumentLines = 30 }
  }

  mutating func move(by distance: Int) {
    line = line.lowerBound + distance..<line.upperBound + distance
    end += distance
  }

  /// Takes some bytes behind the last line into it.
  mutating func lengthen(by count: Int) {
    if line.upperBound == end {
      line = line.lowerBound..<end + count
      if parts.message.upperBound == line.count - count {
        parts.message = parts.message.lowerBound..<line.count
      }
    }
    end += count
  }

  /// The beginnings of lines that continue the error above them: stack traces of Java, .NET, and Python, and the fields
  /// that SDKs print below their sentence.
  private static let continuations: [StaticString] = [
    "at ", "Caused by", "--->", "===", "---", ", ErrorCode:", "HTTP StatusCode", "CorrelationId ",
    "Context: ", "Tag: ", "Status: ", "Possible causes:", "ResponseBody: ", "StatusCode: ",
    "Microsoft Entra ID Error Code", "Trace ID:", "Correlation ID:", "Timestamp:", "Exception type:",
    "To see full exception details", "Error Domain=",
  ]

  /// Returns whether a line continues this record: it is indented, a bracket, or part of a stack trace.
  ///
  /// After an error or a wrapped line, the next lines continue it too.
  mutating func isContinued(by line: LineBytes) -> Bool {
    let first = line[0]
    if argumentLines > 0 {
      argumentLines = line[line.count - 1] == UInt8(ascii: "]") ? 0 : argumentLines - 1
      return true
    }
    if line.count == 0 {
      textLines = 0
      return false
    }
    if first.isSpace || first == UInt8(ascii: "{") || first == UInt8(ascii: "}") || first == UInt8(ascii: "]")
    {
      return true
    }
    // The app itself prints the error that it received, below a line about something else.
    if parts.kind == .apple, step == nil, parts.level != .error, !isWrapped,
      line.hasText("Error Domain=MSALErrorDomain", at: 0)
    {
      return false
    }
    if Self.continuations.contains(where: { line.hasText($0, at: 0) }) { return true }
    let mayGoOn = isWrapped || parts.level == .error || parts.kind.isErrorText || step?.tellsErrors == true
    guard mayGoOn, textLines > 0 else { return false }
    textLines -= 1
    return true
  }
}
