/// Returns untrusted text in the only form in which it may be output.
///
/// Control and bidirectional characters are spelt out as `<U+001B>`, exactly as on the screens, and right-to-left text
/// is isolated from what is beside it.
package func safe(_ text: String) -> String { isolated(truncated(text, .max)) }

/// Returns `text`, or a dash if there is nothing to show.
package func dashed(_ text: String?) -> String {
  guard let text, !text.isEmpty else { return "-" }
  return text
}

/// Returns a count with its noun, such as `1 app` or `2 apps`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}
