/// The places in which a word that is a code elsewhere is only a part of a name.
extension Explanation {
  /// Returns whether a part of a text is in a path: `src/auth/user-not-found.tsx` does not contain a code of Firebase.
  static func isInPath(_ text: String, _ place: Range<Int>) -> Bool {
    let after = text.utf8.dropFirst(place.upperBound).prefix(2)
    return place.lowerBound > 0 && text.utf8.dropFirst(place.lowerBound - 1).first == UInt8(ascii: "/")
      || after.first == UInt8(ascii: ".") && after.count == 2 && after.last != UInt8(ascii: " ")
  }

  /// Returns whether a part of a text is a lowercase word behind a dot, as in the name of a package or a host:
  /// `com.contoso.credentialssignin`.
  static func isInPackage(_ text: String, _ place: Range<Int>) -> Bool {
    let around = text.utf8.dropFirst(max(0, place.lowerBound - 2)).prefix(place.count + 2)
    guard place.lowerBound > 1, let first = around.first, isLowercase(first) else { return false }
    return around.dropFirst().first == UInt8(ascii: ".") && around.dropFirst(2).allSatisfy(isLowercase)
  }

  private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
