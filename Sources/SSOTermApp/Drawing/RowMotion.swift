/// The animation of a successful single sign-on: the row of the app lights up once, from left to right.
///
/// It conveys nothing that the row and the status line do not say.
struct RowMotion: Equatable, Sendable {
  var bundleID: String
  var username: String?
  var frame = 1

  static let frames = 7
  static let milliseconds = 60

  /// The next frame, or `nil` at the end.
  var next: RowMotion? {
    guard frame < Self.frames else { return nil }
    var next = self
    next.frame += 1
    return next
  }

  /// Creates the animation for the outcome of a call, or returns `nil` if the call failed or required user interaction.
  init?(_ outcome: Outcome, of bundleID: String?) {
    guard let bundleID, outcome.verdict == .succeeded, outcome.source != nil, !outcome.prompted else {
      return nil
    }
    self.bundleID = bundleID
    username = outcome.username
  }

  func isOf(_ row: AppRow) -> Bool {
    row.bundleID == bundleID && (row.account == nil || username.map(row.accounts.contains) ?? true)
  }

  func draw(over row: Rect, into grid: inout Grid) {
    let lit = row.splitLeft(row.width * frame / Self.frames).0
    grid.restyle(lit) { $0 = Style(.good, bold: true, reverse: true) }
  }
}
