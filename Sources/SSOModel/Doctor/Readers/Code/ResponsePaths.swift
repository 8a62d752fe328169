import SSODevice

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
      for (type, parents) in scan.parents {
        heirs[type, default: []].insert(type)
        for parent in parents { heirs[parent, default: []].insert(type) }
      }
      types.merge(scan.variableTypes) { $0.union($1) }
    }
  }

  /// Returns whether a delegate method certainly does not pass the URL to the SDK: it stores the URL nowhere, and calls
  /// only functions that are known and of which the same holds.
  func endsWithout(_ forwarder: SourceScan.Forwarder, in scan: Int) -> Bool {
    // `.onOpenURL(perform: handle)` has no block.
    let file = scans[scan]
    guard !isUnclear,
      file.token(forwarder.body)?.word != "onOpenURL" || file.isSymbol("{", at: forwarder.body + 1)
    else { return false }
    var visited: Set<Body> = []
    return !mayReach(Body(scan: scan, start: forwarder.body), &visited)
  }

  private func mayReach(_ body: Body, _ visited: inout Set<Body>) -> Bool {
    guard visited.insert(body).inserted else { return false }
    let scan = scans[body.scan]
    guard scan.language == .swift else { return true }
    let range = scan.bodyRange(after: body.start)
    let urls = scan.urlNames(after: body.start)
    if scan.callIndices.contains(where: range.contains) || scan.storesURL(urls, in: range) { return true }
    for index in range {
      guard let word = scan.token(index)?.word else { continue }
      if ["NotificationCenter", "post", "super"].contains(word) { return true }
      guard !scan.isOfOtherLibrary(index, after: body.start) else { continue }
      guard let own = bodies[word] else {
        if scan.passes(urls, at: index) { return true }
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
    guard scan.isSymbol(".", at: index - 1) else { return nil }
    let isOptional = scan.isSymbol("?", at: index - 2) || scan.isSymbol("!", at: index - 2)
    let place = isOptional ? index - 3 : index - 2
    guard let receiver = scan.token(place)?.word, receiver != "self" else { return nil }
    let isShared = ["shared", "default", "instance"].contains(receiver) && scan.isSymbol(".", at: place - 1)
    let name = isShared ? scan.token(place - 2)?.word ?? "" : receiver
    let found = name.first?.isUppercase == true ? [name] : types[name] ?? []
    var all = found
    // Types may conform to one through another.
    for _ in 0..<4 { all.formUnion(all.flatMap { heirs[$0] ?? [] }) }
    return found.isEmpty || !found.allSatisfy { heirs[$0] != nil } ? nil : all
  }
}

extension SourceScan {
  private static let declaring: Set<String> = ["class", "struct", "actor", "enum", "protocol", "extension"]

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
}
