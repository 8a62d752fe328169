/// An enum of the codes that the program raises or compares with.
///
/// The explanation of each is its row in `assets/reference`, which also has the codes that the program never raises.
package protocol ExplainedCode: RawRepresentable, CaseIterable, Hashable, Sendable {
  var family: Explanation.Family { get }
  /// As it is printed: `-50000`, `AADSTS50011`, `invalid_grant`.
  var text: String { get }
}

extension ExplainedCode {
  /// What `ssoterm explain` shows; a test holds that each code has it.
  package var explanation: Explanation? { family.explanation(of: text) }
  /// Its name in the SDK's or Apple's headers; empty if it has none.
  package var name: String { explanation?.name ?? "" }
}

extension ExplainedCode where RawValue == String {
  package var text: String { rawValue }

  package init?(text: String) { self.init(rawValue: text) }
}

/// A code that is a number, with or without letters before it: 50011 of `AADSTS50011`, -50000.
package protocol NumberedCode: ExplainedCode where RawValue == Int {}

extension NumberedCode {
  package var number: Int { rawValue }
  package var text: String { family.prefix + String(rawValue) }

  package init?(number: Int) { self.init(rawValue: number) }
}
