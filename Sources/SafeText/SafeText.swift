/// Returns `text` with each character that must not be displayed spelled out as `<U+202E>` (see ``ScalarTreatment``).
package func safeText(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E }) { return text }
  var safe = String.UnicodeScalarView()
  var treatments = ScalarTreatments()
  for scalar in text.unicodeScalars {
    if treatments.next(scalar) == .spelledOut {
      safe.append(contentsOf: spelledOut(scalar).unicodeScalars)
    } else {
      safe.append(scalar)
    }
  }
  return String(safe)
}

/// Returns the code point in at least four hexadecimal digits, such as `<U+001B>`.
package func spelledOut(_ scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return "<U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + ">"
}

/// Returns `text` as one word of a POSIX shell, in single quotes only if it needs them.
package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy {
    (0x61...0x7A).contains($0) || (0x40...0x5A).contains($0) || (0x2B...0x3A).contains($0) || $0 == 0x5F
  }
  guard text.isEmpty || !isPlain else { return text }
  return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
