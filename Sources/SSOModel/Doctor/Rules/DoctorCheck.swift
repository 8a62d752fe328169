/// One rule asked of one app or registration: what was expected and found, where, and what to write instead.
package struct DoctorCheck: Hashable, Sendable {
  /// What a check that failed means for the person.
  package enum Severity: String, CaseIterable, Hashable, Sendable {
    case fails = "fails"
    /// It works for some accounts, settings or builds, and not as meant for others.
    case worksInSomeCases = "works in some cases"
    case notFilledIn = "not filled in yet"
  }

  /// What the SDK or the provider says where the rule is broken.
  package struct Refusal: Hashable, Sendable {
    /// `-42001`, `AADSTS50011`: `ssoterm explain` knows it.
    package var code: String
    package var text: String

    package init(_ code: String, _ text: String) {
      self.code = code
      self.text = text
    }

    /// As the provider words it, behind its number.
    init(_ code: AADSTSCode, _ words: String) { self.init(code.text, "\(code.text): \(words)") }

    /// As the app gets it.
    package init(_ error: SDKError) { self.init(String(error.preciseCode), error.printed) }
  }

  package var rule: DoctorRule
  /// The app or registration.
  package var subject: String
  package var check: Check
  package var severity = Severity.fails
  /// Where it is, or would have to be.
  package var place: FilePlace
  package var refusal: Refusal?
  /// The lines to write instead.
  package var fix: String?

  package var hasFailed: Bool { check.verdict == .failed }

  /// What the code means, and what developers do about it.
  package var explanations: [Explanation] { refusal.map { Explanation.find(in: $0.code) } ?? [] }
}
