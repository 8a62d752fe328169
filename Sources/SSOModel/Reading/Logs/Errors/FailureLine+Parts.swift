import SSOCore

/// The parts of a line, of which one is the sentence that says what failed.
extension FailureLine {
  /// Returns a line without the marks around it that a terminal, a table, or Markdown draws.
  static func bare(_ line: String) -> String {
    var text = withoutMarkup(withoutPictures(line)).trimming { " \t\r|│╷╵>`*#".unicodeScalars.contains($0) }
    if text.count(where: { $0 == "`" }) % 2 == 1 {
      let start = line.drop { " \t\r|│╷╵>*#".contains($0) }
      if line.trimmed.hasSuffix("`") { text += "`" } else if start.first == "`" { text = "`" + text }
    }
    // A log in columns: `2026-11-20<tab>Error<tab>The lamp is out`.
    guard text.contains("\t") || text.contains("  "), !text.contains(where: { "\"{=".contains($0) }),
      !text.contains(" :")
    else { return text.replacing("\t", with: " ") }
    let columns = text.replacing("  ", with: "\t").split(separator: "\t").map(\.trimmed)
    return columns.last(where: saysFailure) ?? columns.joined(separator: " ")
  }

  /// Returns a line of Markdown without its pictures: `It says ![the lamp](https://lamp.example/dark.png)`.
  private static func withoutPictures(_ line: String) -> String {
    var line = line
    while let start = line.firstRange(of: "!["), let middle = line[start.upperBound...].firstRange(of: "]("),
      let end = line[middle.upperBound...].firstIndex(of: ")")
    {
      line.removeSubrange(start.lowerBound...end)
    }
    return line
  }

