import SSOCore

/// The names behind the masks of a log.
///
/// They are known by the hash that the SDKs themselves compute for the lab's users and apps (IdentityCore
/// `logger/MSIDMaskedHashableLogParameter.m`, `MSIDMaskedUsernameLogParameter.m`).
package struct KnownPeople: Sendable {
  private var names: [String: String] = [:]

  package init() {}

  /// Returns the first eight digits of a value's SHA-256 hash, in lowercase.
  static func hash(_ value: String) -> String { String(sha256Hex(value).prefix(8)) }

  /// Returns a username's mask, `auth.placeholder-<hash of the part before @>__<domain>`, in lowercase, or `nil`
  /// without a domain.
  static func placeholder(_ username: String) -> String? {
    let halves = username.lowercased().split(separator: "@", maxSplits: 1)
    guard halves.count == 2 else { return nil }
    return "auth.placeholder-\(hash(String(halves[0])))__\(halves[1])"
  }

  /// Shows `name` wherever `value` is masked.
  package mutating func add(_ value: String, as name: String) {
    guard value.count > 2 else { return }
    names[Self.hash(value)] = name
    if let placeholder = Self.placeholder(value) { names[placeholder] = name }
  }

  /// Adds a username, and the IDs by which the SDKs know the account.
  package mutating func add(username: String, homeAccountID: String) {
    add(username, as: username)
    add(homeAccountID, as: username)
    if let user = homeAccountID.split(separator: ".").first { add(String(user), as: username) }
  }

  package var isEmpty: Bool { names.isEmpty }

  /// Returns the text with the known names added to their masks, and the names that were found.
  func revealed(_ text: String) -> (text: String, names: [String]) {
    guard !names.isEmpty else { return (text, []) }
    var found: [String] = []
    var output = ""
    var word = ""
    func close() {
      defer { word = "" }
      // The full stop of a sentence is not part of the name before it.
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
