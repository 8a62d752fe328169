import SSOCore
import SSOReference

/// A name of a secret in a sentence, such as `password` or `hasło`.
struct SecretLabel: Sendable {
  enum Form: String, CaseIterable, Sendable {
    case password
    /// A secret that a program uses.
    case opaque
    /// A word that also names what is not secret; a secret behind it is a random text.
    case key
    /// A word for nothing but a code that the user reads and types.
    case oneTimeCode
    /// A word for a code of any kind.
    case code
    /// A verb for what a user does with a code or a password.
    case typed
    /// A word for a message that brings a code.
    case message
    /// A word for one of two secrets, which are compared: `old one: …, new one: …`.
    case oneOfTwo
    /// A word for a code that stands in for a lost device, which may have letters.
    case recoveryCode
    /// The end of a function's name that signs in with what it is given.
    case call
    /// A word for a user, behind whose name a password may stand.
    case user
  }

  /// The name in UTF-8, in lowercase.
  let text: [UInt8]
  let form: Form
  let isASCII: Bool
  /// Whether the name is of a script with blanks between its words and an alphabet like that of passwords.
  let isLatin: Bool
  /// Whether the name is English.
  let isEnglish: Bool

  private static let english = Set(WordList.named("SecretLabel.english"))

  private init(_ text: String, _ form: Form) {
    (self.text, self.form) = (Array(text.utf8), form)
    isEnglish = Self.english.contains(text)
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    isLatin = text.unicodeScalars.allSatisfy { $0.value < 0x250 || (0x1E00..<0x1F00).contains($0.value) }
  }

  /// Returns the names that begin with a byte, the longest first.
  static func beginning(with byte: UInt8) -> [SecretLabel] { table[Int(byte.isLetter ? byte | 0x20 : byte)] }

  private static let table: [[SecretLabel]] = {
    var table = [[SecretLabel]](repeating: [], count: 256)
    for form in Form.allCases {
      for name in WordList.named("SecretLabel." + form.rawValue) {
        let label = SecretLabel(name, form)
        table[Int(label.text[0])].append(label)
      }
    }
    return table.map { $0.sorted { $0.text.count > $1.text.count } }
  }()
}

extension SecretLabel {
  /// Returns whether a text is the name of a secret, and nothing else.
  static func isWhole(_ text: String) -> Bool {
    let name = Array(text.lowercased().utf8)
    guard let first = name.first else { return false }
    return beginning(with: first).contains { $0.text == name && $0.namesSecret }
  }

  /// Returns whether a text ends with the name of a secret, and does not say that something is wrong with it: `New password`.
  static func ends(_ text: String) -> Bool {
    let lower = text.lowercased()
    let words = Array(lower.utf8)
    return !SecretWords.ofFailures.contains(where: lower.contains)
      && table.lazy.joined().contains { label in
        let start = words.count - label.text.count
        return label.namesSecret && start >= 0 && words[start...].elementsEqual(label.text)
          && (start == 0 || !words[start - 1].isLetter && words[start - 1] < 0x80 || !label.isLatin)
      }
  }

  /// Returns whether a text names recovery codes, or several codes that are used once.
  static func namesCodes(_ text: String) -> Bool {
    let lower = text.lowercased()
    return lists.contains(where: lower.contains)
  }

  private static let lists: [String] = table.joined().compactMap { label in
    let name = String(decoding: label.text, as: UTF8.self)
    return switch label.form {
    case .recoveryCode: name
    case .oneTimeCode: name.utf8.count > 5 && label.isASCII ? name + "s" : nil
    case .password, .opaque, .key, .code, .typed, .message, .oneOfTwo, .call, .user: nil
    }
  }

  private var namesSecret: Bool {
    switch form {
    case .password, .oneTimeCode, .recoveryCode: true
    case .opaque: text.count > 5
    case .key, .code, .typed, .message, .oneOfTwo, .call, .user: false
    }
  }
}
