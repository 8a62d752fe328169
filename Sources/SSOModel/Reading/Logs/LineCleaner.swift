import SSOCore

/// A cleaner that removes what chats, bug trackers, terminals, and pipelines add to a line: colours, quotation marks
/// (`>`), carriage returns, the time and the command (`##[error]`) of GitHub Actions or Azure Pipelines, the links that
/// GitHub makes of numbers, a container's JSON, and the encoding of an error in an address.
enum LineCleaner {
  /// Cleans complete lines in place, from `start` to the end.
  static func clean(_ bytes: inout [UInt8], from start: Int) {
    let needsWork = bytes.withUnsafeBufferPointer { buffer in
      let line = LineBytes(UnsafeBufferPointer(rebasing: buffer[start...]))
      return line[0] == 0x3E || line[0] == 0xEF || line.index(of: 0x1B) != nil || line.index(of: 0x0D) != nil
        || line.index(of: "\n>") != nil || line.index(of: "\n &gt;") != nil || line.index(of: "\n&gt;") != nil
        || line.index(of: "##[") != nil || line.index(of: "](http") != nil || endOfTime(line, 0) != nil
        || line.index(of: 0x0A).flatMap { endOfTime(line, $0 + 1) } != nil
        || line.index(of: ContainerLine.opening) != nil || line.index(of: "AADSTS ") != nil
        || line.index(of: "AADSTS:") != nil
        || RedirectError.beginnings.contains { line.index(of: $0) != nil }
    }
    guard needsWork else { return }
    let count = bytes.count
    var (read, write, isLineStart) = (start, start, true)
    while read < count {
      let byte = bytes[read]
      if byte == 0x1B {
        read = endOfEscape(bytes, read)
      } else if byte == 0x0D {
        read += 1
      } else if isLineStart, let after = endOfQuote(bytes, read) ?? endOfStep(bytes, read) {
        read = after
      } else if isLineStart, let text = ContainerLine.unwrap(&bytes, read) {
        read = text
      } else if byte == 0x65, let (value, after) = RedirectError.value(in: bytes, read) {
        isLineStart = false
        for byte in value {
          bytes[write] = byte
          write += 1
        }
        read = after
      } else if byte == 0x41, let digits = separateNumber(bytes, read) {
        isLineStart = false
        for byte in "AADSTS".utf8 {
          bytes[write] = byte
          write += 1
        }
        read = digits
      } else if byte == 0x5B, let (end, after) = linkedNumber(bytes, read) {
        isLineStart = false
        for index in read + 1..<end {
          bytes[write] = bytes[index]
          write += 1
        }
        read = after
      } else {
        isLineStart = byte == 0x0A
        bytes[write] = byte
        write += 1
        read += 1
      }
    }
    bytes.removeLast(count - write)
  }

  /// Returns the index after a `> `, a `&gt; `, or a byte order mark, or `nil` if the line does not continue with one;
  /// a line may begin with several.
  private static func endOfQuote(_ bytes: [UInt8], _ start: Int) -> Int? {
    if bytes[start] == 0x3E {
      return start + 1 < bytes.count && bytes[start + 1] == 0x20 ? start + 2 : start + 1
    }
    for mark in [Array("&gt; ".utf8), Array("&gt;".utf8), [0xEF, 0xBB, 0xBF]]
    where bytes[start...].starts(with: mark) {
      return start + mark.count
    }
    return nil
  }

  /// Returns the index after the time or the command with which a pipeline begins a line, or `nil` if there is neither.
  private static func endOfStep(_ bytes: [UInt8], _ start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      let line = LineBytes(buffer)
      if let end = endOfTime(line, start) { return end }
      guard line.hasText("##[", at: start) else { return nil }
      let end = line.index(from: start + 3) { $0.isLetter }
      return end > start + 3 && line[end] == 0x5D ? end + 1 : nil
    }
  }

  /// Returns the index after `2026-11-20T09:41:07.1234567Z `, or `nil` if it does not begin there.
  ///
  /// Pipelines print seven digits of the second, and `kubectl logs --timestamps` nine.
  private static func endOfTime(_ line: LineBytes, _ start: Int) -> Int? {
    guard line[start + 4] == 0x2D, line[start + 10] == 0x54, line[start + 19] == 0x2E,
      line.number(at: start, digits: 4) != nil, line.number(at: start + 20, digits: 7) != nil
    else { return nil }
    let end = line.index(from: start + 20, skipping: \.isDigit)
    return [27, 29].contains(end - start) && line.hasText("Z ", at: end) ? end + 2 : nil
  }

  /// Returns the end of the digits and the end of the link in `[12](https://…)`, or `nil` if it does not begin there.
  ///
  /// GitHub's page of a workflow's log links numbers to lines, even within a code.
  private static func linkedNumber(_ bytes: [UInt8], _ start: Int) -> (end: Int, after: Int)? {
    bytes.withUnsafeBufferPointer { buffer in
      let line = LineBytes(buffer)
      let end = line.index(from: start + 1, skipping: \.isDigit)
      guard end > start + 1, line.hasText("](http", at: end) else { return nil }
      let after = line.index(from: end) { $0 != 0x29 && !$0.isSpace }
      return line[after] == 0x29 ? (end, after + 1) : nil
    }
  }

  /// Returns where the digits of `AADSTS 50011` or `AADSTS: 50011` begin, or `nil` if neither is at an index.
  private static func separateNumber(_ bytes: [UInt8], _ first: Int) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      let line = LineBytes(buffer)
      guard line.hasText("AADSTS", at: first) else { return nil }
      let start = line.index(from: first + 6) { $0 == 0x20 || $0 == 0x3A }
      let end = line.index(from: start, skipping: \.isDigit)
      return (first + 7...first + 8).contains(start) && (5...8).contains(end - start) ? start : nil
    }
  }

  /// Returns the index after a control sequence (`ESC [ … m`), an operating system command (`ESC ] … BEL`), or a
  /// two-byte escape.
  private static func endOfEscape(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start + 1
    guard index < bytes.count else { return index }
    let kind = bytes[index]
    index += 1
    guard kind == 0x5B || kind == 0x5D else { return index }
    // An unfinished sequence ends with its line.
    while index < bytes.count, bytes[index] != 0x0A {
      let byte = bytes[index]
      index += 1
      if kind == 0x5B, (0x40...0x7E).contains(byte) { break }
      if kind == 0x5D, byte == 0x07 || byte == 0x5C { break }
    }
    return index
  }
}

