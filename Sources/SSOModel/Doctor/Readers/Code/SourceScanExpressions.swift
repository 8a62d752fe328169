/// The expressions of values in code.
extension SourceScan {
  /// Returns the last word of an expression such as `.none` or `MSALBrokeredAvailability.none`.
  func lastWord(from start: Int) -> String? { words(from: start).last }

  /// Returns the words of an expression such as `.none` or `Settings.shared.clientID`, without the conversion of a URL to
  /// its text.
  private func words(from start: Int) -> [String] {
    var index = start
    var words: [String] = []
    while let token = token(index), token.word != nil || token.isSymbol(".") {
      if let word = token.word {
        if !words.isEmpty, !isSymbol(".", at: index - 1) { break }
        words.append(word)
      }
      index += 1
    }
    return words.count > 1 && words.last == "absoluteString" ? Array(words.dropLast()) : words
  }

  /// Returns the expression that begins here: a string, a name, or a URL that is created from one of them.
  func expression(at start: Int, depth: Int = 0) -> Expression {
    guard depth < PropertyListNode.depthLimit else { return .other }
    var index = start
    while isSymbol("@", at: index) || isSymbol("(", at: index) || isSymbol("[", at: index)
      || ["try", "await", "new"].contains(token(index)?.word)
    {
      index += 1
    }
    guard let first = token(index) else { return .other }
    if let text = first.text {
      // `"…".replacingOccurrences(…)`, `[@"…" stringByAppendingString:…]`
      let isChanged =
        isSymbol(".", at: index + 1) || token(index + 1)?.word != nil && isSymbol("[", at: start)
      return isChanged ? .other : joined(.text(text), before: index + 1, depth)
    }
    guard let word = first.word else { return .other }
    if ["nil", "null", "undefined", "NULL"].contains(word) { return .absent }
    if word.first?.isNumber ?? true { return .other }
    if let format = format(at: index, depth) { return format }
    let makers: Set<String> = ["URL", "NSURL", "MSALAADAuthority", "MSALB2CAuthority", "MSALCIAMAuthority"]
    guard makers.contains(word) else {
      if let key = tokens[index...].prefix(14).infoKey { return .infoKey(key) }
      let words = words(from: index)
      let name = words.last ?? word
      var end = index + 1
      while isSymbol(".", at: end) || isSymbol("!", at: end) || isSymbol(".", at: end - 1) { end += 1 }
      if let key = listKey(from: index, to: end) { return .listKey(key) }
      if let key = soleText(at: end) { return .infoCall(name, key: key) }
      // The value of a function call or a subscript cannot be determined.
      guard !["(", "["].contains(where: { isSymbol($0, at: end) || isSymbol($0, at: index + 1) }) else {
        return .other
      }
      if name == "rawValue", isSymbol(".", at: end - 2), let own = token(end - 3)?.word {
        return joined(.rawValue(own), before: end, depth)
      }
      return joined(Expression(words), before: end, depth)
    }
    for current in index + 1..<min(index + 8, tokens.count) where isSymbol(":", at: current) {
      return expression(at: current + 1, depth: depth + 1)
    }
    return .other
  }

  /// Returns the only argument of a call whose arguments begin here, if it is a text: `("Key")`, `(key: "Key")`.
  private func soleText(at start: Int) -> String? {
    guard isSymbol("(", at: start) else { return nil }
    let place = isSymbol(":", at: start + 2) ? start + 3 : start + 1
    return isSymbol(")", at: place + 1) ? token(place)?.text : nil
  }

  /// Returns an expression with what a plus sign adds to it, if one follows.
  private func joined(_ first: Expression, before end: Int, _ depth: Int) -> Expression {
    guard isSymbol("+", at: end) else {
      let isText = if case .text = first { true } else { false }
      guard isLiteralContinued(at: end, afterText: isText) else { return first }
      let next = expression(at: end, depth: depth + 1)
      return next.isKnown ? .joined([first, next]) : .other
    }
    guard !isSymbol("+", at: end + 1), !isSymbol("=", at: end + 1) else { return .other }
    switch expression(at: end + 1, depth: depth + 1) {
    case .absent, .other: return .other
    case .joined(let rest): return .joined([first] + rest)
    case let next: return .joined([first, next])
    }
  }

  /// Returns whether a literal of Objective-C goes on here, with another literal or a macro: `@"…" @"…"`, `@"…" kHost`.
  private func isLiteralContinued(at index: Int, afterText: Bool) -> Bool {
    guard language == .objectiveC else { return false }
    let next = isSymbol("@", at: index) ? index + 1 : index
    if token(next)?.text != nil { return true }
    return afterText && token(next)?.word != nil && next == index
      && token(index)?.line == token(index - 1)?.line
      && !isSymbol(":", at: index + 1)
  }

  /// Returns the call `String(format: …)` or `[NSString stringWithFormat:…]` that begins here, or `nil`.
  private func format(at index: Int, _ depth: Int) -> Expression? {
    let isSwift =
      token(index)?.word == "String" && isSymbol("(", at: index + 1) && token(index + 2)?.word == "format"
    let isObjectiveC = token(index)?.word == "NSString" && token(index + 1)?.word == "stringWithFormat"
    guard isSwift || isObjectiveC else { return nil }
    let start = index + (isSwift ? 4 : 3)
    var arguments = [expression(at: start, depth: depth + 1)]
    var level = 0
    for current in start..<min(start + Self.listLimit, tokens.count) {
      if ["(", "[", "{"].contains(where: { isSymbol($0, at: current) }) { level += 1 }
      if [")", "]", "}"].contains(where: { isSymbol($0, at: current) }) {
        level -= 1
        if level < 0 { return .format(arguments[0], Array(arguments.dropFirst())) }
      }
      if level == 0, isSymbol(",", at: current) {
        arguments.append(expression(at: current + 1, depth: depth + 1))
      }
    }
    return nil
  }

  /// Returns the key with which an expression reads a dictionary: `list["Key"]`, `list?.object(forKey: "Key")`,
  /// `[list objectForKey:@"Key"]`, or `nil` for any other expression, as for the user's defaults and the environment.
  ///
  /// The expression begins at `start`, and a dot joins its words up to `end`.
  private func listKey(from start: Int, to end: Int) -> String? {
    let stores: Set = ["UserDefaults", "NSUserDefaults", "standard", "defaults", "environment", "userInfo"]
    guard !(start..<max(start, end)).contains(where: { stores.contains(token($0)?.word ?? "") }) else {
      return nil
    }
    var place = end
    while isSymbol("?", at: place) || isSymbol("!", at: place) { place += 1 }
    if isSymbol(".", at: place) { place += 1 }
    if isSymbol("[", at: place) {
      let key = isSymbol("@", at: place + 1) ? place + 2 : place + 1
      return isSymbol("]", at: key + 1) ? token(key)?.text : nil
    }
    let last = token(place)?.word ?? ""
    let calls: Set = ["object", "value", "objectForKey", "valueForKey"]
    let call = calls.contains(last) ? place : calls.contains(token(place - 1)?.word ?? "") ? place - 1 : nil
    guard let call else { return nil }
    // `(forKey: "Key"`, `:@"Key"`
    return tokens[(call + 1)...].prefix(5).prefix { token in
      token.text != nil || token.word == "forKey" || ["(", ":", "@"].contains { token.isSymbol($0) }
    }.first { $0.text != nil }?.text
  }
}
