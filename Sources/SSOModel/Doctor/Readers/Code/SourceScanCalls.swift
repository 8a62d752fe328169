import SSODevice

/// The functions of a file, and the values that calls pass to them.
extension SourceScan {
  static let parameterLimit = 80
  private static let valueLimit = 8

  /// Reads the parameters of the functions, and returns the names of the functions of Swift.
  mutating func readFunctions() -> Set<String> {
    var names: Set<String> = []
    for index in tokens.indices {
      if language == .objectiveC, isMethodStart(index) {
        let head = tokens[index...].prefix(Self.parameterLimit).prefix {
          !$0.isSymbol("{") && !$0.isSymbol(";")
        }
        // `:(NSString *)clientID`
        let own = head.indices.filter { isSymbol(")", at: $0 - 1) && $0 > index + 4 }.compactMap {
          tokens[$0].word
        }
        parameters[head.endIndex] = own.map { ($0, .other) }
      }
      let word = tokens[index].word
      guard language == .swift, word == "func" || word == "init" else { continue }
      let open = word == "func" ? index + 2 : index + 1
      guard let name = token(open - 1)?.word, isSymbol("(", at: open) else { continue }
      if word == "func" { names.insert(name) }
      var own: [(name: String, value: Expression)] = []
      var current = open + 1
      while current < open + 1 + Self.parameterLimit, current < tokens.count {
        if isSymbol("{", at: current) || isSymbol("}", at: current) { break }
        // `forPolicy policy: String`, `policy: String = "…"`
        if isSymbol(":", at: current), let parameter = token(current - 1)?.word {
          let usual = isSymbol("=", at: current + 2) ? expression(at: current + 3) : .other
          let owner = word == "init" ? typeName(around: index) ?? name : name
          own.append(
            (parameter, .parameter("\(owner):\(token(current - 2)?.word ?? parameter)", usual: usual)))
        }
        current += 1
      }
      if isSymbol("{", at: current) {
        parameters[current] = own
        guard word == "func" else { continue }
        functionBodies.append((name, current))
        if readsInfo(after: current) { infoReaders.insert(name) }
      }
    }
    return names
  }

  /// Returns whether a function reads Info.plist by a key that is not a literal: `object(forInfoDictionaryKey: key)`.
  private func readsInfo(after start: Int) -> Bool {
    bodyContains(after: start) { index in
      guard let word = token(index)?.word, InfoKey.names.contains(word) else { return false }
      return tokens[(index + 1)...].prefix(4).contains { $0.word != nil }
        && !tokens[(index + 1)...].prefix(4).contains { $0.text != nil }
    } == true
  }

  /// Returns the name of the type in whose block a token is, or `nil` if it is in another block.
  private func typeName(around index: Int) -> String? {
    var depth = 0
    for current in tokens[max(0, index - Self.methodLimit)..<index].indices.reversed() {
      if isSymbol("}", at: current) { depth += 1 }
      guard isSymbol("{", at: current) else { continue }
      if depth == 0 {
        let head = max(current - Self.headLimit, 0)..<current
        return head.last { ["struct", "class", "extension", "actor", "enum"].contains(token($0)?.word) }
          .flatMap { token($0 + 1)?.word }
      }
      depth -= 1
    }
    return nil
  }

  /// Reads the value that a call of a type's initialiser passes for a setting: `Settings(redirectURI: "…")`.
  mutating func takeInitialiser(_ label: String, at index: Int) {
    guard language == .swift, isSymbol(":", at: index + 1),
      isSymbol("(", at: index - 1) || isSymbol(",", at: index - 1)
    else { return }
    var depth = 0
    for current in tokens[max(0, index - Self.parameterLimit)..<index].indices.reversed() {
      if isSymbol("{", at: current) || isSymbol("}", at: current) { return }
      if isSymbol(")", at: current) { depth += 1 }
      guard isSymbol("(", at: current) else { continue }
      guard depth == 0 else {
        depth -= 1
        continue
      }
      let value = expression(at: index + 2)
      guard let type = token(current - 1)?.word, type.first?.isUppercase == true, value.isKnown,
        arguments["\(type):\(label)", default: []].count < Self.valueLimit
      else { return }
      arguments["\(type):\(label)", default: []].append(
        Declaration(value: value, place: place(index), block: blocks.current))
      return
    }
  }

