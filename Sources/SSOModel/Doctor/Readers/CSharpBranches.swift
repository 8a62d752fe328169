/// The branches of conditional compilation in C# that are part of an app for Android.
enum CSharpBranches {
  /// The symbols whose value is known in a build for Android (.NET MAUI, Xamarin).
  private static let symbols: [Substring: Bool] = [
    "ANDROID": true, "__ANDROID__": true, "MONOANDROID": true, "IOS": false, "__IOS__": false,
    "MACCATALYST": false, "__MACCATALYST__": false, "__MACOS__": false, "WINDOWS": false,
    "WINDOWS_UWP": false, "TIZEN": false, "NETFX_CORE": false,
  ]

  /// Returns a source without the lines of the branches that a build for Android leaves out, which become empty.
  static func forAndroid(_ text: String) -> String {
    guard text.contains("#if") else { return text }
    // Whether the current branch is compiled, and whether an earlier one of the same condition surely is.
    var stack: [(isCompiled: Bool, isDone: Bool)] = []
    let lines = text.lines.map { line -> Substring in
      let words = line.trimmed
      if words.hasPrefix("#if ") || words.hasPrefix("#if(") {
        let value = value(of: words.dropFirst(3))
        stack.append((value != false, value == true))
      } else if words.hasPrefix("#elif"), let last = stack.popLast() {
        let value = last.isDone ? false : value(of: words.dropFirst(5))
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
  private static func value(of condition: some StringProtocol) -> Bool? {
    let code = String(condition.prefix { $0 != "/" }.filter { !$0.isWhitespace })
    guard !code.contains("=") else { return nil }
    let inner =
      code.hasPrefix("(") && code.hasSuffix(")") ? String(code.dropFirst().dropLast()) : code
    guard !inner.contains("("), !(inner.contains("&") && inner.contains("|")) else { return nil }
    let terms = inner.split { $0 == "|" || $0 == "&" }.map { term -> Bool? in
      let isNegated = term.hasPrefix("!")
      return symbols[isNegated ? term.dropFirst() : term].map { $0 != isNegated }
    }
    let isAny = !inner.contains("&")
    if terms.contains(where: { $0 == isAny }) { return isAny }
    return terms.contains { $0 == nil } ? nil : !isAny
  }
}
