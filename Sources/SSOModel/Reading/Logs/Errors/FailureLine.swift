import SSOCore
import SSOReference

/// The sentence with which a short text says what failed, found by the form of its lines.
///
/// It is not in any table. The forms are exceptions, fields of JSON, of a printed dictionary, or of logfmt, words such
/// as `ERROR:` before a sentence, and sentences that say that something failed (docs/behaviour/real-logs.md §2).
struct FailureLine: Hashable, Sendable {
  /// The form of a line, the most telling one last.
  enum Form: Int, Comparable, Sendable {
    case general, sentence, code, marked, exception

    static func < (one: Form, other: Form) -> Bool { one.rawValue < other.rawValue }
  }

  var form: Form
  var sentence: String
  /// Whether the text quotes the sentence.
  var isQuoted = false

  /// Returns the failure in some lines and the index of its line, or `nil` if the lines do not have one of the forms.
  ///
  /// Of several, the first is the most informative, except that the last of an exception's causes or of a Python
  /// traceback is.
  static func find(in lines: [String]) -> (index: Int, failure: FailureLine)? {
    var best: (index: Int, failure: FailureLine)?
    var isLastBest = false
    var lastError = -9
    var informedAt = -9
    var (isFenced, isBestFenced, isBestQuoted) = (false, false, false)
    for (index, line) in lines.enumerated() {
      if line.trimmed.hasPrefix("```") { isFenced.toggle() }
      let text = bare(line)
      if PrintedError.namesOtherServer(text) || isFenced && isComment(line.trimmed)
        || isFrame(line.trimmed) || OrdinaryLine.matches(line) || text.hasPrefix("+ CategoryInfo ")
        || isOfBuild(line) || ShownFailure.isOfThread(line.trimmed)
      {
        continue
      }
      isLastBest =
        isLastBest || text.hasPrefix("Caused by: ") || text.hasPrefix("---> ") || text.hasPrefix("[cause]: ")
        || text.contains("Traceback (most recent call last)")
      var whole = text
      // A line that ends with a colon introduces the next one.
      let isIntroduction = text.hasSuffix(":") && text.count < 300
      if isIntroduction,
        let next = lines[(index + 1)...].lazy.map(bare).first(where: { !$0.isEmpty }), !isFrame(next),
        !next.hasSuffix(":"),
        !isStep(next), !OrdinaryLine.matches(lines[(index + 1)...].first { !$0.trimmed.isEmpty } ?? "")
      {
        whole += " " + next
      }
      // A terminal or a logger breaks sentences anywhere: `The lamp failed to light a`.
      for rest in lines[(index + 1)...].prefix(3).map(bare)
      where endsWithin(whole) && !rest.isEmpty && !isHeading(line) {
        whole += " " + rest
      }
      while endsWithin(whole), let end = whole.lastIndex(of: " ") { whole = String(whole[..<end]) }
      // `"error": {` begins an object whose code and message are in the next lines.
      let isInError = index - lastError <= 3
      if text.contains("\"error\"") && text.hasSuffix("{") || beginsObject(lines[index...]) {
        lastError = index
      }
      if isInformation(text) { informedAt = index }
      guard var found = FailureLine(whole, isInError: isInError),
        index - informedAt > 2 || saysFailure(found.sentence)
      else { continue }
      // `I get an error message:` may introduce what a program printed before its error, too.
      if isIntroduction, found.form == .marked, !saysFailure(found.sentence) {
        // `Details of the lamp:`
        guard saysFailure(text) || text.lowercased().contains("error") || text.contains("xception") else {
          continue
        }
        found.form = .sentence
      }
      // `Error: Lamp CLI` above `Version: 2` is a program's name.
      if found.form == .marked, lines[(index + 1)...].first.map({ bare($0).hasPrefix("Version:") }) ?? false {
        continue
      }
      // A list item in a block of code belongs to a comment: `- None, when the lamp failed`.
      if isFenced, found.form == .sentence, line.trimmed.hasPrefix("- ") { continue }
      if !isFenced, isOfDocument(line.trimmed, found.form) { continue }
      if found.form <= .sentence,
        isOvercome(text, lines[(index + 1)...]) || isOfAnotherPart(line, found.sentence)
      {
        continue
      }
      // Of two sentences, the one in a block of code was printed, and the other may be the user's own.
      let isBetter = best.map { best in
        index - best.index <= mostLinesToReason && isReason(text, behind: best.failure.sentence)
          || found.form > best.failure.form
            && (isOfSignIn(whole) || !hasRefusal(lines[best.index].lowercased()))
          || found.form == best.failure.form
            && (isLastBest
              || found.form == .sentence
                && (isFenced && !isBestFenced || found.isQuoted && !isBestQuoted && !isBestFenced))
      }
      if isBetter ?? true { (best, isBestFenced, isBestQuoted) = ((index, found), isFenced, found.isQuoted) }
    }
    return best
  }

