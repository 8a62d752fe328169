/// The one way a secret is shown: `eyJ0…[masked 1412 chars]`, or just `[masked 12 chars]` for short ones.
package func masked(_ secret: String) -> String {
  let count = secret.unicodeScalars.count
  guard count > 24 else { return "[masked \(count) chars]" }
  var head = ""
  for scalar in secret.unicodeScalars.prefix(4) where scalar.value > 0x20 && scalar.value < 0x7F {
    head.unicodeScalars.append(scalar)
  }
  return head + "…[masked \(count) chars]"
}

/// Whether a text is one that ``masked(_:)`` made.
package func isMasked(_ text: some StringProtocol) -> Bool {
  text.utf8.count < 48 && text.hasSuffix(" chars]") && text.contains("[masked ")
}
