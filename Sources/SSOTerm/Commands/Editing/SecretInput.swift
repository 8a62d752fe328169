import Essentials

/// Where the value of a secret field is read from.
///
/// As an argument it would be seen by every user of the machine, and kept by the shell.
struct SecretInput {
  /// The first line of standard input, read once.
  var readLine: () -> String? = StandardStreams.readLine
  /// Values that were made here, to be shown once: `password: …`.
  private(set) var made: [String] = []

  /// The change with its secret.
  ///
  /// `-` is the first line of standard input, `@FILE` that of a file, `new` a random one. What is no secret, or takes one
  /// away, stays as it is.
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

  /// 160 bits, in letters that no shell and no URL minds.
  private static func random() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz234567")
    var system = SystemRandomNumberGenerator()
    return String((0..<28).map { _ in letters[Int.random(in: letters.indices, using: &system)] })
  }
}
