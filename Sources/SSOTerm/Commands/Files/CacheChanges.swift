/// The differences between two states of a cache file, by record.
struct CacheChanges {
  /// The records that differ, each with its sign.
  ///
  /// The title of a section that was added or removed also has a sign.
  private var sections: [CacheSection] = []
  private var problems: [InkedText] = []

  /// Compares two states.
  ///
  /// Both are evaluated at the same time, so that no record differs only in its remaining lifetime.
  init(from old: CacheFile, to new: CacheFile, at now: Instant, unmasked: Bool) {
    let before = old.sections(at: now, unmasked: unmasked)
    let after = new.sections(at: now, unmasked: unmasked)
    let titles =
      before.map(\.title) + after.map(\.title).filter { title in !before.contains { $0.title == title } }
    for title in titles {
      let (one, other) = (before.first { $0.title == title }, after.first { $0.title == title })
      let difference = (other?.records ?? []).difference(from: one?.records ?? [])
      let isWhole = one == nil || other == nil
      guard isWhole || !difference.isEmpty else { continue }
      let sign =
        one == nil ? InkedText("+ ", .good) : other == nil ? InkedText("- ", .warning) : InkedText("  ")
      sections.append(
        CacheSection(
          title: [sign] + (title.isEmpty ? [InkedText("accounts", .faint)] : title),
          records: difference.removals.map { [InkedText("-", .warning)] + $0.element }
            + difference.insertions.map { [InkedText("+", .good)] + $0.element }))
    }
    let changed = new.problems.map(\.words).difference(from: old.problems.map(\.words))
    problems =
      changed.removals.map { InkedText("- " + $0.element) }
      + changed.insertions.map { InkedText("+ " + $0.element) }
  }

  var isEmpty: Bool { sections.isEmpty && problems.isEmpty }

  func lines(_ ink: Ink) -> [String] { sections.flatMap { $0.lines(ink) } + problems.map(ink.draw) }
}

extension CollectionDifference.Change {
  fileprivate var element: ChangeElement {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
