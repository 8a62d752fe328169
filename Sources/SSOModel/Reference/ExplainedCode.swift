/// A code with its explanation, in one literal: the raw value of the enums of codes, so that both are one declaration.
///
/// `"AADSTS50057: The account is disabled. Cause: Blocked in the directory. Remedy: Unblock it."` The code may be followed
/// by its name in the SDK's or Apple's headers; `Not raised here.` ends the entry of a code that this project explains and
/// never raises.
package struct CodeEntry: ExpressibleByStringLiteral, Hashable, Sendable {
  private let literal: String

  package init(stringLiteral literal: String) { self.literal = literal }

  /// The code, its name in headers or an empty string, meaning, cause and remedy; nil if the literal lacks one.
  var fields: (code: String, name: String, meaning: String, cause: String, remedy: String)? {
    guard let colon = literal.firstRange(of: ": "), let cause = literal.firstRange(of: " Cause: "),
      let remedy = literal.firstRange(of: " Remedy: ")
    else { return nil }
    let head = literal[..<colon.lowerBound].split(separator: " ", maxSplits: 1)
    return (
      String(head.first ?? ""), String(head.dropFirst().first ?? ""),
      String(literal[colon.upperBound..<cause.lowerBound]),
      String(literal[cause.upperBound..<remedy.lowerBound]),
      String(literal[remedy.upperBound...].dropLast(isRaisedHere ? 0 : Self.mark.count))
    )
  }

  /// Only the code: what comparing and raising need.
  var code: Substring { literal.prefix { $0 != ":" && $0 != " " } }

  fileprivate static let mark = " Not raised here."
  fileprivate var isRaisedHere: Bool { !literal.hasSuffix(Self.mark) }
}

/// An enum whose cases are codes or words that a person may ask about; each case carries its explanation.
package protocol ExplainedCode: RawRepresentable<CodeEntry>, CaseIterable, Hashable, Sendable {
  var family: Explanation.Family { get }
}

extension ExplainedCode {
  /// As it is printed: `-50000`, `AADSTS50011`, `invalid_grant`, `expiring`.
  package var text: String { String(rawValue.code) }
  /// Its name in the SDK's or Apple's headers; empty if it has none.
  package var name: String { rawValue.fields?.name ?? "" }
  /// False for a code that the real products raise and nothing in this project does.
  ///
  /// A test compares it with the sources.
  package var isRaisedHere: Bool { rawValue.isRaisedHere }
  /// What `ssoterm explain` shows.
  package var explanation: Explanation { Explanation(family, rawValue) }

  package init?(text: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue.code == text }) else { return nil }
    self = found
  }
}

/// A code that is a number, with or without letters before it: 50011 of `AADSTS50011`, -50000.
package protocol NumberedCode: ExplainedCode {}

extension NumberedCode {
  package var number: Int { Int(rawValue.code.drop { $0.isLetter }) ?? 0 }

  package init?(number: Int) {
    guard let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = found
  }
}