/// A line of a container's log in Docker's format: `{"log":"text\n","stream":"stderr","time":"…"}`
/// (`daemon/logger/jsonfilelog` of moby).
enum ContainerLine {
  static let opening: StaticString = "{\"log\":\""

  /// Moves the text of a line to the end of its JSON, where it has room because it is shorter, and returns where it
  /// begins, or `nil` for any other line.
  static func unwrap(_ bytes: inout [UInt8], _ start: Int) -> Int? {
    let isOpening = bytes.withUnsafeBufferPointer { LineBytes($0).hasText(opening, at: start) }
    guard isOpening else { return nil }
    let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    guard
      let document = JSONValue(
        bounded: Array(bytes[start..<end]), maximumBytes: LogReader.longestLine, maximumDepth: 4),
      document["stream"]?.string != nil, let text = document["log"]?.string
    else { return nil }
    let trimmed = text.utf8.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()
    let line = trimmed.map { $0 == 0x0A ? 0x20 : $0 }
    guard line.count <= end - start else { return nil }
    bytes.replaceSubrange(end - line.count..<end, with: line)
    return end - line.count
  }
}

/// The parameter with which a provider says in a redirect why it refused (RFC 6749 §4.1.2.1), in the query or the
/// fragment of an address.
enum RedirectError {
  private static let parameter: StaticString = "error_description"
  static let beginnings: [StaticString] = ["error_description=", "error_description%3"]

  /// Returns the parameter at an index with its value decoded, and the index after it, or `nil` if it is missing, or
  /// its value is not encoded.
  ///
  /// In an address that is itself a parameter, the equals sign is `%3D`, and the value is encoded twice.
  static func value(in bytes: [UInt8], _ start: Int) -> (text: [UInt8], after: Int)? {
    bytes.withUnsafeBufferPointer { buffer in
      let line = LineBytes(buffer)
      let name = parameter.utf8CodeUnitCount
      guard line.hasText(parameter, at: start) else { return nil }
      let isNested = line.hasText("%3D", at: start + name) || line.hasText("%3d", at: start + name)
      guard isNested || line[start + name] == UInt8(ascii: "=") else { return nil }
      let first = start + name + (isNested ? 3 : 1)
      let end = line.index(from: first) { !$0.isSpace && !Self.endsValue($0) }
      let next = isNested ? line.index(of: "%26", from: first, before: end) ?? end : end
      let value = line[first..<next]
      guard value.index(of: UInt8(ascii: "%")) != nil || value.index(of: UInt8(ascii: "+")) != nil else {
        return nil
      }
      var text = decoded(value)
      if isNested { text = text.withUnsafeBufferPointer { decoded(LineBytes($0)) } }
      // A line break in the provider's text does not end the line.
      text = text.map { $0 < 0x20 ? 0x20 : $0 }
      return (Array("error_description=".utf8) + text, next)
    }
  }

  private static func endsValue(_ byte: UInt8) -> Bool { "&\"'<>)]\\".utf8.contains(byte) }

  /// Decodes a form's value: `+` and `%XX`.
  private static func decoded(_ value: LineBytes) -> [UInt8] {
    var text: [UInt8] = []
    var index = 0
    while index < value.count {
      let byte = value[index]
      if byte == UInt8(ascii: "%"), value[index + 1].isHexDigit, value[index + 2].isHexDigit,
        let code = UInt8(value.text(index + 1..<index + 3), radix: 16)
      {
        text.append(code)
        index += 3
      } else {
        text.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        index += 1
      }
    }
    return text
  }
}
