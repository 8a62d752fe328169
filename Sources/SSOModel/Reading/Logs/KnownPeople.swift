/// Names behind the masks of a log: what the lab's people and apps give by the SDKs' own hash
/// (IdentityCore `logger/MSIDMaskedHashableLogParameter.m`, `MSIDMaskedUsernameLogParameter.m`).
package struct KnownPeople: Sendable {
  private var names: [String: String] = [:]

  package init() {}

  /// The first eight digits of SHA-256, lower case.
  static func hash(_ value: String) -> String { String(sha256Hex(value).prefix(8)) }

  /// A username is masked as `auth.placeholder-<hash of the part before @>__<domain>`, lower case.
  static func placeholder(_ username: String) -> String? {
    let halves = username.lowercased().split(separator: "@", maxSplits: 1)
    guard halves.count == 2 else { return nil }
    return "auth.placeholder-\(hash(String(halves[0])))__\(halves[1])"
  }

  /// Shows `name` where `value` is masked.
  package mutating func add(_ value: String, as name: String) {
    guard value.count > 2 else { return }
    names[Self.hash(value)] = name
    if let placeholder = Self.placeholder(value) { names[placeholder] = name }
  }

  /// The username, and the IDs by which the SDKs know the account.
  package mutating func add(username: String, homeAccountID: String) {
    add(username, as: username)
    add(homeAccountID, as: username)
    if let user = homeAccountID.split(separator: ".").first { add(String(user), as: username) }
  }

  package var isEmpty: Bool { names.isEmpty }

  /// The text with the names behind its masks, and which names those were.
  func revealed(_ text: String) -> (text: String, names: [String]) {
    guard !names.isEmpty else { return (text, []) }
    var found: [String] = []
    var output = ""
    var word = ""
    func close() {
      defer { word = "" }
      // A sentence's full stop is no part of the name before it.
      let core = word.hasSuffix(".") ? String(word.dropLast()) : word
      guard core.count >= 8, let name = names[core.lowercased()] else {
        output += word
        return
      }
      if !found.contains(name) { found.append(name) }
      output += "\(core) (\(name))" + word.dropFirst(core.count)
    }
    for character in text {
      if character.isLetter || character.isNumber || "._-@".contains(character) {
        word.append(character)
      } else {
        close()
        output.append(character)
      }
    }
    close()
    return (output, found)
  }
}
