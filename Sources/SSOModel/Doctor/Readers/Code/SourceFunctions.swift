import SSOCore
import SSODevice

/// The functions of a file, and the values that calls pass to them.
extension SourceScan {
  static let parameterLimit = 80
  private static let valueLimit = 8

  /// Reads the parameters of the functions, and returns the names of the functions of Swift.
  mutating func readFunctions() -> Set<String> {
    var names: Set<String> = []
    for index in tokens.indices {
      if language == .objectiveC, code.isMethodStart(index) {
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
      var own: [(name: String, value: SourceCode.Expression)] = []
      var current = open + 1
      while current < open + 1 + Self.parameterLimit, current < tokens.count {
        if isSymbol("{", at: current) || isSymbol("}", at: current) { break }
        // `forPolicy policy: String`, `policy: String = "…"`
        if isSymbol(":", at: current), let parameter = token(current - 1)?.word {
          let usual = isSymbol("=", at: current + 2) ? code.expression(at: current + 3) : .other
          let owner = word == "init" ? code.typeName(around: index) ?? name : name
          own.append(
            (parameter, .parameter("\(owner):\(token(current - 2)?.word ?? parameter)", usual: usual)))
        }
        current += 1
      }
      if isSymbol("{", at: current) {
        parameters[current] = own
        guard word == "func" else { continue }
        functionBodies.append((name, current))
        if code.readsInfo(after: current) { infoReaders.insert(name) }
      }
    }
    return names
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
      let value = code.expression(at: index + 2)
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
    for current in code.bodyRange(after: start).drop(while: { !isSymbol("{", at: $0) }) {
      guard let name = token(current)?.word, isSymbol("(", at: current + 1),
        name.first?.isLowercase == true, !Self.otherFunctions.contains(name)
      else { continue }
      let arguments = tokens[(current + 2)...].prefix(SourceCode.listLimit).prefix {
        !$0.isSymbol("{") && !$0.isSymbol(";")
      }
      if code.holdsURL(arguments.prefix(4), urls), !code.isOfOtherLibrary(current, after: start) {
        names.insert(name)
      }
    }
    return names
  }

  private static let otherFunctions: Set<String> = [
    "print", "debugPrint", "log", "debug", "info", "open", "post", "canOpenURL", "contains", "append", "if",
    "guard",
    "switch", "scene", "application",
  ]
  /// The names that a URL may have in the next block in braces: those of parameters, or of the value of a closure.
  func urlNames(after start: Int) -> Set<String> {
    var names: Set = ["url", "URL", "urls", "context", "contexts", "URLContexts", "urlContexts"]
    guard let open = tokens[start...].prefix(Self.parameterLimit).firstIndex(where: { $0.isSymbol("{") })
    else {
      return names
    }
    names.formUnion((parameters[open] ?? []).map(\.name))
    if let name = token(open + 1)?.word, token(open + 2)?.word == "in" { names.insert(name) }
    return names
  }

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
        let value = code.expression(at: isLabelled ? current + 2 : current)
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

/// The ways that the broker's response may take from a delegate to the method that calls the SDK, through an app's own
/// functions of Swift.
struct ResponsePaths {
  /// The body of a function: the scan that contains it, and the token at which it begins.
  private struct Body: Hashable {
    var scan: Int
    var start: Int
  }

  private let scans: [SourceScan]
  /// The bodies of the functions by name, each with the types that contain it.
  private var bodies: [String: [(body: Body, owners: Set<String>)]] = [:]
  /// The types that code declares, each with its heirs: types that conform to it or inherit from it.
  private var heirs: [String: Set<String>] = [:]
  /// The types that variables have, by the variable's name; an empty one stands for a type that is not known.
  private var types: [String: Set<String>] = [:]
  /// Whether code calls the SDK outside functions, so that no way is certain.
  private let isUnclear: Bool

  init(_ scans: [SourceScan]) {
    self.scans = scans
    isUnclear = scans.contains { $0.indirectCallers.contains(nil) }
    for (index, scan) in scans.enumerated() {
      for (name, start) in scan.functionBodies {
        bodies[name, default: []].append((Body(scan: index, start: start), scan.bodyOwners[start] ?? []))
      }
      for (type, parents) in scan.code.parents {
        heirs[type, default: []].insert(type)
        for parent in parents { heirs[parent, default: []].insert(type) }
      }
      types.merge(scan.code.variableTypes) { $0.union($1) }
    }
  }

  /// Returns whether a delegate method certainly does not pass the URL to the SDK: it stores the URL nowhere, and calls
  /// only functions that are known and of which the same holds.
  func endsWithout(_ forwarder: SourceScan.Forwarder, in scan: Int) -> Bool {
    // `.onOpenURL(perform: handle)` has no block.
    let file = scans[scan]
    guard !isUnclear,
      file.code.token(forwarder.body)?.word != "onOpenURL" || file.code.isSymbol("{", at: forwarder.body + 1)
    else { return false }
    var visited: Set<Body> = []
    return !mayReach(Body(scan: scan, start: forwarder.body), &visited)
  }

  private func mayReach(_ body: Body, _ visited: inout Set<Body>) -> Bool {
    guard visited.insert(body).inserted else { return false }
    let scan = scans[body.scan]
    guard scan.code.language == .swift else { return true }
    let range = scan.code.bodyRange(after: body.start)
    let urls = scan.urlNames(after: body.start)
    if scan.callIndices.contains(where: range.contains) || scan.code.storesURL(urls, in: range) {
      return true
    }
    for index in range {
      guard let word = scan.code.token(index)?.word else { continue }
      if ["NotificationCenter", "post", "super"].contains(word) { return true }
      guard !scan.code.isOfOtherLibrary(index, after: body.start) else { continue }
      guard let own = bodies[word] else {
        if scan.code.passes(urls, at: index) { return true }
        continue
      }
      let owners = receivers(of: index, in: scan)
      for (next, types) in own where owners.map({ types.isEmpty || !types.isDisjoint(with: $0) }) ?? true {
        if mayReach(next, &visited) { return true }
      }
    }
    return false
  }

  /// Returns the types that the receiver of a call may have, or `nil` if they are not known: `adapter.open(url)`,
  /// `Adapter.shared.open(url)`.
  private func receivers(of index: Int, in scan: SourceScan) -> Set<String>? {
    guard scan.code.isSymbol(".", at: index - 1) else { return nil }
    let isOptional = scan.code.isSymbol("?", at: index - 2) || scan.code.isSymbol("!", at: index - 2)
    let place = isOptional ? index - 3 : index - 2
    guard let receiver = scan.code.token(place)?.word, receiver != "self" else { return nil }
    let isShared =
      ["shared", "default", "instance"].contains(receiver) && scan.code.isSymbol(".", at: place - 1)
    let name = isShared ? scan.code.token(place - 2)?.word ?? "" : receiver
    let found = name.first?.isUppercase == true ? [name] : types[name] ?? []
    var all = found
    // Types may conform to one through another.
    for _ in 0..<4 { all.formUnion(all.flatMap { heirs[$0] ?? [] }) }
    return found.isEmpty || !found.allSatisfy { heirs[$0] != nil } ? nil : all
  }
}

/// The functions of code, and what they do with a URL.
extension SourceCode {
  /// Returns whether a function reads Info.plist by a key that is not a literal: `object(forInfoDictionaryKey: key)`.
  func readsInfo(after start: Int) -> Bool {
    bodyContains(after: start) { index in
      guard let word = token(index)?.word, InfoKey.names.contains(word) else { return false }
      return tokens[(index + 1)...].prefix(4).contains { $0.word != nil }
        && !tokens[(index + 1)...].prefix(4).contains { $0.text != nil }
    } == true
  }

  /// Returns the name of the type in whose block a token is, or `nil` if it is in another block.
  func typeName(around index: Int) -> String? {
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

  private static let otherOwners: Set<String> = [
    "GIDSignIn", "ApplicationDelegate", "RCTLinkingManager", "CAPBridge", "ApplicationDelegateProxy", "Auth",
    "DynamicLinks", "Branch", "currentAuthorizationFlow", "UIApplication", "NotificationCenter", "logger",
    "Logger",
    "super",
  ]

  private static let declaring: Set<String> = ["class", "struct", "actor", "enum", "protocol", "extension"]

  /// Returns the classes that are app delegates and not scene delegates, so that the system never calls a scene delegate's
  /// method in them.
  ///
  /// Source: Apple, `UISceneConfiguration.delegateClass`, which has to conform to `UISceneDelegate`.
  static func appDelegates(_ scans: [SourceScan]) -> Set<String> {
    var roles: [String: Set<String>] = [:]
    for (type, parents) in scans.flatMap(\.code.parents) { roles[type, default: []].formUnion(parents) }
    for case (let name?, let delegate) in scans.flatMap(\.delegateClasses) {
      roles[name, default: []].insert(
        delegate.value == .sceneDelegate ? "UIWindowSceneDelegate" : "UIApplicationDelegate")
    }
    return Set(
      roles.filter { roles in
        roles.value.contains("UIApplicationDelegate") && !roles.value.contains { $0.contains("Scene") }
      }.keys)
  }

  /// The types that the file declares or extends, each with what it inherits from or conforms to.
  var parents: [(type: String, parents: Set<String>)] {
    tokens.indices.compactMap { index in
      guard let word = token(index)?.word, Self.declaring.contains(word), let name = token(index + 1)?.word,
        name.first?.isUppercase == true
      else { return nil }
      let head = tokens[(index + 2)...].prefix(Self.headLimit).prefix {
        !$0.isSymbol("{") && $0.word != "where"
      }
      return (name, head.first?.isSymbol(":") == true ? Set(head.compactMap(\.word)) : [])
    }
  }

  /// The types of variables and parameters, by name: `let name: Type`, `name = Type(…)`; an empty text is another value.
  var variableTypes: [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for index in tokens.indices {
      guard let name = token(index)?.word, name.first?.isLowercase == true else { continue }
      if isSymbol(":", at: index + 1), let type = token(index + 2)?.word, type.first?.isUppercase == true {
        found[name, default: []].insert(
          isSymbol("(", at: index + 3) || isSymbol(".", at: index + 3) ? "" : type)
      } else if ["let", "var"].contains(token(index - 1)?.word), isSymbol("=", at: index + 1) {
        let type = token(index + 2)?.word ?? ""
        let isMade = isSymbol("(", at: index + 3) || token(index + 4)?.word == "shared"
        found[name, default: []].insert(isMade && type.first?.isUppercase == true ? type : "")
      }
    }
    return found
  }

  /// Returns whether a handler of SwiftUI mentions the URL that it gets: `.onOpenURL { url in … }`, `.onOpenURL(perform: …)`.
  func handlerUsesURL(at index: Int) -> Bool {
    guard isSymbol("{", at: index + 1) else { return true }
    let start = isSymbol("(", at: index + 2) ? index + 3 : index + 2
    let name = token(start)?.word
    let mark = tokens[start...].prefix(8).firstIndex { $0.word == "in" }
    guard let mark, let name else {
      return bodyContains(after: index) { isSymbol("$", at: $0) } != false
    }
    return bodyContains(after: index) { $0 > mark && token($0)?.word == name } != false
  }

  /// Returns whether tokens have one of the names of a URL, or the value of a closure: `$0`.
  func holdsURL(_ tokens: ArraySlice<SourceToken>, _ names: Set<String>) -> Bool {
    tokens.contains { $0.isSymbol("$") || $0.word.map(names.contains) ?? false }
  }

  /// The functions and types to which code passes a URL without any effect.
  private static let plain: Set<String> = [
    "print", "debugPrint", "dump", "NSLog", "log", "debug", "info", "error", "warning", "notice", "if",
    "guard",
    "switch", "while", "contains", "canOpenURL", "URL", "URLComponents", "URLRequest", "String", "Task",
  ]

  /// Returns whether code passes a URL to a function or an initialiser here: `other(url)`, `Route(url: url)`.
  func passes(_ urls: Set<String>, at index: Int) -> Bool {
    guard let name = token(index)?.word, !Self.plain.contains(name), isSymbol("(", at: index + 1) else {
      return false
    }
    return holdsURL(tokens[(index + 2)...].prefix(4), urls)
  }

  /// Returns whether code assigns a URL to something other than its own constants: `self.pending = url`.
  func storesURL(_ urls: Set<String>, in range: Range<Int>) -> Bool {
    range.contains { index in
      guard isSymbol("=", at: index), !["=", "!", "<", ">"].contains(where: { isSymbol($0, at: index - 1) }),
        !isSymbol("=", at: index + 1), !["let", "var"].contains(token(index - 2)?.word)
      else { return false }
      return holdsURL(tokens[(index + 1)...].prefix(8), urls)
    }
  }

  /// The tokens from here to the end of the next block in braces.
  func bodyRange(after start: Int) -> Range<Int> {
    var depth = 0
    let end = min(start + Self.methodLimit, tokens.count)
    for current in start..<end {
      if isSymbol("{", at: current) { depth += 1 }
      if isSymbol("}", at: current) {
        depth -= 1
        if depth == 0 { return start..<current }
      }
    }
    return start..<end
  }

  /// Returns whether the next block in braces contains one of some words.
  func bodyUses(_ names: Set<String>, after start: Int) -> Bool {
    bodyContains(after: start) { token($0)?.word.map(names.contains) == true } == true
  }

  /// Returns whether the next block in braces contains a token at whose index a condition holds, or `nil` if the code has
  /// no such block, or none that ends soon.
  func bodyContains(after start: Int, where holds: (Int) -> Bool) -> Bool? {
    let range = bodyRange(after: start)
    guard let open = range.first(where: { isSymbol("{", at: $0) || isSymbol(";", at: $0) }),
      isSymbol("{", at: open)
    else { return nil }
    if (open..<range.upperBound).contains(where: holds) { return true }
    return isSymbol("}", at: range.upperBound) ? false : nil
  }

  /// Returns whether `guard let` or `if let` binds the value of an expression that ends here.
  func isBound(at index: Int) -> Bool {
    var current = index - 1
    while current > index - 16, let token = token(current), !token.isSymbol("{"), !token.isSymbol("}") {
      if token.word == "let" {
        let isBinding =
          ["guard", "if"].contains(self.token(current - 1)?.word) || isSymbol(",", at: current - 1)
        return isBinding && isSymbol("=", at: current + 2)
      }
      current -= 1
    }
    return false
  }

  private static let propertyLimit = 60

  /// Returns the beginning of the value of a property that computes it in one expression, whose block begins here, or
  /// `nil` for any other block: `{ URL(string: "…")! }`, `{ return address }`, `{ get { "…" } }`.
  func computedValue(at start: Int) -> Int? {
    guard isSymbol("{", at: start) else { return nil }
    if token(start + 1)?.word == "get", isSymbol("{", at: start + 2) { return computedValue(at: start + 2) }
    let others: Set = ["let", "var", "if", "guard", "switch", "get", "set", "for", "didSet", "willSet"]
    for current in (start + 1)..<min(start + Self.propertyLimit, tokens.count) {
      if isSymbol("}", at: current) { return token(start + 1)?.word == "return" ? start + 2 : start + 1 }
      // A condition has several values.
      let isOptional = isSymbol("?", at: current) && [".", "["].contains { isSymbol($0, at: current + 1) }
      if isSymbol("{", at: current) || isSymbol("?", at: current) && !isOptional { return nil }
      if others.contains(token(current)?.word ?? "") { return nil }
    }
    return nil
  }

  /// Returns whether a name begins a statement, as in `name = …` and `self.name = …`, and not a declaration.
  func beginsStatement(_ index: Int) -> Bool {
    let isOwn = isSymbol(".", at: index - 1) && token(index - 2)?.word == "self"
    let first = isOwn ? index - 2 : index
    guard let before = token(first - 1) else { return false }
    return ["{", "}", ";"].contains { isSymbol($0, at: first - 1) }
      || before.line != tokens[first].line && !before.isSymbol("*")
  }

  /// Returns the delegate whose method contains a position, or `nil` for any other method.
  func context(of index: Int) -> URLForwarding? {
    for current in tokens[max(0, index - Self.methodLimit)..<index].indices.reversed() {
      switch tokens[current].word {
      case "onOpenURL", "openURLContexts": return .sceneDelegate
      case "application" where isSymbol("(", at: current + 1) || isSymbol(":", at: current + 1):
        return .appDelegate
      case "func": return nil
      case nil where language == .objectiveC && isMethodStart(current): return nil
      default: continue
      }
    }
    return nil
  }

  /// Returns the delegate whose method for URLs a method resembles without being it, so that the system never calls it:
  /// `scene(_: UIScene, openURLContext: Set<UIOpenURLContext>)`.
  func strayMethod(at index: Int) -> URLForwarding? {
    let isSwift = token(index)?.word == "func"
    guard isSwift || language == .objectiveC && isMethodStart(index) else { return nil }
    let head = tokens[(index + 1)...].prefix(Self.listLimit).prefix { !$0.isSymbol("{") && !$0.isSymbol(";") }
    var depth = 0
    var parts: [String] = []
    for place in head.indices {
      if isSymbol("(", at: place) { depth += 1 }
      if isSymbol(")", at: place) { depth -= 1 }
      guard let word = token(place)?.word else { continue }
      let isLabel = isSymbol("(", at: place - 1) || isSymbol(",", at: place - 1)
      let isOwn =
        isSwift ? place == index + 1 || depth == 1 && isLabel : depth == 0 && isSymbol(":", at: place + 1)
      if isOwn { parts.append(word) }
    }
    let types = Set(head.compactMap(\.word))
    let isOfScene = types.isSuperset(of: ["UIScene", "UIOpenURLContext"])
    guard isOfScene || types.contains("UIApplication") && !types.isDisjoint(with: ["URL", "NSURL"]),
      let name = parts.first,
      [isOfScene ? "scene" : "application"].closestSpelling(to: name, most: 2) != nil
    else { return nil }
    let wanted = Self.methods.filter { ($0[0] == "scene") == isOfScene }
    let own = parts.filter { $0 != "_" }
    // The name of Objective-C was Swift's too, as long as the options had no type of their own.
    let isOfObjectiveC = isSwift && own.contains("openURL") && types.contains("OpenURLOptionsKey")
    return wanted.contains(own) && !isOfObjectiveC ? nil : isOfScene ? .sceneDelegate : .appDelegate
  }

  /// The names of the methods with which the system passes a URL to a delegate, in Swift and in Objective-C.
  ///
  /// Source: Apple, `UIApplicationDelegate`, `UISceneDelegate`.
  private static let methods = [
    ["scene", "openURLContexts"], ["application", "open", "options"], ["application", "openURL", "options"],
    ["application", "open", "sourceApplication", "annotation"],
    ["application", "openURL", "sourceApplication", "annotation"], ["application", "handleOpen"],
    ["application", "handleOpenURL"],
  ]

  /// Returns whether a method of Objective-C begins here: `- (BOOL)`, at the beginning of a line.
  func isMethodStart(_ index: Int) -> Bool {
    (isSymbol("-", at: index) || isSymbol("+", at: index)) && isSymbol("(", at: index + 1)
      && token(index - 1)?.line != tokens[index].line
  }
}
