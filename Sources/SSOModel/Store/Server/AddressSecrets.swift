extension LabAddress {
  /// Returns a sentence with `***` in place of the passwords in it.
  ///
  /// Users type addresses where they do not belong, such as `lab remove ada:hush@host/qa`, and an error quotes them. It
  /// masks the password of each `person:password@host`, and the value of each field for a secret, such as `password =
  /// hush`.
  package static func masked(sentence: String) -> String {
    guard sentence.contains("@") || sentence.contains("=") else { return sentence }
    var end: ValueEnd?
    return sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
      switch end {
      case .word:
        end = isOpen(word) ? .quote : nil
        return "***"
      case .quote:
        end = word.contains("'") ? nil : .quote
        return "***"
      case .sign where word.hasPrefix("="):
        end = word == "=" ? .word : isOpen(word.dropFirst()) ? .quote : nil
        return word == "=" ? "=" : "=***"
      case .sign, nil:
        let masked = maskedFields(maskedPerson(String(word)))
        end = masked.valueEnd
        return masked.text
      }
    }
    .joined(separator: " ")
  }

  /// The end of the value of a field that began in the words before.
  private enum ValueEnd {
    /// The name is read; `=` may follow.
    case sign
    /// `=` is read; the next word is the value.
    case word
    /// The value began with `'`, and ends with the next one.
    case quote
  }

  /// Masks the password in `scheme://person:password@host`, even without the scheme or the slashes.
  private static func maskedPerson(_ word: String) -> String {
    let start = word.firstRange(of: "//")?.upperBound ?? word.startIndex
    let authority = word[start...].prefix { !"/?#".contains($0) }
    guard let end = authority.lastIndex(of: "@"),
      let colon = authority[..<end].firstIndex(where: { $0 == ":" || $0 == "%" }),
      !["mailto:", "auto:"].contains(where: word.hasPrefix)
    else {
      return word
    }
    return word[..<colon] + ":***" + word[end...]
  }

  /// Masks the values in `host=h&password=hush`, also after a `?`.
  private static func maskedFields(_ word: String) -> (text: String, valueEnd: ValueEnd?) {
    var end: ValueEnd?
    let fields = word.split(separator: "&", omittingEmptySubsequences: false).map { field in
      let sign = field.firstIndex(of: "=") ?? field.endIndex
      let nameStart =
        field[..<sign].lastIndex { "?“\"".contains($0) }.map(field.index(after:)) ?? field.startIndex
      guard isSecret(Substring(field[nameStart..<sign].lowercased())) else { return String(field) }
      guard sign < field.endIndex else {
        end = .sign
        return String(field)
      }
      let value = field[field.index(after: sign)...]
      // A command to copy reads the value from its input, or has a word in its place.
      guard !["-", "PASSWORD", "SECRET"].contains(String(value)) else { return String(field) }
      end = value.isEmpty ? .word : isOpen(value) ? .quote : nil
      return value.isEmpty ? String(field) : field[...sign] + "***"
    }
    return (fields.joined(separator: "&"), end)
  }

  private static func isOpen(_ value: Substring) -> Bool {
    value.hasPrefix("'") && !value.dropFirst().contains("'")
  }
}
