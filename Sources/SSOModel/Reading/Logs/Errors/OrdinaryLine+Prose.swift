import SSOCore
import SSOReference

/// The lines of compilers, package managers, queries, and documentation that name an error.
extension OrdinaryLine {
  /// Returns whether a line has one of these forms.
  static func isAboutErrors(_ line: String) -> Bool {
    isOfCompiler(line) || isOfPackages(line) || isQuery(line) || isTemplate(line) || isProbe(line)
      || isDescription(line)
      || isLicence(line) || isDiagram(line) || isEquation(line) || isPlaceholder(line) || onlyMentions(line)
  }

  /// Returns whether a compiler or a linter prints a line: `lamp.swift:12:7: error: …`, `lamp.ts:1:2 - error TS2305: …`,
  /// `Lamp.cs(1,2): error CS0246: …`, `e: file:///lamp.kt:12:8 …`, `error[E0432]: …`.
  private static func isOfCompiler(_ line: String) -> Bool {
    if [
      "e: file://", "e: /", "error[E", "error: could not compile", "error: aborting due to", "make: *** ",
      "make[", "[ERROR] /", "[ERROR]   symbol:", "[ERROR]   location:", "[ERROR] Failed to execute goal",
      "Undefined symbols for", "npm error code E", "ld: ", "clang: error", "error: cannot find symbol",
      "symbol: ", "location: ",
    ].contains(where: line.hasPrefix) {
      return true
    }
    // `✖ 2 problems`
    if isNumbered(line) || line.hasPrefix("✖ ") && line.dropFirst(2).first?.isNumber == true { return true }
    for mark in [": error: ", " - error ", ": error ", ": fatal error: ", ": warning: "] {
      guard let found = line.firstRange(of: mark) else { continue }
      let place = line[..<found.lowerBound]
      if isPlaceInFile(place) { return true }
    }
    // `./lamp.go:12:2: undefined: Lamp`
    if let colon = line.firstRange(of: ": "), line[colon.upperBound...].contains(where: \.isLetter),
      isPlaceInFile(line[..<colon.lowerBound]), line.contains(".go:")
    {
      return true
    }
    // ESLint: `12:7  error  …`.
    let words = line.split(separator: " ", maxSplits: 2)
    return words.count == 3 && ["error", "warning"].contains(words[1])
      && words[0].split(separator: ":").count == 2
      && words[0].allSatisfy { $0.isNumber || $0 == ":" }
  }

  /// Returns whether a line begins with the number that a compiler of .NET or TypeScript gives an error: `error CS0246: …`.
  private static func isNumbered(_ line: String) -> Bool {
    guard line.hasPrefix("error ") else { return false }
    let letters = line.dropFirst(6).prefix { $0.isASCII && $0.isUppercase }
    let digits = line[letters.endIndex...].prefix(while: \.isNumber)
    return ["CS", "TS", "FS", "BC", "MSB", "NU", "NETSDK"].contains(String(letters)) && digits.count > 2
      && line[digits.endIndex...].hasPrefix(":")
  }

  /// Returns whether a text is the name of a file of source code with a line: `lamp.swift:12:7`, `Lamp.cs(1,2)`.
  private static func isPlaceInFile(_ text: Substring) -> Bool {
    guard !text.contains(" ") || text.contains("/"), let dot = text.lastIndex(of: ".") else { return false }
    let ending = text[dot...].dropFirst().prefix { $0.isLetter }
    let place = text[dot...].dropFirst(ending.count + 1)
    return sources.contains(ending.lowercased()) && place.contains(where: \.isNumber)
      && place.allSatisfy { $0.isNumber || ":(),[]".contains($0) }
  }

  private static let sources = Set(WordList.named("OrdinaryLine.sources"))

  /// Returns whether a package manager prints a line about versions.
  private static func isOfPackages(_ line: String) -> Bool {
    [
      "npm ERR! ", "npm error ", "[!] CocoaPods", "[!] Unable to find", "ERROR: Could not find a version",
      "ERROR: No matching distribution", "Could not resolve dependency", "yarn error", "error NU1",
      "ERESOLVE",
    ].contains {
      line.hasPrefix($0)
    } && !line.contains("401") && !line.contains("403")
      // Azure CLI's core, before it loads the command (`azure.cli.core.MainCommandsLoader`).
      || line.contains("extensions are not installed and will be skipped: ")
  }

