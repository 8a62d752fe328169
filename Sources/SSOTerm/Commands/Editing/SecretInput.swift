import Essentials

/// The source of the value of a secret field.
///
/// A value in an argument would be visible to every user of the machine and saved in the shell's history.
struct SecretInput {
  /// Reads the first line of standard input, which can be read only once.
  var readLine: () -> String? = StandardStreams.readLine
  /// The generated values, in the form `password: …`, to be shown once.
  private(set) var made: [String] = []

  /// Returns the change with its secret filled in.
  ///
  /// `-` stands for the first line of standard input, `@FILE` for the first line of a file, and `new` for a random
  /// value. A change that is not for a secret, or that removes one, is returned unchanged.
  mutating func resolve(_ change: FieldChange, of kind: RecordKind) throws -> FieldChange {
    guard change.isSecret, !change.value.isEmpty else { return change }
    var change = change
    switch change.value {
    case "-": change.value = try line(readLine(), of: change.field)
    case "new" where change.operation != .remove:
      change.value = Self.random()
      made.append("\(change.field): \(change.value)")
    case let word where word.hasPrefix("@"):
      let (_, data) = try readFile(String(word.dropFirst()))
      let text = String(decoding: data, as: UTF8.self)
      change.value = try line(text.split(separator: "\n").first.map(String.init), of: change.field)
    default:
      throw CommandFailure(
        usage: "The value of \(change.field) is not taken from the command line.",
        why: "every user of this machine can read it there, and the shell remembers it",
        next: "ssoterm \(kind.rawValue) set NAME \(change.field)\(change.operation.rawValue)- < FILE")
    }
    return change
  }

  private func line(_ text: String?, of field: String) throws -> String {
    let text = text.map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 } ?? ""
    guard !text.isEmpty else {
      throw CommandFailure(
        usage: "There is no value for \(field).", why: "the first line is empty",
        next: "an empty value removes the field: \(field)=")
    }
    return text
  }

  /// Returns 160 random bits as characters that need no quoting in a shell or a URL.
  private static func random() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz234567")
    var system = SystemRandomNumberGenerator()
    return String((0..<28).map { _ in letters[Int.random(in: letters.indices, using: &system)] })
  }
}