  /// Returns whether a line begins an event of Windows that reports no error.
  private static func isInformation(_ text: String) -> Bool {
    text.hasPrefix("Level:") && text.dropFirst(6).trimmed.hasPrefix("Information")
  }

  /// The number of lines between an error and the line that says why.
  static let mostLinesToReason = 3

  /// Returns whether a line says why an error above it occurred: `Reason: The lamp is out`, or a sentence about a state, a
  /// nonce, or an audience behind a sentence about something else.
  static func isReason(_ text: String, behind error: String) -> Bool {
    let lower = text.lowercased()
    let isLabelled = reasons.contains { lower.hasPrefix($0) }
    guard isLabelled || text.utf8.count < 200 && !isProse(lower), let failure = FailureLine(text),
      !isGeneral(failure.sentence)
    else { return false }
    if isLabelled { return failure.form >= .sentence }
    return saysFailure(failure.sentence) && SentenceSubject(of: failure.sentence) != nil
      && SentenceSubject(of: error) == nil
  }

  private static let reasons = WordList.named("FailureLine.reasons")

  /// Returns whether lines begin the members of an error that a browser's or Node's console prints: `name: 'LampError',`, a
  /// message, and a code.
  private static func beginsObject(_ lines: ArraySlice<String>) -> Bool {
    let members = lines.prefix(4).map { line in
      line.trimmed.drop { "{\"' ".contains($0) }.prefix { $0.isLetter || $0 == ":" }
    }
    return members.first == "name:" && members.contains("message:")
      && members.contains { ofErrors.contains(String($0)) }
  }

  /// The members that an error has beside its name and its message.
  private static let ofErrors: Set = ["code:", "errorCode:", "stack:", "status:"]

  /// Returns whether a text ends with a word that begins something.
  private static func endsWithin(_ text: String) -> Bool {
    text.split(separator: " ").last.map { beginningWords.contains($0) } ?? false
  }

  /// Returns whether a line of a block of code is a comment in Python, a shell, or YAML, or a statement that is
  /// commented out.
  private static func isComment(_ text: String) -> Bool {
    text.first == "#" && text.dropFirst().first?.isNumber != true
  }