  /// Returns the texts between the tags of a line of XML, of which a wrap may have cut the first or the last, and any other line
  /// as it is: `<lamp><text>The lamp is out</text></la`.
  private static func withoutMarkup(_ line: String) -> String {
    guard line.contains("</") && line.contains(">") || line.contains("><") else { return line }
    let texts = line.split(separator: "<").flatMap { part in
      part.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
    }
    return texts.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// Returns the sentence of a failure behind a code and a colon, or `nil` if something else is there: `Cannot light the lamp: it has
  /// no bulb`.
  static func reason(behind code: String, in text: String) -> String? {
    guard let mark = text.firstRange(of: code + ": ") else { return nil }
    let reason = lastPart(of: String(text[mark.upperBound...]))
    return reason.split(separator: " ").count > 2 && saysFailure(reason) && !isGeneral(reason)
      && !isRedacted(reason) ? reason : nil
  }

  /// Returns the beginning of a text up to the time of the next line, which is about another event:
  /// `The lamp is out 09:41:07,123 WARN …`.
  static func firstRecord(of text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let end = words.indices.dropFirst(4).first { index in
      words[index].first?.isNumber == true && words[index].count { $0 == ":" } == 2
        && words[index].allSatisfy { $0.isNumber || ":.,".contains($0) }
    }
    return end.map { words[..<$0].joined(separator: " ") } ?? text
  }

  /// Returns the last part of a chain of sentences with colons between them that is a sentence, or the entire chain if
  /// no part is a sentence.
  static func lastPart(of text: String) -> String {
    let text = String(PrintedError.afterGenericHalf(of: text[...]))
    let whole = cut(text)
    var parts: [String] = []
    for part in cut(text, isShort: false).split(separator: ": ").map({ cut(String($0)) }) {
      if part.isEmpty { continue }
      // A number or a single word belongs to the words before it: `the request failed with status code: 401`, `unknown flag: -l`.
      if parts.isEmpty || isWhole(part) {
        parts.append(part)
      } else {
        parts[parts.count - 1] += ": " + part
      }
    }
    if let last = parts.last, isCode(last) {
      // `ERROR CODE: LampFailed`
      let isLabelled = parts.dropLast().last?.lowercased().hasSuffix("code") ?? false
      if isLabelled || last.contains("_") && last.uppercased() == last { return last }
    }
    let last = parts.last { part in
      let words = part.split(separator: " ").count
      return words > 2 || words == 2 && saysFailure(part)
    }
    // `login failed: unauthorized`
    if let last, let end = parts.last, end != last, last.split(separator: " ").count == 2, saysFailure(end) {
      return last + ": " + end
    }
    return last ?? whole
  }

  /// Returns the beginning of a sentence before what follows it in the same line, such as a stack or a hint.
  static func cut(_ text: String, isShort: Bool = true) -> String {
    var sentence = text[...]
    for end in [
      " ---> ", " Caused by: ", " Traceback (most recent", "; nested exception", ", please ", "\\n",
      "\\r",
      " @ ", " (anonymous)", " (Service: ", ", referer: ", " w/ ", " (status=", "\" \"", " Stack trace:",
      " Usage: ", " in file '", ", called in ", " ```",
      "\\u",
    ] {
      if let found = sentence.firstRange(of: end) { sentence = sentence[..<found.lowerBound] }
    }
    if let end = endOfField(in: sentence) { sentence = sentence[..<end] }
    // The next sentence; a lowercase letter continues the sentence: `The lamp failed. error lighting it: no bulb`.
    if let end = sentence.ranges(of: ". ").first(where: {
      sentence[$0.upperBound...].first?.isLowercase != true
    }) {
      sentence = sentence[..<end.lowerBound]
    }
    // A frame of a stack, and not a place: `at Lamp.open(Lamp.java:1)`, `at <<closure>>`, `in /lamp.php:57`.
    if let frame = sentence.firstRange(of: " at "),
      sentence[frame.upperBound...].contains(where: { "(<".contains($0) })
    {
      sentence = sentence[..<frame.lowerBound]
    }
    for mark in [" in /", " in C:\\", " in D:\\"] {
      if let file = sentence.firstRange(of: mark), sentence[file.upperBound...].contains(".php") {
        sentence = sentence[..<file.lowerBound]
      }
    }
    // A driver of ODBC names itself: `[Lamp][ODBC Driver 3 for Lamps][Lamp Server]The lamp is out`.
    if let last = sentence.ranges(of: "][").last,
      sentence.distance(from: sentence.startIndex, to: last.lowerBound) < 100,
      let end = sentence[last.upperBound...].firstIndex(of: "]"),
      sentence[end...].dropFirst().first?.isLetter == true
    {
      sentence = sentence[end...].dropFirst()
    }
    // A mark, whose beginning may have been cut: `[lamp.cc(992)] The lamp is out`.
    if let end = sentence.firstRange(of: "] ") {
      let mark = sentence[..<end.lowerBound]
      let isWhole =
        mark.hasPrefix("[") && !mark.dropFirst().contains("[") && !isCode(String(mark.dropFirst()))
      if !mark.contains(" "), isWhole || !mark.contains("[") { sentence = sentence[end.upperBound...] }
    }
    // The thread of JBoss: `[org.lamp.Lamp] (executor-1) The lamp is out`.
    if sentence.hasPrefix("("), let end = sentence.firstRange(of: ") "),
      !sentence[..<end.lowerBound].contains(" ")
    {
      sentence = sentence[end.upperBound...]
    }
    if let end = unopened(in: sentence) { sentence = sentence[..<end] }
    // The end of what someone quotes: `the lamp is out` error`.
    if sentence.count(where: { $0 == "`" }) == 1, let end = sentence.firstRange(of: "` ") {
      sentence = sentence[..<end.lowerBound]
    }
    // `[LampFailed] The lamp is out`
    let isMarked = sentence.hasPrefix("[") && sentence.contains("] ")
    let bare =
      (isMarked ? "[" : "") + String(sentence).trimming { " \t*}{[].,:".unicodeScalars.contains($0) }.unquoted
    guard isShort, bare.count > 160 else { return bare }
    return bare.prefix(160).split(separator: " ").dropLast().joined(separator: " ")
  }

  /// Returns a sentence without what a logger puts before it: `2026-11-20 09:41:07.123 ERROR [12] [Lamp@9] The lamp is out`.
  static func withoutHead(_ text: String) -> String {
    guard text.prefix(2).allSatisfy(\.isNumber), text.prefix(12).contains(where: { "-/:".contains($0) })
    else {
      return text
    }
    var rest = text[...]
    while let end = rest.firstIndex(of: " ") {
      let word = rest[..<end]
      let isHead =
        word.hasPrefix("[") && word.hasSuffix("]")
        || word.allSatisfy { $0.isNumber || "-/:.,TZ+".contains($0) }
        || ["ERROR", "ERRO", "FATAL", "WARN", "WARNING", "Error", "error"].contains(word)
      guard isHead else { break }
      rest = rest[end...].dropFirst()
    }
    return rest.contains(" ") ? String(rest) : text
  }

  /// Returns where the quoted value of a field of logfmt ends, behind which the next field begins, or `nil` if none does:
  /// `the lamp is out" client=10.0.0.1`.
  static func endOfField(in text: Substring) -> String.Index? {
    text.ranges(of: "\" ").first { mark in
      let key = text[mark.upperBound...].prefix { $0.isLetter || $0.isNumber || "_.-".contains($0) }
      return !key.isEmpty && text[key.endIndex...].first == "="
    }?.lowerBound
  }

  /// Returns a line without the result behind the name of an exception: `LampException (0x80131904): The lamp is out`.
  static func withoutResult(_ text: String) -> String {
    guard let mark = text.firstRange(of: "Exception (0x"),
      let end = text[mark.upperBound...].firstRange(of: "): "),
      text[mark.upperBound..<end.lowerBound].allSatisfy(\.isHexDigit)
    else { return text }
    return text[..<mark.lowerBound] + "Exception: " + text[end.upperBound...]
  }

  /// Returns whether a place of a text is between single quotes, which apostrophes are not: `'lamp.Lamp.light(lamp.Wick)'`.
  static func isQuoted(_ place: String.Index, in text: Substring) -> Bool {
    var isOpen = false
    var last: Character = " "
    for index in text[..<place].indices {
      if text[index] == "'" {
        let next = text[text.index(after: index)...].first ?? " "
        if isOpen { isOpen = next.isLetter } else { isOpen = " (\"[=".contains(last) && next != " " }
      }
      last = text[index]
    }
    return isOpen && text[place...].contains("'")
  }

  /// Returns the index of the first bracket that closes nothing, as in `The lamp is out] name: 'Lamp'`, or `nil` if
  /// every bracket closes an opening one.
  private static func unopened(in text: Substring) -> String.Index? {
    var depth = 0
    return text.indices.first { index in
      if text[index] == "[" { depth += 1 } else if text[index] == "]" { depth -= 1 }
      return depth < 0
    }
  }

  /// Returns whether a word is an identifier of several words, as codes are: `bad_lamp`, `BadLamp`, `BAD_LAMP`.
  static func isCode(_ word: String) -> Bool {
    word.utf8.count > 6 && word.utf8.count <= 60 && !word.hasSuffix("_OK") && !word.hasSuffix("_SUCCESS")
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
      && word.contains(where: \.isLetter)
      && (word.contains("_") || word.dropFirst().contains(where: \.isUppercase) || saysFailure(word)
        || word.lowercased().contains("signin"))
  }
}

extension String {
  /// The string without quotes around it, and without an unmatched quote at one end.
  fileprivate var unquoted: String {
    var text = self[...]
    for quote: Character in ["\"", "'", "`"] {
      let count = text.count { $0 == quote }
      if count == 2, text.first == quote, text.last == quote {
        text = text.dropFirst().dropLast()
      } else if !count.isMultiple(of: 2) {
        if text.first == quote { text.removeFirst() } else if text.last == quote { text.removeLast() }
      }
    }
    return text.trimmed
  }
}
