import SSOCore
import SSOReference

/// A recogniser of the source code that people paste beside a log.
///
/// Code names the errors that it handles and the sentences that it would print, but nothing failed there. The
/// forms are those of the languages in which apps sign in: C#, Dart, Go, Java, JavaScript, Kotlin, Objective-C, PHP,
/// Python, and Swift.
struct SourceCode {
  /// The number of brackets that the last statement left open.
  private var openBrackets = 0
  /// The number of brackets that a printed value has left open.
  private var openOfValue = 0

  /// Whether the next line may continue a statement.
  var isOpen: Bool { openBrackets > 0 }

  /// Returns whether the next line of a text is source code, on its own or within the brackets of a statement above it.
  mutating func takes(_ line: String) -> Bool {
    let text = line.trimmed
    if openOfValue > 0 || Self.beginsValue(text) {
      openOfValue = max(0, openOfValue + Self.brackets(of: text))
      return false
    }
    if Self.isLine(line) {
      openBrackets = max(0, openBrackets + Self.brackets(of: text))
      return true
    }
    guard openBrackets > 0, !Self.isException(text), let last = text.last, ",;{}()[]'\"+".contains(last)
    else {
      openBrackets = 0
      return false
    }
    openBrackets = max(0, openBrackets + Self.brackets(of: text))
    return true
  }

  /// Returns whether a line is what Python prints below the statement that raised an error: `lamp.LampError: ('The lamp is out', …)`.
  private static func isException(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: ": ") else { return false }
    let name = text[..<colon.lowerBound]
    return (name.hasSuffix("Error") || name.hasSuffix("Exception"))
      && name.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) }
  }

  /// Returns whether a line begins a value that Rust prints, whose parts look like code: `[src/lamp.rs:12:9] lamp = Lamp(`
  /// (`dbg!`), `Error: Lamp {`, `called `Result::unwrap()` on an `Err` value: Lamp(`.
  private static func beginsValue(_ text: String) -> Bool {
    guard let last = text.last, "({".contains(last) else { return false }
    return text.hasPrefix("[") && text.contains(".rs:") || text.hasPrefix("Error: ") && !text.contains(")")
      || text.contains("on an `Err` value: ")
  }

  /// Returns how many more brackets a line opens than it closes.
  private static func brackets(of text: String) -> Int {
    text.utf8.reduce(0) { count, byte in
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): count + 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): count - 1
      default: count
      }
    }
  }

  /// Returns whether a line is a statement, or a part of one.
  static func isLine(_ line: String) -> Bool {
    let text = line.trimming { " \t\r`>".unicodeScalars.contains($0) }
    guard let last = text.last, text.utf8.count >= 4 else { return false }
    return isDeclaration(text, last) || isCall(text, last) || isAssignment(text, last)
      || isExpression(text, last)
  }

  // MARK: - Forms

  /// Words that begin a statement; most of them begin sentences too.
  private static let keywords = Set(WordList.named("SourceCode.keywords").map { $0[...] })

  /// Returns whether a line begins with a keyword: `throw new LampException("…");`, `} catch (e) {`.
  private static func isDeclaration(_ text: String, _ last: Character) -> Bool {
    let words = text.split(separator: " ", maxSplits: 2)
    guard let first = words.first, keywords.contains(Substring(first.lowercased())), words.count > 1 else {
      return false
    }
    // `case lampIsOut = -5`
    if first == "case" { return last == ":" || words.count == 3 && words[2].hasPrefix("= ") }
    // `catch (LampException ex)` above its bracket.
    if first == "catch", words[1].hasPrefix("("), last == ")" { return true }
    // Visual Basic: `Catch ex As LampException When …`.
    if first == "Catch", text.contains(" As ") { return true }
    return ";{(".contains(last) || text.contains(" = ") || text.contains("=>")
      || words[1].dropFirst().contains("(") || first == "throw" && words[1] == "new"
  }

  /// Returns whether a line is a call: `console.error("The lamp is out: " + lamp);`, `.catch((error) => …`.
  private static func isCall(_ text: String, _ last: Character) -> Bool {
    let chain = text.prefix { $0.isLetter || $0.isNumber || "_.$?!".contains($0) }
    guard text[chain.endIndex...].first == "(", !chain.isEmpty else { return false }
    if chain.hasPrefix(".") { return true }
    // A value is printed like a call: `LampException(out)`, `Optional(Error Domain=…)`.
    guard !chain.hasSuffix("Exception"), !chain.hasSuffix("Error") else { return false }
    if ";{(".contains(last) { return true }
    guard ")],}".contains(last) else { return false }
    let object = chain.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return printers.contains(object) || chain.contains(".") && object.first?.isLowercase == true
  }

  /// Objects and functions that print a message.
  private static let printers: Set<Substring> = [
    "print", "println", "printf", "NSLog", "os_log", "debugPrint", "alert", "Log", "Logger", "Console",
    "System", "Debug", "Alert", "Toast",
  ]

  /// Returns whether a line assigns a value to a name: `lamp = new Lamp();`, `description: lamps.errors[5],`.
  private static func isAssignment(_ text: String, _ last: Character) -> Bool {
    // `lampError = "LampError: no bulb";` is printed, as is a line of a log.
    if text.hasPrefix("["), ShownFailure.isLog(text) { return false }
    if let equals = text.firstRange(of: " = ") {
      let target = text[..<equals.lowerBound]
      if target.hasSuffix("Error"), !target.contains(where: { " .".contains($0) }),
        text[equals.upperBound...].hasPrefix("\"")
      {
        return false
      }
      let isTarget = target.allSatisfy { $0.isLetter || $0.isNumber || "_.$[]<>?: *".contains($0) }
      let value = text[equals.upperBound...]
      if isTarget,
        ";{([".contains(last) || ["await ", "new ", "async "].contains(where: value.hasPrefix)
      {
        return true
      }
    }
    guard last == ",", let colon = text.firstRange(of: ": ") else { return false }
    let value = text[colon.upperBound...].dropLast()
    // `lamp: lamps.light("lamp is out"),`
    let called = value.prefix { $0.isLetter || $0.isNumber || "_.".contains($0) }
    if called.contains("."), value[called.endIndex...].first == "(", value.last == ")" { return true }
    return text[..<colon.lowerBound].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      && value.first?.isLetter == true && value.contains { ".[(".contains($0) }
      && value.allSatisfy { $0.isASCII && !$0.isWhitespace && !"/:".contains($0) }
  }

  /// Returns whether a line has an operator or a constant: `lamp.error !== 'out'`, `LampException.IS_OUT,`.
  private static func isExpression(_ text: String, _ last: Character) -> Bool {
    if operators.contains(where: text.contains) { return true }
    // `Error Domain=LampDomain Code=5 "(null)" => {` is a printed dictionary.
    if text.contains("Error Domain=") { return false }
    if text.hasSuffix("=> {") || text.hasSuffix(") {") || text.hasSuffix("-> {") { return true }
    if "`;),".contains(last), text.contains("("), ["${", "$\"", "\\("].contains(where: text.contains) {
      return true
    }
    let constant = text.dropLast()
    return ",;)".contains(last) && constant.first?.isUppercase == true && constant.contains(".")
      && constant.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) }
  }

  private static let operators = [
    " !== ", " === '", " === \"", " == '", " == \"", " != '", " != \"", " != null", " == null", " && ",
    "\" + ", " + \"",
    "' + ", " + '", "@\"",
  ]
}