  /// Finds the failure in a line, or returns `nil` if the line does not have one of the forms.
  ///
  /// - Parameters:
  ///   - text: The line, without the marks around it.
  ///   - isInError: Whether the line is in an object that is the value of `error`.
  init?(_ text: String, isInError: Bool = false) {
    // Zone.js and browsers put this before any error.
    let inner = text.firstRange(of: "(in promise)").map { mark in
      text[mark.upperBound...].drop { ": \"".contains($0) }
    }
    if let inner, !inner.contains(" "), Self.isCode(String(inner)) {
      (form, sentence) = (.exception, String(inner))
      return
    }
    let text = inner.flatMap { $0.contains(" ") ? String($0) : nil } ?? text
    let lower = text.lowercased()
    // Lowercase letters may have another length than the text's own.
    guard text.utf8.count >= 8, lower.utf8.count == text.utf8.count, !Self.isFrame(text),
      !Self.isOption(text),
      !PrintedError.isWish(text), !OrdinaryLine.matches(text),
      !Self.isOfBuild(text),
      !Self.isOfBrowser(text),
      // Microsoft.IdentityModel numbers its reports, too.
      !text.contains("IDX")
    else { return nil }
    if let sentence = Self.exception(in: text) {
      (form, self.sentence) = (.exception, sentence)
    } else if let field = Self.field(in: text, isInError: isInError) {
      (form, sentence) = field
    } else if let sentence = Self.marked(in: text, lower) {
      let isPhrase = sentence.split(separator: " ").count < 3
      (form, self.sentence) = (.marked, isPhrase ? Self.refusedCall(in: text, lower) ?? sentence : sentence)
    } else if let sentence = Self.refusedCall(in: text, lower) {
      (form, self.sentence) = (.sentence, sentence)
    } else if let sentence = Self.plain(text, lower) {
      (form, self.sentence) = (sentence.contains(" ") ? .sentence : .code, sentence)
      isQuoted =
        text.contains("\"" + sentence) || text.contains("`" + sentence) || text.contains("“" + sentence)
    } else {
      return nil
    }
    sentence = Self.withoutHead(sentence)
    guard !Self.isRedacted(sentence), sentence.contains(where: \.isLetter) else { return nil }
    if Self.isGeneral(sentence) || Self.isConsequence(lower)
      || form == .sentence && Self.isTitle(lower) && !Self.saysFailure(sentence)
    {
      form = .general
    }
    // What a program warned of before its error: `lamp: exit status 1: WARNING: The lamp is old`.
    if text.hasPrefix("Error: "), text.contains(": WARNING: "), !text.contains("ERROR: ") { form = .general }
    // `An internal error has occurred. [ LAMP_IS_OUT ]`
    if form == .general, let code = Self.constant(in: text) { (form, sentence) = (.marked, code) }
  }

  /// Returns whether a sentence says only that there was a failure.
  static func isGeneral(_ sentence: String) -> Bool {
    var lower = sentence.lowercased()[...]
    // `HTTP 500 Internal Server Error`
    if lower.hasPrefix("http "), lower.dropFirst(5).prefix(3).allSatisfy(\.isNumber) {
      lower = lower.dropFirst(9)
    }
    return generalSentences.contains { lower.hasPrefix($0) || lower.contains("error, " + $0) }
  }

  private static let generalSentences = WordList.named("FailureLine.generalSentences")

  // MARK: - Exceptions

  /// Returns the sentence of the innermost exception, its name if it does not have a sentence, or `nil` if there is no
  /// exception.
  private static func exception(in text: String) -> String? {
    if let sentence = appleError(in: text) ?? flutterError(in: text) ?? qualified(in: text)
      ?? rubyError(in: text) ?? typeOnly(in: text) ?? thrownWords(in: text) ?? amazonError(in: text)
      ?? amplifyError(in: text)
    {
      return sentence
    }
    let text = withoutResult(text)
    guard let name = PrintedError.exceptionName(in: text) else { return nil }
    // PHP prints `exception 'Lamp\LampException' with message 'The lamp is out'`.
    for end in [": ", "\": ", "): ", " - ", "' with message '"] {
      guard let mark = text.ranges(of: name + end).last else { continue }
      let rest = text[mark.upperBound...]
      if let number = PrintedError.number(at: rest) { return name + ": " + number }
      if rest.first == "{", let (_, value) = field(in: String(rest), isInError: false) { return value }
      let quoted = end.hasSuffix("'") ? rest.firstIndex(of: "'").map { rest[..<$0] } : nil
      let sentence = lastPart(of: String(quoted ?? rest))
      return sentence.contains(" ") ? sentence : name
    }
    // A name in prose was not thrown there.
    let bare = text.trimming { "\"'`.,".unicodeScalars.contains($0) }
    return text.contains("Exception Type: ") || bare.hasSuffix(name) && !bare.contains(" ") ? name : nil
  }

  /// Returns the sentence of the innermost `Error Domain=LampDomain Code=5 "The lamp is out."` that has one, or `nil`
  /// if none has.
  private static func appleError(in text: String) -> String? {
    text.ranges(of: "Error Domain=").reversed().lazy.compactMap { domain -> String? in
      guard let code = text[domain.upperBound...].firstRange(of: " Code="),
        let open = text[code.upperBound...].firstRange(of: " \"")
      else { return nil }
      let sentence = cut(String(text[open.upperBound...].prefix { $0 != "\"" }))
      return sentence.contains(" ") ? sentence : nil
    }.first
  }

