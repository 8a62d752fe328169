/// A detector for logs whose times go back from line to line, because log services list the newest line first.
struct LineOrder: Sendable {
  private var last: Instant?
  private var steps = (back: 0, forth: 0)

  mutating func add(_ moment: Instant?) {
    guard let moment else { return }
    if let last, moment < last { steps.back += 1 }
    if let last, moment > last { steps.forth += 1 }
    last = moment
  }

  /// Whether the newest line comes first.
  ///
  /// If several processes write to one log, its times go back now and then.
  var isNewestFirst: Bool { steps.back > 1 && steps.back > 2 * steps.forth }
}