  /// Returns the functions of Swift to which the next block in braces passes a URL, except those of libraries that have
  /// nothing to do with MSAL.
  func callees(after start: Int) -> Set<String> {
    guard language == .swift else { return [] }
    let urls = urlNames(after: start)
    var names: Set<String> = []
    for current in bodyRange(after: start).drop(while: { !isSymbol("{", at: $0) }) {
      guard let name = token(current)?.word, isSymbol("(", at: current + 1),
        name.first?.isLowercase == true, !Self.otherFunctions.contains(name)
      else { continue }
      let arguments = tokens[(current + 2)...].prefix(Self.listLimit).prefix {
        !$0.isSymbol("{") && !$0.isSymbol(";")
      }
      if holdsURL(arguments.prefix(4), urls), !isOfOtherLibrary(current, after: start) { names.insert(name) }
    }
    return names
  }

  /// Returns whether a name is a member of a library that has nothing to do with MSAL.
  func isOfOtherLibrary(_ index: Int, after start: Int) -> Bool {
    var first = index
    while isSymbol(".", at: first - 1), first > start { first -= isSymbol(")", at: first - 2) ? 4 : 2 }
    return Self.otherOwners.contains(token(first)?.word ?? "")
  }

  /// Returns whether the block in braces of a Swift method only prints the URL: it calls nothing else and assigns nothing
  /// but constants of its own.
  func isIdle(after start: Int) -> Bool {
    // `.onOpenURL(perform: handle)` has no block.
    guard language == .swift, token(start)?.word != "onOpenURL" || isSymbol("{", at: start + 1) else {
      return false
    }
    return bodyContains(after: start) { current in
      let isCall = isSymbol("(", at: current + 1) && !Self.printing.contains(token(current)?.word ?? "")
      let isAssignment = isSymbol("=", at: current) && !["let", "var"].contains(token(current - 2)?.word)
      return isCall || isAssignment
    } == false
  }

  private static let printing: Set = ["print", "debugPrint", "dump", "NSLog"]

  private static let otherFunctions: Set<String> = [
    "print", "debugPrint", "log", "debug", "info", "open", "post", "canOpenURL", "contains", "append", "if",
    "guard",
    "switch", "scene", "application",
  ]
  private static let otherOwners: Set<String> = [
    "GIDSignIn", "ApplicationDelegate", "RCTLinkingManager", "CAPBridge", "ApplicationDelegateProxy", "Auth",
    "DynamicLinks", "Branch", "currentAuthorizationFlow", "UIApplication", "NotificationCenter", "logger",
    "Logger",
    "super",
  ]

  /// Returns whether a label may be that of a value that MSAL takes.
  static func isOfSetting(_ label: String) -> Bool {
    let name = label.lowercased()
    return name.contains("redirect") || name.contains("clientid") || name.contains("authority")
  }

  /// Reads the values that a call passes to a function of the file.
  mutating func takeCall(of function: String, at index: Int) {
    var depth = 0
    for current in (index + 1)..<min(index + 1 + Self.parameterLimit, tokens.count) {
      let isStart = depth == 1 && (isSymbol("(", at: current - 1) || isSymbol(",", at: current - 1))
      if isStart, let label = token(current)?.word {
        let isLabelled = isSymbol(":", at: current + 1)
        let key = "\(function):\(isLabelled ? label : "_")"
        let value = expression(at: isLabelled ? current + 2 : current)
        if value.isKnown, arguments[key, default: []].count < Self.valueLimit {
          arguments[key, default: []].append(
            Declaration(value: value, place: place(current), block: blocks.current))
        }
      }
      if isSymbol("(", at: current) { depth += 1 }
      if isSymbol(")", at: current) { depth -= 1 }
      if depth == 0 { return }
    }
  }
}
