/// The one way untrusted text gets into output: control and bidirectional characters spelt out as
/// `<U+001B>`, exactly as the screens show them, and right-to-left text kept apart from what is beside it.
package func safe(_ text: String) -> String { isolated(truncated(text, .max)) }

/// `text`, or a dash where there is nothing to show.
package func dashed(_ text: String?) -> String {
  guard let text, !text.isEmpty else { return "-" }
  return text
}

/// `1 app`, `2 apps`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}
