/// The secrets in addresses that were typed where none belongs, such as `lab remove postgresql://ada:…@host/db`.
enum AddressSecrets {
  /// Returns a text with `***` in place of the password in each `scheme://person:password@host`, and of each value of a
  /// parameter for a secret, such as `?password=…`.
  static func masked(_ text: String) -> String {
    guard text.contains("@") || text.contains("=") else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { maskedWord(String($0)) }
      .joined(separator: " ")
  }

  private static func maskedWord(_ word: String) -> String {
    var masked = word
    if let start = word.firstRange(of: "//")?.upperBound {
      let authority = word[start...].prefix { !"/?#".contains($0) }
      if let end = authority.lastIndex(of: "@"),
        let colon = authority[..<end].firstIndex(where: { $0 == ":" || $0 == "%" })
      {
        masked = word[..<colon] + ":***" + word[end...]
      }
    }
    guard masked.contains("?") else { return masked }
    return masked.split(separator: "&", omittingEmptySubsequences: false).map { field in
      guard let sign = field.firstIndex(of: "=") else { return String(field) }
      let name = field[..<sign].split(separator: "?").last ?? ""
      return names.contains { name.lowercased().hasSuffix($0) } ? field[...sign] + "***" : String(field)
    }.joined(separator: "&")
  }

  private static let names = ["password", "passwd", "pass", "pwd", "secret", "_key"]
}
