/// A line with the lines that belong to it: places in the reader's buffer.
struct LogRecord {
  /// Its ranges count from the line's beginning.
  var parts: LogLine
  var line: Range<Int>
  /// The end of its last line.
  var end: Int
  /// From 1.
  var number: Int
  var step: LogStep?
  /// Its line was wrapped where a chat or a mail breaks lines, so the rest of its message may be on the next ones.
  var isWrapped = false
  /// How many more plain lines may be part of an error's text or of a wrapped message.
  private var textLines = 8
  /// How many more lines may have arguments of the method that the message names.
  private var argumentLines = 0

  init(parts: LogLine, line: Range<Int>, end: Int, number: Int, step: LogStep?) {
    self.parts = parts
    self.line = line
    self.end = end
    self.number = number
    self.step = step
    if let step, step.sentence.hasMethodWithArguments { argumentLines = 30 }
  }

  mutating func move(by distance: Int) {
    line = line.lowerBound + distance..<line.upperBound + distance
    end += distance
  }

  /// Whether a line is more of this record: indented, a bracket, a part of a stack; after an error or a wrapped line the
  /// next ones too.
  mutating func takes(_ line: LineBytes) -> Bool {
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
    let marks: [StaticString] = [
      "at ", "Caused by", "--->", "===", "---", ", ErrorCode:", "HTTP StatusCode", "CorrelationId ",
      "Microsoft Entra ID Error Code", "Trace ID:", "Correlation ID:", "Timestamp:", "Exception type:",
      "To see full exception details", "Error Domain=",
    ]
    if marks.contains(where: { line.hasText($0, at: 0) }) { return true }
    let mayGoOn = isWrapped || parts.level == .error || parts.kind.isErrorText || step?.tellsErrors == true
    guard mayGoOn, textLines > 0 else { return false }
    textLines -= 1
    return true
  }
}

extension StaticString {
  /// `-[Class method:(`: a line for each argument follows, up to `)]`.
  fileprivate var hasMethodWithArguments: Bool {
    withUTF8Buffer { $0.starts(with: [0x2D, 0x5B]) && $0.last == 0x28 }
  }
}
