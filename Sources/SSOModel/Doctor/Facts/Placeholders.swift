import Essentials
import SSOCore
import SSOReference

/// The placeholder strings of samples and templates, which apps must replace.
enum Placeholders {
  private static let parts = WordList.named("Placeholders.parts")

  /// Returns whether a value has a placeholder or an unset variable: `Enter_the_Application_Id_Here`, `YOUR_CLIENT_ID`,
  /// `[Enter your …]`, `msauth://package-name/sha1-hash`.
  static func contain(_ value: String) -> Bool {
    let text = value.lowercased()
    return parts.contains { text.contains($0) } || addressesReader(text) || isBracketed(text)
      || isVariable(value) || isBlank(text) || namesValue(text) || hasToken(text) || isOfOtherScript(value)
  }

  /// Returns whether a value has letters that no ID, host, or URL has without encoding: `여기에_테넌트_ID`.
  private static func isOfOtherScript(_ value: String) -> Bool {
    value.unicodeScalars.contains { !$0.isASCII && $0.properties.isAlphabetic }
  }

  /// Returns whether a text has a name between the signs with which tools for builds mark what they replace:
  /// `__tenant__`, `#{tenant}#`, `{tenant}`, `@@tenant@@`, `%TENANT%`.
  private static func hasToken(_ text: String) -> Bool {
    let isMarked = [("__", "__"), ("{", "}"), ("@@", "@@")].contains { open, close in
      guard let start = text.firstRange(of: open)?.upperBound,
        let end = text[start...].firstRange(of: close)?.lowerBound, start < end
      else { return false }
      return !String(text[start..<end]).isGUID
        && text[start..<end].allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    }
    return isMarked || text.count > 2 && text.hasPrefix("%") && text.hasSuffix("%")
  }

  /// Returns whether a build may replace a value: a variable, or the name of one.
  static func isOfBuild(_ value: String) -> Bool {
    ["$", "{{", "%", "#{", "@"].contains(where: value.contains)
      || isVariable(value) && !value.hasPrefix("YOUR")
  }

  /// The names of values that stand in for the values, in lowercase and without word separators.
  private static let names: Set<String> = [
    "clientid", "applicationid", "appid", "tenantid", "tenantname", "directoryid", "clientsecret",
    "authorityurl", "subdomain", "tenantsubdomain", "policyname", "tenant", "mytenant", "myclientid",
  ]

  /// Returns whether a text, or a part of its path, is the name of a value, however its words are separated: `tenantId`,
  /// `Client ID`, `tenent id`.
  private static func namesValue(_ text: String) -> Bool {
    text.withoutScheme.split(separator: "/").prefix(nameLimit).contains { part in
      guard part.utf8.count < 24 else { return false }
      let letters = part.filter { !" _-'\"".contains($0) }
      return names.contains(letters)
        || letters.utf8.count > 7 && names.closestSpelling(to: letters, most: 1) != nil
    }
  }

  private static let nameLimit = 8

  /// Returns whether a text, or a part of its path, consists only of signs that mark a gap: `------`, `###`, `xxx`.
  private static func isBlank(_ text: String) -> Bool {
    func hasOnlySigns(_ part: some StringProtocol) -> Bool {
      part.allSatisfy { "-#*_?".contains($0) } || part.count > 2 && part.allSatisfy { "-x".contains($0) }
    }
    return !text.isEmpty && hasOnlySigns(text)
      || text.split(separator: "/").contains { $0 != "#" && $0 != "?" && hasOnlySigns($0) }
  }

  /// Returns whether a text has a word that begins with `your`.
  private static func addressesReader(_ text: String) -> Bool {
    text.ranges(of: "your").contains { range in
      range.lowerBound == text.startIndex || !text[text.index(before: range.lowerBound)].isLetter
    }
  }

  /// Returns whether a text has words in angle brackets.
  private static func isBracketed(_ text: String) -> Bool {
    guard let start = text.firstIndex(of: "<") else { return false }
    return text[start...].contains(">")
  }

  /// Returns whether a value, or what follows its last slash, is the name of a variable: `AZURE_CLIENT`.
  private static func isVariable(_ value: String) -> Bool {
    let name = value.split(separator: "/").last ?? ""
    return name.contains("_") && name.allSatisfy { $0.isUppercase || $0 == "_" }
  }
}

/// The form of a client ID, which decides whether the provider can know it.
enum ClientIDForm {
  case valid, empty, placeholder
  /// A literal that is neither a GUID, nor the ID of an old app for personal accounts, nor a placeholder.
  case malformed

  private static let sampleWords = [
    "client", "app", "test", "dummy", "fake", "sample", "example", "mock", "todo", "none", "null",
    "undefined",
  ]

  init(_ value: String) {
    let text = value.trimmed
    let isHexadecimal = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
    }
    self =
      if text.isEmpty {
        .empty
      } else if Placeholders.contain(text) {
        .placeholder
      } else if text.isGUID || text.utf8.count == 16 && isHexadecimal {
        // The SDKs send white space with it, and the provider compares it.
        text == value ? .valid : .malformed
      } else if Self.isNumberedWord(text), Self.sampleWords.contains(where: text.lowercased().contains) {
        .placeholder
      } else {
        .malformed
      }
  }

  /// Returns whether a text has no digits, or is one name that a number follows: `clientID_App1`.
  private static func isNumberedWord(_ text: String) -> Bool {
    guard text.contains(where: \.isNumber) else { return true }
    let name = text[..<(text.lastIndex { !$0.isNumber }.map(text.index(after:)) ?? text.startIndex)]
    return name.allSatisfy { $0.isLetter || "_- ".contains($0) }
  }
}
