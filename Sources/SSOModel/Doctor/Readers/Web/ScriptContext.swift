import SSOCore

extension ScriptModule {
  /// The code around a call, which says when it runs.
  enum Context: Hashable {
    /// It runs when the module is loaded.
    case start
    /// It runs when a function of the module is called.
    case function(String)
    case other

    var function: String? { if case .function(let name) = self { name } else { nil } }
  }

  private static let control: Set = ["if", "for", "while", "switch", "catch", "with"]
  private static let contextLimit = 20_000

  /// Returns the value that a JSON document has in a script.
  static func value(_ document: JSONValue, _ lines: TextLines, _ depth: Int) -> Value {
    if let text = document.string { return .text(text) }
    guard depth < depthLimit else { return .other }
    if let list = document.array?.prefix(memberLimit) {
      return .list(list.map { value($0, lines, depth + 1) })
    }
    guard let object = document.object else { return .other }
    var members: [String: Member] = [:]
    for (key, value) in object.prefix(memberLimit) {
      members[key] = Member(value: Self.value(value, lines, depth + 1), line: lines.line(of: key) ?? 1)
    }
    return .object(members, isComplete: true)
  }

  func isSymbol(_ symbol: Unicode.Scalar, _ index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSymbol(symbol)
  }

  func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }

  /// Returns whether a token is in an import, or names a type's member to import.
  func isImport(_ index: Int) -> Bool {
    for place in stride(from: index - 1, through: max(0, index - 80), by: -1) {
      if word(place) == "import" { return true }
      if isSymbol(";", place) || isSymbol("=", place) || isSymbol("(", place) || tokens[place].text != nil {
        return false
      }
    }
    return false
  }

  /// Returns the first name of the chain of members that ends before a token: `app` of `app.client.initialize`.
  func owner(of index: Int) -> String? {
    var place = index
    while isSymbol(".", place - 1) {
      place -= isSymbol("?", place - 2) || isSymbol("!", place - 2) ? 3 : 2
      guard word(place) != nil else { return nil }
    }
    return place == index ? nil : word(place)
  }

  /// Returns whether a call without arguments is its own statement, and the next statement calls a member of the same
  /// object.
  func isAloneBefore(_ index: Int, a names: Set<String>) -> Bool {
    guard let owner = word(index - 2), isSymbol(".", index - 1), isSymbol(")", index + 2),
      let before = tokens.indices.contains(index - 3) ? tokens[index - 3] : nil,
      before.isSymbol(";") || before.isSymbol("{") || before.isSymbol("}")
        || before.isSymbol(")")
          && before.line < tokens[index].line
    else { return false }
    var next = isSymbol(";", index + 3) ? index + 4 : index + 3
    guard isSymbol(";", index + 3) || tokens.indices.contains(next) && tokens[next].line > tokens[index].line
    else { return false }
    if ["const", "let"].contains(word(next)), isSymbol("=", next + 2) { next += 3 }
    if ["await", "return"].contains(word(next)) { next += 1 }
    return word(next) == owner && isSymbol(".", next + 1) && word(next + 2).map(names.contains) ?? false
  }

  /// Returns the object that the function returns whose return type is at a token, or `nil` if that is not certain.
  func object(returnedFrom index: Int) -> Member? {
    guard isSymbol(")", index - 2),
      let place = (index + 1..<min(index + Self.contextLimit, tokens.count)).first(where: {
        word($0) == "return" || word($0) == "function"
      }), word(place) == "return", isSymbol("{", place + 1)
    else { return nil }
    return Member(value: object(at: place + 1).value, line: tokens[place].line)
  }

  /// Returns the value in `{ provide: NAME, useValue: value }`, or that of a factory, by the index of the name.
  func value(afterProvided index: Int) -> Member? {
    guard isSymbol(",", index + 1), isSymbol(":", index + 3), let key = word(index + 2) else { return nil }
    let line = tokens[index].line
    let value = value(at: index + 4, 0).value
    switch (key, value) {
    case ("useValue", _): return Member(value: value, line: line)
    case ("useFactory", .name(let names)):
      return names.last.map { Member(value: .name(names.dropLast() + [$0 + "()"]), line: line) }
    default: return nil
    }
  }

  /// Returns the name of the list of which a list is only a copy, `[...apiConfig.scopes]`, and the index after it.
  func copiedList(at start: Int, _ depth: Int) -> (value: Value, end: Int)? {
    guard (1...3).allSatisfy({ isSymbol(".", start + $0) }),
      case let copied = primary(at: start + 4, depth + 1), case .name = copied.value,
      isSymbol("]", copied.end)
    else { return nil }
    return (copied.value, copied.end + 1)
  }

  /// Returns the arguments of a call, by the index of its name.
  func arguments(of index: Int) -> [Member] {
    guard isSymbol("(", index + 1), case .list(let values) = list(at: index + 1, 0).value else { return [] }
    return values.map { Member(value: $0, line: tokens[index].line) }
  }

  /// Returns whether an element of a list is one of providers, and not of a route's guards.
  func isProvided(_ index: Int) -> Bool {
    guard let open = opening(before: index, from: "[") else { return false }
    guard isSymbol(":", open - 1), let key = word(open - 2) else { return true }
    return !["canActivate", "canActivateChild", "canLoad", "canMatch", "deps", "imports"].contains(key)
  }

  func opening(before index: Int, from symbol: Unicode.Scalar) -> Int? {
    var depth = 0
    for place in stride(from: index - 1, through: max(0, index - Self.contextLimit), by: -1) {
      if ["}", "]", ")"].contains(where: { isSymbol($0, place) }) { depth += 1 }
      guard ["{", "[", "("].contains(where: { isSymbol($0, place) }) else { continue }
      if depth == 0 { return isSymbol(symbol, place) ? place : nil }
      depth -= 1
    }
    return nil
  }

  /// Returns whether a module calls one of its functions, or an imported one, when it is loaded.
  func callsAtStart(_ name: String) -> Bool {
    tokens.indices.contains { index in
      word(index) == name && isSymbol("(", index + 1) && !isSymbol(".", index - 1)
        && word(index - 1) != "function" && context(of: index) == .start
    }
  }

  /// Returns the code around a token.
  func context(of index: Int) -> Context {
    var depth = 0
    var place = index - 1
    /// Whether an arrow would belong to another statement or argument.
    var isPast = false
    while place >= 0, place > index - Self.contextLimit {
      if isSymbol("}", place) || isSymbol("]", place) || isSymbol(")", place) {
        depth += 1
      } else if isSymbol("{", place) || isSymbol("[", place) || isSymbol("(", place) {
        if depth > 0 {
          depth -= 1
          if depth == 0, isSymbol("{", place) { isPast = true }
        } else if isSymbol("{", place) {
          isPast = false
          switch head(ofBlock: place) {
          case .inside(let outer): place = outer
          case .context(let context): return context
          }
        } else {
          isPast = false
        }
      } else if depth == 0 {
        if isSymbol(";", place) || isSymbol(",", place) { isPast = true }
        if !isPast, isSymbol(">", place), isSymbol("=", place - 1) {
          switch head(ofArrow: place) {
          case .inside(let outer): place = outer
          case .context(let context): return context
          }
        }
      }
      place -= 1
    }
    return place < 0 ? .start : .other
  }

  private enum Head {
    /// The code runs with that around it, before this token.
    case inside(Int)
    case context(Context)
  }

  /// Returns what a block in braces is.
  private func head(ofBlock open: Int) -> Head {
    if ["try", "else", "finally", "do"].contains(word(open - 1)) { return .inside(open - 1) }
    if isSymbol(">", open - 1), isSymbol("=", open - 2) { return head(ofArrow: open - 1) }
    var close = open - 1
    // A return type may follow the parameters: `): Promise<void> {`.
    while close > open - 12, close > 0, !isSymbol(")", close) {
      let isOfType =
        word(close) != nil || ["<", ">", "[", "]", "|", ".", ":"].contains { isSymbol($0, close) }
      guard isOfType else { return .context(.other) }
      close -= 1
    }
    guard isSymbol(")", close), close == open - 1 || isSymbol(":", close + 1),
      let start = opening(before: close, from: "("), let name = word(start - 1)
    else { return .context(.other) }
    if Self.control.contains(name) { return .inside(start - 1) }
    if name == "function" { return head(ofFunction: word(start - 2) == "async" ? start - 2 : start - 1) }
    return .context(word(start - 2) == "function" ? .function(name) : .other)
  }

  /// Returns what the body of a function with an arrow is.
  private func head(ofArrow end: Int) -> Head {
    var start = end - 2
    if !isSymbol(")", start) {
      // `name => …`, or a return type
      let close = stride(from: start, to: max(0, start - 12), by: -1).first { isSymbol(")", $0) }
      if let close, isSymbol(":", close + 1) { start = close }
    }
    if isSymbol(")", start) {
      guard let open = opening(before: start, from: "(") else { return .context(.other) }
      start = open
    }
    if word(start - 1) == "async" { start -= 1 }
    return head(ofFunction: start)
  }

  /// Returns what a function without a name is that begins at a token: called at once, the continuation of a promise,
  /// or the value of a name.
  private func head(ofFunction start: Int) -> Head {
    if isSymbol("(", start - 1) {
      if ["then", "finally", "catch"].contains(word(start - 2)) { return .inside(start - 1) }
      guard word(start - 2) == nil, !isSymbol(")", start - 2), let close = closing(after: start),
        isSymbol("(", close + 1)
      else { return .context(.other) }
      return .inside(start - 1)
    }
    guard isSymbol("=", start - 1) else { return .context(.other) }
    if let name = word(start - 2), ["const", "let", "var"].contains(word(start - 3)) {
      return .context(.function(name))
    }
    return .context(.other)
  }

  private func closing(after index: Int) -> Int? {
    var depth = 0
    for place in index..<min(index + Self.contextLimit, tokens.count) {
      if ["{", "[", "("].contains(where: { isSymbol($0, place) }) { depth += 1 }
      guard ["}", "]", ")"].contains(where: { isSymbol($0, place) }) else { continue }
      if depth == 0 { return place }
      depth -= 1
    }
    return nil
  }
}
