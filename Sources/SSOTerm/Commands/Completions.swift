import ArgumentParser

/// Names that a shell completes.
extension CompletionKind {
  /// The scenarios that can be found here.
  static var scenario: CompletionKind { .custom { _, _, _ in ScenarioLibrary().names() } }

  /// The bundle IDs of the apps, and their last parts, which are enough where they are unambiguous.
  static var app: CompletionKind {
    .custom { words, _, _ in
      let names = names(of: .app, for: words)
      let ends = names.compactMap { $0.split(separator: ".").last.map(String.init) }
      return names + ends.filter { end in ends.count { $0 == end } == 1 }
    }
  }

  /// The usernames of those who are signed in.
  static var account: CompletionKind { .custom { words, _, _ in read(words) { try $0.names.usernames() } } }

  /// The IDs of the credentials, as `ssoterm tokens` prints them.
  static var credential: CompletionKind {
    .custom { words, _, _ in read(words) { try $0.tokens.rows(TokenFilter()).map(\.id) } }
  }

  /// The names of the store's records of a kind.
  static func records(_ kind: RecordKind) -> CompletionKind {
    .custom { words, _, _ in names(of: kind, for: words) }
  }

  /// Completing never makes a store, so without a store there are no names.
  private static func names(of kind: RecordKind, for words: [String]) -> [String] {
    read(words) { try $0.records.rows(kind).map(\.name) }
  }

  private static func read(_ words: [String], _ body: (LabReader) throws -> [String]) -> [String] {
    let named = words.firstIndex(of: "--store").map { words[($0 + 1)...].first ?? "" }
    guard let store = try? named ?? GlobalOptions.storePathOfEnvironment(),
      let lab = try? Lab.open(storeLocation(option: store), creating: { nil }).lab
    else { return [] }
    return (try? lab.read { try body($0) }) ?? []
  }
}
