/// The placeholder strings of samples and templates, which apps must replace.
enum Placeholders {
  private static let parts = [
    "your_", "your-", "yourclient", "yourapp", "yourcompany", "enter_the", "enter-the", "enter your",
    "enter_your",
    "insert_", "insert your", "replace_", "replace with", "<client", "<your", "<enter", "<tenant", "[enter",
    "[your",
    "{client", "{tenant", "{your", "xxxxxxxx", "client_id_here", "00000000-0000-0000-0000",
    "11111111-1111-1111-1111",
    "placeholder",
  ]

  /// Returns whether a value has a placeholder or an unset variable: `Enter_the_Application_Id_Here`, `YOUR_CLIENT_ID`,
  /// `[Enter your …]`.
  static func contain(_ value: String) -> Bool {
    let text = value.lowercased()
    return text.contains("$(") || text.contains("${") || parts.contains { text.contains($0) }
  }
}
