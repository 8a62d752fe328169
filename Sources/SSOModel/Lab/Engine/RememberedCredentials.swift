/// Keychain items of a moment that does not change: the answer to a query is kept for the next one.
///
/// Rows of a list try one call after another, and each asks for the same application metadata, refresh tokens and accounts.
/// Only small answers are kept.
final class RememberedCredentials: CredentialReader {
  private let base: any CredentialReader
  private var answers: [KeychainQuery: [KeychainItem]] = [:]

  private static let (answerLimit, itemLimit) = (1_000, 20)

  init(_ base: any CredentialReader) { self.base = base }

  func items(matching query: KeychainQuery) throws -> [KeychainItem] {
    if let answer = answers[query] { return answer }
    let items = try base.items(matching: query)
    if items.count <= Self.itemLimit, answers.count < Self.answerLimit { answers[query] = items }
    return items
  }
}
