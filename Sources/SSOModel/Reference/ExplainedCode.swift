/// An enum of the codes that the program raises or compares with.
///
/// The explanation of each is its row in `assets/reference`, which also has the codes that the program never raises.
package protocol ExplainedCode: RawRepresentable, CaseIterable, Hashable, Sendable {
  var family: Explanation.Family { get }
  /// The printed form, such as `-50000`, `AADSTS50011`, or `invalid_grant`.
  var text: String { get }
}

extension ExplainedCode {
  /// The explanation for `ssoterm explain`.
  ///
  /// A test verifies that each code has one.
  package var explanation: Explanation? { family.explanation(of: text) }
  /// The name in the SDK's or Apple's headers.
  ///
  /// Empty if it has none.
  package var name: String { explanation?.name ?? "" }
}

extension ExplainedCode where RawValue == String {
  package var text: String { rawValue }

  package init?(text: String) { self.init(rawValue: text) }
}

/// A numeric code, optionally with letters before the number: 50011 of `AADSTS50011`, -50000.
package protocol NumberedCode: ExplainedCode where RawValue == Int {}

extension NumberedCode {
  package var number: Int { rawValue }
  package var text: String { family.prefix + String(rawValue) }

  package init?(number: Int) { self.init(rawValue: number) }
}
