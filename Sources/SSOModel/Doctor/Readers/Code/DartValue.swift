import SSODevice

/// A value as Dart writes it, before names are replaced with the values that they represent.
indirect enum DartValue: Sendable {
  /// A string, in which `$name` and `${code}` are interpolations.
  case text(String)
  /// A name with its owners: `Config.clientId`.
  case name([String])
  case joined([DartValue])
  /// `Uri.encodeComponent(value)`.
  case encoded(DartValue)
  case absent
  case other

  /// The names in the value, and in the interpolations of its texts.
  var names: [String] {
    switch self {
    case .text(let text): Self.parts(of: text).flatMap { $0.value?.names ?? [] }
    case .name(let names): [names.last ?? ""]
    case .joined(let parts): parts.flatMap(\.names)
    case .encoded(let value): value.names
    case .absent, .other: []
    }
  }

  /// Returns the parts of a string: its own texts, and the values that it interpolates.
  static func parts(of text: String) -> [(text: Substring, value: DartValue?)] {
    var parts: [(text: Substring, value: DartValue?)] = []
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      parts.append((rest[..<dollar], nil))
      let after = rest[rest.index(after: dollar)...]
      let isLong = after.first == "{"
      let code =
        isLong
        ? after.dropFirst().prefix { $0 != "}" } : after.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let tokens = SourceTokens.read(String(code))
      let (value, end) = DartParser(tokens: tokens).value(at: 0)
      parts.append((code, end == tokens.count ? value : .other))
      rest = after[code.endIndex...].dropFirst(isLong ? 1 : 0)
    }
    return parts + [(rest, nil)]
  }
}

/// A reader of the values in Dart's tokens.
struct DartParser {
  let tokens: [SourceToken]

  private static let depthLimit = 8
  /// The conditions that hold in a build for users, and conditions that do not (api.flutter.dev, `foundation/constants.dart`).
  private static let conditions = ["kReleaseMode": true, "kDebugMode": false, "kProfileMode": false]

  private func isSymbol(_ symbol: Unicode.Scalar, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSymbol(symbol)
  }

  /// Returns the value of a name at whose token its declaration begins, or `nil` for any other token: `name = '…'`,
  /// `get name => '…'`, `get name { return '…'; }`.
  func declared(at index: Int) -> DartValue? {
    guard tokens[index].word != nil, !isSymbol(".", at: index - 1) else { return nil }
    var next = index + 1
    if isSymbol("(", at: next), isSymbol(")", at: next + 1) { next += 2 }
    if isSymbol("{", at: next), next > index + 1 || index > 0 && tokens[index - 1].word == "get" {
      guard tokens.indices.contains(next + 1), tokens[next + 1].word == "return" else { return .other }
      next += 2
    } else {
      guard isSymbol("=", at: next), !isSymbol("=", at: next + 1) else { return nil }
      next += isSymbol(">", at: next + 1) ? 2 : 1
    }
    let (value, end) = value(at: next)
    return isEnd(end) ? value : .other
  }

  func isEnd(_ index: Int) -> Bool { [";", ",", ")", "}"].contains { isSymbol($0, at: index) } }

  /// Returns the value that begins at a token, and the index after it.
  func value(at start: Int, depth: Int = 0) -> (value: DartValue, end: Int) {
    guard depth < Self.depthLimit, tokens.indices.contains(start) else { return (.other, start) }
    var (first, end) = primary(at: start, depth)
    while isSymbol("+", at: end), !isSymbol("=", at: end + 1) {
      let (next, after) = primary(at: end + 1, depth)
      (first, end) = (.joined([first, next]), after)
    }
    guard isSymbol("?", at: end), !isSymbol("?", at: end + 1), case .name(let names) = first,
      let holds = Self.conditions[names.last ?? ""]
    else { return (first, end) }
    let (one, colon) = value(at: end + 1, depth: depth + 1)
    guard isSymbol(":", at: colon) else { return (.other, colon) }
    let (other, after) = value(at: colon + 1, depth: depth + 1)
    return (holds ? one : other, after)
  }

  private func primary(at start: Int, _ depth: Int) -> (value: DartValue, end: Int) {
    guard tokens.indices.contains(start) else { return (.other, start) }
    if let text = tokens[start].text {
      // Literals that follow each other are one string.
      guard tokens.indices.contains(start + 1), tokens[start + 1].text != nil else {
        return (.text(text), start + 1)
      }
      let (rest, end) = primary(at: start + 1, depth)
      return (.joined([.text(text), rest]), end)
    }
    if isSymbol("(", at: start) {
      let (inner, end) = value(at: start + 1, depth: depth + 1)
      return (isSymbol(")", at: end) ? inner : .other, end + 1)
    }
    guard let word = tokens[start].word, word.first?.isNumber == false else { return (.other, start) }
    if word == "const" { return primary(at: start + 1, depth) }
    var names = [word]
    var end = start + 1
    while isSymbol(".", at: end) || isSymbol("!", at: end), end + 1 < tokens.count {
      if isSymbol(".", at: end) {
        guard let name = tokens[end + 1].word else { return (.other, end) }
        names.append(name)
        end += 1
      }
      end += 1
    }
    if names == ["null"] { return (.absent, end) }
    guard isSymbol("(", at: end) else { return (.name(names), end) }
    if isSymbol(")", at: end + 1) { return (.name(names), end + 2) }
    let isURL = names.first == "Uri" && names.count == 2
    let (inner, close) = value(at: end + 1, depth: depth + 1)
    guard isURL, isSymbol(")", at: close) else { return (.other, close) }
    return switch names[1] {
    case "parse", "encodeFull": (inner, close + 1)
    case "encodeComponent": (.encoded(inner), close + 1)
    default: (.other, close + 1)
    }
  }
}
