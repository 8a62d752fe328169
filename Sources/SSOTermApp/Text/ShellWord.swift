/// `text` as one word of a shell, quoted only where it has to be.
package func shellWord(_ text: String) -> String {
  let isPlain =
    !text.isEmpty
    && text.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x40...0x5A).contains($0) || (0x2B...0x3A).contains($0) || $0 == 0x5F
    }
  guard !isPlain else { return text }
  return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