  /// Returns the message, or else the code, of Flutter's `PlatformException(lamp_failed, The lamp is out, null, null)`,
  /// or `nil` if the line does not contain one.
  static func flutterError(in text: String) -> String? {
    guard let mark = text.ranges(of: "PlatformException(").last else { return nil }
    let parts = text[mark.upperBound...].split(
      separator: ", ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, isCode(String(parts[0])) || parts[0].contains("_") else { return nil }
    // `Failed to authorize: [error: null, description: The lamp is out]`
    if let mark = text.firstRange(of: ", description: ") {
      let sentence = cut(String(text[mark.upperBound...].prefix { $0 != "]" }))
      if sentence.contains(" ") { return sentence }
    }
    let message = String(parts[1])
    if message == "null" || message.isEmpty { return String(parts[0]) }
    if let sentence = exception(in: message) { return sentence }
    let sentence = lastPart(of: message)
    if sentence.contains(" ") { return sentence }
    // The message may be a domain, and the details its sentence: `PlatformException(lamp_failed, com.lamp, no bulb, null)`.
    let details =
      parts.count > 2 ? cut(String(parts[2]).replacing(", null", with: "").trimming { $0 == ")" }) : ""
    return details.contains(" ") ? details : String(parts[0])
  }

  /// Returns the sentence of an exception as Ruby on Rails prints it, `LampError (The lamp is out):`, or `nil` if there is
  /// none.
  private static func rubyError(in text: String) -> String? {
    guard let open = text.firstRange(of: "Error ("), let close = text.lastIndex(of: ")"),
      text[close...].dropFirst().allSatisfy({ $0 == ":" }), open.upperBound < close,
      text[..<open.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || $0 == ":" })
    else { return nil }
    let sentence = cut(String(text[open.upperBound..<close]))
    return sentence.contains(" ") ? sentence : nil
  }

  /// Returns the class in .NET's sentence for an exception without a message, `Exception of type 'LampException' was
  /// thrown`, or `nil` if the line does not contain it.
  private static func typeOnly(in text: String) -> String? {
    guard let mark = text.firstRange(of: "xception of type '"),
      let end = text[mark.upperBound...].firstIndex(of: "'"), text[end...].hasPrefix("' was thrown")
    else { return nil }
    return text[mark.upperBound..<end].split(separator: ".").last.map(String.init)
  }

  /// Returns the class and the message of an error of Amazon's services, `{"__type":"LampException","message":"The lamp
  /// is out"}`, or `nil` if the line does not contain one.
  private static func amazonError(in text: String) -> String? {
    guard let mark = text.firstRange(of: "__type") else { return nil }
    // A browser's console does not print quotation marks around it.
    let bare = text[mark.upperBound...].drop { ": ".contains($0) }.prefix { $0.isLetter || $0.isNumber }
    let type = value(in: text, after: mark) ?? String(bare)
    guard !type.isEmpty else { return nil }
    let name = String(type.split(separator: "#").last ?? "")
    let message = ["message", "Message"].lazy.compactMap { key in
      text[mark.upperBound...].firstRange(of: key).flatMap { value(in: text, after: $0) }
    }.first
    return message.map { name + ": " + cut($0) } ?? name
  }

  /// Returns the sentence after a class with its package, or `nil` for any other line.
  ///
  /// Python begins the last line of a traceback in this way: `lamps.errors.NoLamp: The lamp is out`.
  private static func qualified(in text: String) -> String? {
    guard let colon = text.firstRange(of: ": ") else { return nil }
    let parts = text[..<colon.lowerBound].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let name = parts.last, name.first?.isUppercase == true,
      name.contains(where: \.isLowercase),
      parts.allSatisfy({ part in
        part.first?.isLetter == true && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      })
    else { return nil }
    let sentence = lastPart(of: String(text[colon.upperBound...]))
    return sentence.contains(" ") && saysFailure(sentence) ? sentence : nil
  }

  // MARK: - Fields

