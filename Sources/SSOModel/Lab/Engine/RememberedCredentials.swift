/// A cache for keychain queries at a moment that does not change.
///
/// The rows of a list make one dry run after another, and each needs the same app metadata, refresh tokens,
/// and accounts. Only small results are cached.
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
