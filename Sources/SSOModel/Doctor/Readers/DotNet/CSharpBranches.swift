/// The branches of conditional compilation in C# that are part of an app for one system.
enum CSharpBranches {
  private static let android: Set<Substring> = ["ANDROID", "__ANDROID__", "MONOANDROID"]
  private static let iOS: Set<Substring> = ["IOS", "__IOS__"]
  private static let others: Set<Substring> = [
    "MACCATALYST", "__MACCATALYST__", "__MACOS__", "WINDOWS", "WINDOWS_UWP", "TIZEN", "NETFX_CORE",
  ]

  /// Returns the value of a symbol in a build for a system (.NET MAUI, Xamarin), or `nil` if it is not known.
  private static func value(ofSymbol symbol: Substring, _ system: DotNetCode.System) -> Bool? {
    let own = system == .android ? android : iOS
    if own.contains(symbol) { return true }
    return others.contains(symbol) || android.contains(symbol) || iOS.contains(symbol) ? false : nil
  }

  /// Returns a source in which the lines of the branches that a build for a system omits are empty.
  static func of(_ text: String, for system: DotNetCode.System) -> String {
    guard text.contains("#if") else { return text }
    // Whether the current branch is compiled, and whether an earlier one of the same condition certainly is.
    var stack: [(isCompiled: Bool, isDone: Bool)] = []
    let lines = text.lines.map { line -> Substring in
      let words = line.trimmed
      if words.hasPrefix("#if ") || words.hasPrefix("#if(") {
        let value = value(of: words.dropFirst(3), system)
        stack.append((value != false, value == true))
      } else if words.hasPrefix("#elif"), let last = stack.popLast() {
        let value = last.isDone ? false : value(of: words.dropFirst(5), system)
        stack.append((value != false, last.isDone || value == true))
      } else if words.hasPrefix("#else"), let last = stack.popLast() {
        stack.append((!last.isDone, last.isDone))
      } else if words.hasPrefix("#endif") {
        _ = stack.popLast()
      } else if stack.allSatisfy(\.isCompiled) {
        return line
      }
      return ""
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the value of a condition, or `nil` if it is not known.
  private static func value(of condition: some StringProtocol, _ system: DotNetCode.System) -> Bool? {
    let code = String(condition.prefix { $0 != "/" }.filter { !$0.isWhitespace })
    guard !code.contains("=") else { return nil }
    let inner =
      code.hasPrefix("(") && code.hasSuffix(")") ? String(code.dropFirst().dropLast()) : code
    guard !inner.contains("("), !(inner.contains("&") && inner.contains("|")) else { return nil }
    let terms = inner.split { $0 == "|" || $0 == "&" }.map { term -> Bool? in
      let isNegated = term.hasPrefix("!")
      return value(ofSymbol: isNegated ? term.dropFirst() : term, system).map { $0 != isNegated }
    }
    let isAny = !inner.contains("&")
    if terms.contains(where: { $0 == isAny }) { return isAny }
    return terms.contains { $0 == nil } ? nil : !isAny
  }
}