  /// The keys whose values are about a failure, whatever they say.
  private static let failureKeys: Set = [
    "error_description", "errorDescription", "error_message", "errorMessage", "ErrorMessage", "errorSummary",
    "error", "err",
  ]
  private static let keys = [
    "error_description", "errorDescription", "error_message", "errorMessage", "ErrorMessage", "errorSummary",
    "error", "err", "detail", "details", "message", "Message", "msg", "ReasonPhrase", "value",
  ]

  /// Returns the most telling value of a line's fields, or `nil` if the values are not about a failure.
  private static func field(in text: String, isInError: Bool) -> (Form, String)? {
    var code: String?
    var general: String?
    let words = text.split { "{, ".contains($0) }.map(String.init)
    // `{name: 'LampError', message: 'No lamp', code: 5}`
    let isInError = isInError || words.contains("name:") && words.contains(where: ofErrors.contains)
    for key in keys {
      for mark in text.ranges(of: key) {
        guard let value = value(in: text, after: mark) else { continue }
        // Kubernetes puts what is forbidden before the user who may not do it.
        let sentence = value.contains(" is forbidden: ") ? cut(value) : lastPart(of: value)
        if sentence.contains(" "), isInError || failureKeys.contains(key) || saysFailure(sentence) {
          guard isGeneral(sentence) else { return (.marked, sentence) }
          general = general ?? sentence
          continue
        }
        if code == nil, isCode(sentence),
          failureKeys.contains(key) || saysFailure(sentence) || key == "detail"
        {
          code = sentence
        }
      }
    }
    // `{"error": {"code": "bad_lamp", …}}`
    if code == nil, isInError || text.contains("error"), let mark = text.firstRange(of: "code"),
      let value = value(in: text, after: mark), isCode(value)
    {
      code = value
    }
    return code.map { (.code, $0) } ?? general.map { (.marked, $0) }
  }

  /// Returns the quoted value of a field, or `nil` if the value is not quoted.
  private static func value(in text: String, after key: Range<String.Index>) -> String? {
    if let before = text[..<key.lowerBound].last, before.isLetter || before == "_" { return nil }
    let rest = text[key.upperBound...]
    let start = rest.drop { "\"'\\: =".contains($0) }
    let between = rest[..<start.startIndex]
    // `type=LOGIN_ERROR, error=lamp_not_found`
    if between == "=" {
      let word = String(start.prefix { !" ,;&)\"'".contains($0) })
      return failureKeys.contains(String(text[key])) && isCode(word) ? word : nil
    }
    // SqlClient traces `Error Message 'The lamp is out', Line 0`.
    guard between.contains(":") || between.contains("=") || between == " '" && text[key] == "Message",
      let quote = between.last, "\"'".contains(quote)
    else {
      return nil
    }
    let isEscaped = between.dropLast().last == "\\"
    var value = start.prefix(0)
    var from = start.startIndex
    while let end = start[from...].firstIndex(of: quote) {
      value = start[..<end]
      let afterSlash = value.last == "\\"
      // A quote in the value has one more backslash than the quotes around it.
      if afterSlash == isEscaped { break }
      if !afterSlash { break }
      from = start.index(after: end)
    }
    if value.isEmpty { value = start }
    let text = value.replacing("\\\"", with: "\"").replacing("\\'", with: "'")
    // A sentence may end with a value in quotation marks.
    if text.hasSuffix("\""), text.count(where: { $0 == "\"" }).isMultiple(of: 2) { return text.trimmed }
    return text.trimming { "\\\" ".unicodeScalars.contains($0) }
  }

  // MARK: - Words before a sentence

  private static let marks = WordList.named("FailureLine.marks")

  /// The verbs of PowerShell's commands; the names of HTTP headers have dashes too.
  private static let verbs = Set(WordList.named("FailureLine.verbs").map { $0[...] })