  /// Returns whether a line is a query, a condition, or a counter: `| where ResultType == 50126`, `INSERT INTO lamps …`,
  /// `lamps_total{error="bad_lamp"} 0`.
  private static func isQuery(_ line: String) -> Bool {
    if line.contains("| where ") || line.contains("| summarize ") || line.hasPrefix("INSERT INTO ")
      || line.hasPrefix("expr: ")
    {
      return true
    }
    if line.contains(" -match '") || line.contains(" -match \"") || line.contains(" -like '") { return true }
    guard let open = line.firstIndex(of: "{"), let close = line.lastIndex(of: "}"), open < close,
      line[..<open].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }),
      line[..<open].contains("_")
    else { return false }
    return line[open..<close].contains("=\"")
      && Double(line[close...].dropFirst().trimmed.split(separator: " ").first ?? "") != nil
  }

  /// Returns whether a line is the step of a query: `| summarize Lamps = count()`.
  static func isStepOfQuery(_ line: String) -> Bool {
    guard line.utf8.first(where: { !$0.isSpace }) == UInt8(ascii: "|") else { return false }
    let text = line.trimmed
    guard !text.hasSuffix("|") else { return false }
    return queries.contains(String(text.drop { "| ".contains($0) }.prefix { $0.isLetter || $0 == "-" }))
  }

  /// The steps of a query in Kusto's and Splunk's languages.
  private static let queries = Set(WordList.named("OrdinaryLine.queries"))

  /// Returns whether a line is a text that a program fills in, so that nothing has happened yet: `The lamp is %s`.
  private static func isTemplate(_ line: String) -> Bool {
    // Django's and Jinja's tags.
    line.contains("{% ") && line.contains(" %}")
      || line.hasPrefix("<") && line.contains("{{") && line.contains("}}")
      || line.utf8.contains(UInt8(ascii: "%"))
        && line.utf8.indices.contains { index in
          guard line.utf8[index] == UInt8(ascii: "%") else { return false }
          let rest = line.utf8[index...].dropFirst().prefix(2)
          guard let letter = rest.first, "sdvwq@".utf8.contains(letter) else { return false }
          return rest.dropFirst().first.map { !$0.isLetter && !$0.isDigit && $0 != UInt8(ascii: "%") } ?? true
        }
  }

  /// Returns whether Kubernetes says that a container does not answer yet.
  private static func isProbe(_ line: String) -> Bool {
    ["Readiness probe", "Liveness probe", "Startup probe", "HTTP probe failed"].contains(where: line.contains)
  }

  /// Returns whether a line is of the licence of a file.
  private static func isLicence(_ line: String) -> Bool {
    [
      "Unless required by applicable law", "WITHOUT WARRANT", "Licensed under the ",
      "Do not edit the class manually",
      "(generated by ", "may cause incorrect behavior and will be lost", "All rights reserved",
    ].contains(where: line.contains)
  }

  /// Returns whether a line is an arrow of a diagram in Mermaid: `Lamp-->>Desk: 400 bad_lamp`.
  private static func isDiagram(_ line: String) -> Bool {
    guard let arrow = line.firstRange(of: "->>") else { return false }
    return line[arrow.upperBound...].contains(": ") && !line[..<arrow.lowerBound].contains(" ")
  }

  /// Returns whether a sentence, such as `` `-50000` is `lampIsOut` ``, says what a code stands for.
  private static func isEquation(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 3)
    return words.count > 2 && words[0].first == "`" && words[0].last == "`" && words[2].first == "`"
      && ["is", "means", "="].contains(words[1])
  }

  /// Returns whether a sentence says when an error occurs, or what it means, and not that it occurred.
  ///
  /// A line that begins with an error, as programs print it, is never one; neither is the sentence of a user, who writes of
  /// themselves.
  static func isDescription(_ line: String) -> Bool {
    guard line.utf8.count < 600, line.split(separator: " ").count > 4, !FailureLine.beginsWithError(line)
    else {
      return false
    }
    let lower = line.lowercased()
    return !FailureLine.isOfPerson(lower) && !ofGroups.contains(where: lower.contains)
      && descriptions.contains(where: lower.contains)
      && !reportsNumber(line) && !onlyAsks(lower)
  }

  /// The words, in lowercase, with which several people say what they see: `Instead of light, we get a warning`.
  private static let ofGroups = ["are getting ", "we're getting ", "we’re getting ", "we get ", "we got "]

  /// Returns whether only questions of a line, in lowercase, describe something.
  ///
  /// `The lamp is out now. Should it be lit instead of being off?`
  private static func onlyAsks(_ lower: String) -> Bool {
    let sentences = lower.split(separator: ". ")
    return sentences.count > 1
      && sentences.allSatisfy { sentence in
        sentence.trimmed.hasSuffix("?") || !descriptions.contains(where: (sentence + " ").contains)
      }
  }

  /// Returns whether a sentence has a number as Apple's systems print an error's, and the sentence that describes something does
  /// not.
  ///
  /// `In the hall the app shows the lamp. In the yard there is only LampDomain error -3.`
  private static func reportsNumber(_ line: String) -> Bool {
    guard line.contains(" error -") || line.contains("Error Domain=") else { return false }
    return line.split(separator: ". ").contains { sentence in
      let lower = sentence.lowercased() + " "
      return (lower.contains(" error -") || lower.contains("error domain="))
        && !descriptions.contains(where: lower.contains)
    }
  }

  private static let descriptions = WordList.named("OrdinaryLine.descriptions")
}

extension FailureLine {
  /// Returns whether a line begins as a program prints an error: with a time, a level, a code, or the name of an exception.
  static func beginsWithError(_ line: String) -> Bool {
    let text = line.trimming { " \t>|│*`".unicodeScalars.contains($0) }
    if text.first.map({ $0.isNumber || "[{<(\"".contains($0) }) ?? true { return true }
    let words = text.split(separator: " ", maxSplits: 3)
    guard let first = words.first else { return false }
    if first.contains("=") || first.contains("/") && first.contains(":") { return true }
    let name = first.trimming { ":".unicodeScalars.contains($0) }
    if [
      "error", "fatal", "warn", "warning", "info", "debug", "exception", "fehler", "uncaught", "unhandled",
      "caused",
    ].contains(
      name.lowercased())
    {
      return true
    }
    if name.hasPrefix("AADSTS") && first.hasSuffix(":") || name.hasPrefix("AADB2C") { return true }
    return first.hasSuffix(":")
      && (name.contains("Error") || name.contains("Exception") || name.contains("_") || name.contains("."))
  }
}
