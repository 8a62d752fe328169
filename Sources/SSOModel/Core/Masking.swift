/// Returns the masked form of a secret: `eyJ0…[masked 1412 chars]`, or `[masked 12 chars]` for a short one.
package func masked(_ secret: String) -> String {
  let count = secret.unicodeScalars.count
  guard count > 24 else { return "[masked \(count) chars]" }
  var head = ""
  for scalar in secret.unicodeScalars.prefix(4) where scalar.value > 0x20 && scalar.value < 0x7F {
    head.unicodeScalars.append(scalar)
  }
  return head + "…[masked \(count) chars]"
}

/// Returns whether ``masked(_:)`` produced this string.
package func isMasked(_ text: some StringProtocol) -> Bool {
  text.utf8.count < 48 && text.hasSuffix(" chars]") && text.contains("[masked ")
}