  /// Returns the sentence after a word such as `ERROR:`, or `nil` if the line does not contain one.
  private static func marked(in text: String, _ lower: String) -> String? {
    var start: Int?
    for mark in marks {
      guard let found = lower.ranges(of: mark).last else { continue }
      // `Request details: the lamp` introduces no error.
      if mark == "details: ", found.lowerBound > lower.startIndex { continue }
      let end = lower.utf8.distance(from: lower.startIndex, to: found.upperBound)
      start = max(start ?? 0, end)
    }
    if start == nil {
      // `ERROR [lamp] The lamp is out`, and `Message    : The lamp is out`.
      for word in ["ERROR ", "FATAL ", "Message "] where text.hasPrefix(word) { start = word.utf8.count }
    }
    if start == nil, let colon = text.firstRange(of: " : ") ?? text.firstRange(of: ": "),
      let dash = text[..<colon.lowerBound].firstIndex(of: "-"), verbs.contains(text[..<dash]),
      text[..<colon.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) })
    {
      // `Get-Lamp : The lamp is out`
      start = text.utf8.distance(from: text.startIndex, to: colon.upperBound)
    }
    if start == nil { start = apacheMark(in: text) }
    guard let start else { return nil }
    var rest = String(decoding: text.utf8.dropFirst(start), as: UTF8.self).trimmed
    if rest.hasPrefix(":") { rest = String(rest.dropFirst()).trimmed }
    // `error: {"message":"The lamp is out","code":"5"}`
    if rest.hasPrefix("{\"") { return field(in: rest, isInError: true)?.1 }
    if rest.hasPrefix("["), let close = rest.firstRange(of: "] ") { rest = String(rest[close.upperBound...]) }
    let sentence = lastPart(of: rest)
    let isTelling =
      sentence.split(separator: " ").count > 2 || sentence.contains(" ") && saysFailure(sentence)
    return isTelling || isCode(sentence) ? sentence : nil
  }

  // MARK: - Sentences

  /// Returns the last part of a line that says that something failed, or `nil` if it does not, or a human wrote it.
  private static func plain(_ text: String, _ lower: String) -> String? {
    if isCondition(lower) { return nil }
    if let quotation = quotation(in: text) { return quotation }
    guard text.utf8.count < 300, !isNote(lower) else { return nil }
    if isProse(lower) {
      // `Your lamp is out. Please buy a bulb.`
      let first = text.firstRange(of: ". Please ").map { String(text[..<$0.lowerBound]) }
      if let first, !isProse(first.lowercased()) { return failing(first) }
      // `The error that I get is: The lamp is out`
      guard let colon = text.firstRange(of: ": "), text[colon.upperBound...].first?.isUppercase == true else {
        return nil
      }
      let rest = String(text[colon.upperBound...])
      return isProse(rest.lowercased()) ? nil : failing(rest)
    }
    return failing(text) ?? (isTitle(lower) ? cut(text) : nil)
  }

  /// Returns the part of some sentences that says that something failed, or `nil` if they do not.
  private static func failing(_ text: String) -> String? {
    guard saysFailure(text) else { return nil }
    let part = lastPart(of: text)
    // `to fail. If the lamp fails, buy one` continues a sentence of the line above.
    let continues = part.hasPrefix("to ")
    if part.contains(" ") ? saysFailure(part) && !continues : isCode(part) && isNotWord(part) { return part }
    // `The lamp asks for a bulb. Not available today.`
    let sentences = text.split(separator: ". ").dropFirst(continues ? 1 : 0).map { cut(String($0)) }
      .filter { $0.contains(" ") && saysFailure($0) }
    if let sentence = sentences.first(where: { !isProse($0.lowercased()) }) { return sentence }
    guard sentences.isEmpty, !continues else { return nil }
    let whole = cut(text)
    return whole.contains(" ") ? whole : nil
  }

  /// Returns whether a sentence quotes the words of a program about a failure.
  ///
  /// `It ends in "The lamp is out."`
  static func quotesFailure(_ text: String) -> Bool {
    guard text.split(separator: " ").count > 5, !isCondition(text.lowercased()) else { return false }
    return [("\"", "\""), ("“", "”")].contains { (open: Character, close: Character) in
      guard let start = text.firstIndex(of: open), let end = text[start...].dropFirst().firstIndex(of: close)
      else { return false }
      let quoted = text[start..<end].dropFirst()
      let before = text[..<start].lowercased()
      return quoted.split(separator: " ").count > 2 && saysFailure(String(quoted))
        && introductions.contains(where: before.hasSuffix)
    }
  }

  /// The words, in lowercase, between a program, or the writer, and the error.
  private static let introductions = WordList.named("FailureLine.introductions")

  /// Returns the part of a failure that someone quotes in a sentence, or `nil` if the sentence does not quote one.
  static func quotation(in text: String) -> String? {
    for (open, close) in [("\"", "\""), ("“", "”"), ("‘", "’"), ("`", "`"), ("_", "_")]
      as [(Character, Character)]
    {
      var rest = text[...]
      while let start = rest.firstIndex(of: open), let end = rest[start...].dropFirst().firstIndex(of: close)
      {
        if let quoted = quoted(in: text, start..<end, open) { return quoted }
        rest = rest[end...].dropFirst()
      }
    }
    return nil
  }

  /// Returns the part of a failure between two quotation marks, or `nil` if there is another text.
  private static func quoted(
    in text: String, _ place: Range<String.Index>, _ open: Character
  ) -> String? {
    let before = text[..<place.lowerBound]
    // `lamp_is_out` quotes nothing, and neither does `errors such as "The lamp is out"`.
    if open == "_", before.last.map({ $0.isLetter || $0.isNumber || "'\"".contains($0) }) ?? false {
      return nil
    }
    if before.hasSuffix("such as ") { return nil }
    let quoted = lastPart(of: String(text[place].dropFirst()))
    // `ERR_LAMP_IS_OUT`
    if quoted.contains("_"), isCode(quoted), saysFailure(quoted.replacing("_", with: " ")) { return quoted }
    guard quoted.split(separator: " ").count > 2 else { return nil }
    return saysFailure(quoted) || introducesError(before) || beginsAsError(text[place].dropFirst())
      ? quoted : nil
  }

  /// Returns whether a quotation begins as a program prints an error: `"ERROR [lamp] Light the lamp first"`.
  private static func beginsAsError(_ words: Substring) -> Bool {
    ["Error:", "Error ", "ERROR:", "ERROR ", "error:", "fatal:", "Exception:"].contains(
      where: words.hasPrefix)
  }

  /// Returns whether the words before a quotation say that it is an error: `You'll get an error that says`.
  private static func introducesError(_ words: Substring) -> Bool {
    let lower = words.suffix(40).lowercased()
    return ["error", "exception", "it returns", "fails with", "failing with", "message"].contains(
      where: lower.contains)
  }

  static func isProse(_ lower: String) -> Bool {
    // `The lamp is out. Did you mean the sun?` begins with the failure.
    lower.hasSuffix("?") && !lower.contains(". ") || beginnings.contains { lower.hasPrefix($0) }
      || ofPersons.contains { lower.contains($0) } || isOfPerson(lower) || isToPerson(lower)
  }

  /// Returns whether a sentence, in lowercase, begins with the name of its addressee: `@ada the lamp is out`.
  private static func isToPerson(_ lower: String) -> Bool {
    guard lower.hasPrefix("@") else { return false }
    let name = lower.dropFirst().prefix { !" ,:".contains($0) }
    return !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      && name.count < lower.count - 1
  }

  static func saysFailure(_ text: String) -> Bool {
    var lower = text.lowercased()
    // The path of an address may have any words.
    if lower.contains("://") {
      lower = lower.split(separator: " ").filter { !$0.contains("://") }.joined(separator: " ")
    }
    // An empty cache at the start is not a failure, and neither is an instruction.
    if ["no token found for", "no cached", "do not ", "no action "].contains(where: lower.hasPrefix) {
      return false
    }
    // A sentence may say that all is well.
    if ["nothing has failed", "nothing failed", "nothing is wrong", "no changes are needed"].contains(
      where: lower.contains)
    {
      return false
    }
    // Apache asks each rule before it knows who is there (AH01626).
    if lower.contains("denied (no authenticated user yet)") { return false }
    if lower.hasPrefix("error "), lower.split(separator: " ").dropFirst().first?.hasSuffix("ing") == true {
      return true
    }
    if lower.hasPrefix("no "),
      [" found", " specified", " provided", " configured", " available", " succeeded", " matched"].contains(
        where: lower.contains)
    {
      return true
    }
    return failures.contains { lower.contains($0) }
  }
}
