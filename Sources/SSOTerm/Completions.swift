import ArgumentParser

/// The completions of names in a shell.
extension CompletionKind {
  /// The scenarios that can be found from here.
  static var scenario: CompletionKind { .custom { _, _, _ in ScenarioLibrary.ofProgram.names() } }

  /// The bundle IDs of the apps, and their last components if these are unambiguous.
  static var app: CompletionKind {
    .custom { words, _, _ in
      let names = names(of: .app, for: words)
      let ends = names.compactMap { $0.split(separator: ".").last.map(String.init) }
      return names + ends.filter { end in ends.count { $0 == end } == 1 }
    }
  }

  /// The usernames of the accounts that are signed in.
  static var account: CompletionKind { .custom { words, _, _ in read(words) { try $0.names.usernames() } } }

  /// The IDs of the credentials as `ssoterm tokens` prints them.
  static var credential: CompletionKind {
    .custom { words, _, _ in read(words) { try $0.tokens.rows(TokenFilter()).map(\.id) } }
  }

  /// Returns a completion for the names of the store's records of a kind.
  static func records(_ kind: RecordKind) -> CompletionKind {
    .custom { words, _, _ in names(of: kind, for: words) }
  }

  /// Returns the names of the records, or none without a store, because completion never creates one.
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
