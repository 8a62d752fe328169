/// A record's name and a change of one of its fields, such as `mytestapp1 teamID=X`.
///
/// Both may contain spaces.
struct Setting: Equatable, Sendable {
  var record: String
  var change: FieldChange

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let place = words.firstIndex(where: { $0.contains("=") }), place > 0,
      let change = try? FieldChange(words[place...].joined(separator: " "))
    else { return nil }
    record = words[..<place].joined(separator: " ")
    self.change = change
  }
}
