import ArgumentParser

/// Names that a shell completes.
extension CompletionKind {
  /// The scenarios that can be found here.
  static var scenario: CompletionKind { .custom { _, _, _ in ScenarioLibrary().names() } }

  /// The bundle IDs of the apps.
  static var app: CompletionKind { .records(.app) }

  /// The names of the store's records of a kind.
  static func records(_ kind: RecordKind) -> CompletionKind {
    .custom { words, _, _ in names(of: kind, for: words) }
  }

  /// Completing never makes a store, so without a store there are no names.
  private static func names(of kind: RecordKind, for words: [String]) -> [String] {
    let named = words.firstIndex(of: "--store").map { words[($0 + 1)...].first ?? "" }
    guard let store = try? named ?? GlobalOptions.storePathOfEnvironment(),
      let lab = try? Lab.open(storeLocation(option: store), creating: { nil }).lab
    else { return [] }
    return (try? lab.read { try $0.records.rows(kind) }.map(\.name)) ?? []
  }
}
