import SSOCore
import SSODevice
import SSOLab
import TerminalUI

extension KeyContext { static let timeline = KeyContext("timeline") }

/// The lifetime of a credential, as the timeline draws it.
struct Lifetime: Equatable, Sendable {
  /// The kind and the apps that can use it: `AT  My Test App 1, 2`.
  var label: String
  var start: Instant?
  var end: Instant
  var state: TokenState
  /// Whether a silent call renews it.
  var isAccessToken = false
}

extension Lifetime {
  /// Creates the lifetime of a token, although only the provider knows when a refresh token expires.
  private init?(_ token: TokenRow, at now: Instant) {
    guard let end = token.expiresOn ?? token.secondsLeft.map({ now.adding(seconds: $0) }),
      token.kind != .idToken
    else { return nil }
    let apps = token.apps.count > 1 ? "\(token.apps.count) apps" : token.apps.first ?? ""
    self.init(
      label: "\(token.shortType.padding(to: 4))\(apps)", start: token.cachedAt, end: end, state: token.state,
      isAccessToken: token.kind == .accessToken)
  }

  /// Returns the lifetimes of an account's tokens, and of its primary refresh token in the broker.
  ///
  /// `account` is a username.
  static func all(of account: String, in reader: LabReader) throws -> [Lifetime] {
    var seen: Set<String> = []
    let tokens = try reader.tokens.rows(TokenFilter(account: account)).filter { seen.insert($0.id).inserted }
    let held = try reader.brokerAccounts().first { $0.username == account }.map {
      (account) throws -> Lifetime in
      Lifetime(label: "PRT broker", end: account.expiresOn, state: try reader.status(of: account).state)
    }
    return tokens.compactMap { Lifetime($0, at: reader.now) } + [held].compactMap(\.self)
  }
}

/// The tokens of an account and the calls of its apps on an axis of time, and a clock to move along it: the bars shrink,
/// and the prediction of the next call changes with it.
struct Timeline: DialogComponent {
  /// The app whose next call is predicted, and the username of the account.
  let app: String
  let account: String
  var lifetimes: [Lifetime]
  /// The left end of the axis: the time at which the first of the tokens was stored, if that is not long ago.
  let origin: Instant
  /// The lab's time when the timeline was opened, and the prediction at that time.
  let opened: Instant
  let first: String

  /// The seconds before the time of opening that the axis shows at most.
  private static let past = 2 * 3600

  static let keys: [KeyContext: [KeyCommand]] = [
    .timeline: [
      .close(
        [.escape, .character("q"), .character("L")], "close", name: "close",
        "Goes back to the screen."),
      step(60 * 10, [.right, .character("l")], "→", "+10m", "timeline forward"),
      step(-60 * 10, [.left, .character("h")], "←", "-10m", "timeline back"),
      step(86_400, [.character("}")], "}", "+1d", "timeline day forward"),
      step(-86_400, [.character("{")], "{", "-1d", "timeline day back"),
      KeyCommand(
        TimelineAction.silent, [.character("s")], "s", "silent now", name: "timeline silent",
        "Makes the app's silent call at this time."),
      KeyCommand(
        TimelineAction.happened, [.enter], "Enter", "what happened", name: "timeline trace",
        "Opens the trace of the last call before the clock's time."),
      KeyCommand(
        TimelineAction.real, [.character("T")], "T", "reset clock", name: "clock reset",
        "Resets the lab's clock."),
      .help,
    ]
  ]

  private static func step(
    _ seconds: Int, _ keys: [KeyPress], _ keyText: String, _ label: String, _ name: String
  ) -> KeyCommand {
    KeyCommand(
      TimelineAction.move(seconds), keys, keyText, label, name: name, "Moves the lab's clock by \(label).")
  }

  var context: KeyContext { .timeline }

  /// Opens the timeline, or shows new lifetimes in the open one.
  static func show(_ lifetimes: [Lifetime], app: String, account: String, _ shared: inout SharedState) {
    if let place = shared.dialogs.lastIndex(where: { $0.component is Timeline }),
      var open = shared.dialogs[place].component as? Timeline
    {
      open.lifetimes = lifetimes
      shared.dialogs[place] = Dialog(open)
    } else if let now = shared.lab.status?.now {
      let next = shared.lab.row(ofApp: app, account: account)?.nextInWords ?? ""
      let stored = lifetimes.compactMap(\.start).min() ?? now
      let origin = max(now.adding(seconds: -past), min(stored, now))
      shared.open(
        Timeline(app: app, account: account, lifetimes: lifetimes, origin: origin, opened: now, first: next))
    }
  }

  /// Returns the calls of the apps that have the account, newest first.
  fileprivate func calls(in model: AppModel) -> [TraceSummary] {
    let apps = Set(model.lab.apps.filter { $0.accounts.contains(account) }.map(\.bundleID))
    return model.screens.apps.events.filter { trace in
      trace.hopCount > 1 && apps.contains(where: trace.isAbout)
    }
  }

  /// Returns the last call before the clock's time.
  fileprivate func lastCall(in model: AppModel) -> TraceSummary? {
    model.lab.status.flatMap { status in calls(in: model).first { $0.at <= status.now } }
  }
}

/// The axis: three hours get half of the width; the rest of a day, two weeks, and 90 days get the other half.
private struct TimeAxis {
  let x: Int
  let width: Int
  let origin: Instant

  private static let parts: [(seconds: Int, share: Int)] = [
    (3 * 3600, 50), (86_400, 64), (14 * 86_400, 80), (91 * 86_400, 100),
  ]
  static let marks: [(seconds: Int, label: String)] = [
    (0, ""), (3600, "+1h"), (7200, "+2h"), (10_800, "+3h"), (86_400, "+1d"), (14 * 86_400, "+14d"),
    (90 * 86_400, "+90d"),
  ]

  func column(_ seconds: Int) -> Int {
    var (before, share) = (0, 0)
    for part in Self.parts {
      guard seconds > part.seconds else {
        let inside = max(0, seconds - before)
        let columns = share * (part.seconds - before) + (part.share - share) * inside
        return x + width * columns / (100 * (part.seconds - before))
      }
      (before, share) = (part.seconds, part.share)
    }
    return x + width - 1
  }

  func column(_ moment: Instant) -> Int { min(x + width - 1, column(origin.seconds(until: moment))) }
}

extension Timeline {
  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let rows = max(1, lifetimes.count)
    let calls = calls(in: model)
    let area = layout.body.centred(
      width: layout.size.width, height: min(layout.body.height, rows + (calls.isEmpty ? 8 : 10)))
    let inner = grid.window(
      area, "Tokens of \(account)", trailing: "and the next call of \(appName(in: model))")
    guard let now = model.lab.status?.now, !lifetimes.isEmpty else {
      return grid.emptyState(["No token of this account has an end."], in: inner)
    }
    let next = model.lab.row(ofApp: app, account: account)
    let foot =
      (next.map { predictions(of: $0, model, width: inner.width - 2) } ?? [])
      + (lastCall(in: model).map { line(of: $0, model, width: inner.width - 2) } ?? [])
    let axis = axis(in: inner)
    if let axis { drawMarks(on: axis, model, into: &grid, inner.y) } else { grid.omit("the time axis") }
    let top = axis == nil ? 0 : 1
    let marked = axis == nil ? [] : calls.filter { $0.at >= origin }
    let below = marked.isEmpty ? 1 : 2
    let (bars, rest) = inner.splitTop(min(lifetimes.count + top + below, max(below + 1, inner.height - 3)))
    let shown = lifetimes.prefix(bars.height - top - below)
    let left = lifetimes.count - shown.count
    if left > 0 { grid.omit(counted(left, "more token")) }
    for (row, lifetime) in shown.enumerated() {
      draw(lifetime, now: now, on: axis, into: &grid, bars.rows(top + row, 1))
      if let axis, lifetime.isAccessToken, !lifetime.state.isUsable, next?.next.kind.renews == true {
        drawRenewal(at: axis.column(now), model, into: &grid, bars.rows(top + row, 1))
      }
    }
    if let axis, !marked.isEmpty { draw(marked, on: axis, into: &grid, bars.rows(top + shown.count, 1)) }
    let here = axis?.column(now) ?? inner.x + 1
    let y = bars.y + top + shown.count + below - 1
    grid.put("▲ now \(model.times.minute(now))", at: min(here, inner.maxX - 12), y, style: .accent)
    grid.cursor = Point(x: here, y: y)
    grid.lines(foot, in: rest.height > 2 ? rest.rows(1, rest.height - 1) : rest)
  }

  /// Returns the prediction and, once the clock was moved, the one from before.
  private func predictions(of app: AppRow, _ model: AppModel, width: Int) -> [PanelLine] {
    let now = wrapped("NEXT " + app.nextInWords, width, indent: "     ").map {
      PanelLine($0, app.next.style)
    }
    guard !first.isEmpty, app.nextInWords != first else { return now }
    let before = "WAS \(model.times.minute(opened)) \(first)"
    return now + wrapped(before, width, indent: "    ").map { PanelLine($0, .dim) }
  }

  /// Draws a mark where the next silent call would renew an expired token: `◌ s renews it`.
  private func drawRenewal(at column: Int, _ model: AppModel, into grid: inout Grid, _ row: Rect) {
    let own = model.shared.keys.commands(in: .timeline)
    let key = own.first { $0.action == Action(TimelineAction.silent) }?.keyText ?? ""
    let text = "◌ \(key) renews it"
    let fits = column + columnWidth(text) < row.maxX - 11
    grid.put(fits ? text : "◌", at: column, row.y, style: .accent)
  }

  /// Returns the last call: `LAST 09:00 ✓ sign in My Test App 1 as ada@contoso.com`.
  private func line(of call: TraceSummary, _ model: AppModel, width: Int) -> [PanelLine] {
    let text = "LAST \(model.times.minute(call.at)) \(call.glyph) \(call.title(model.lab))"
    return wrapped(text, width, indent: "     ").map { PanelLine($0, call.style) }
  }

  /// Draws the signs of calls, the newest on top of others in its column.
  private func draw(_ calls: [TraceSummary], on axis: TimeAxis, into grid: inout Grid, _ row: Rect) {
    grid.put("calls", at: row.x + 1, row.y, style: .dim)
    for call in calls.reversed() {
      let column = axis.column(call.at)
      grid.put(call.glyph, at: column, row.y, width: 1, style: call.style)
      grid.add(Touch(.place("trace/\(call.id)"), Rect(x: column, y: row.y, width: 1, height: 1)))
    }
  }

  /// Returns the axis, or `nil` if the window has no room for it.
  private func axis(in rect: Rect) -> TimeAxis? {
    guard rect.width > 40 else { return nil }
    let label = min(26, 2 + (lifetimes.map { columnWidth($0.label) }.max() ?? 0))
    return TimeAxis(x: rect.x + 1 + label, width: rect.width - label - 11, origin: origin)
  }

  private func drawMarks(on axis: TimeAxis, _ model: AppModel, into grid: inout Grid, _ y: Int) {
    var end = 0
    for mark in TimeAxis.marks {
      let text = mark.seconds == 0 ? model.times.minute(origin) : mark.label
      let column = axis.column(mark.seconds)
      guard column >= end else { continue }
      grid.put(text, at: column, y, style: .dim)
      end = column + columnWidth(text) + 1
    }
  }

  private func appName(in model: AppModel) -> String { model.lab.appNames[app] ?? app }

  /// Draws a token: its label, its bar, of which the part before now is thin, and the time left.
  private func draw(
    _ lifetime: Lifetime, now: Instant, on axis: TimeAxis?, into grid: inout Grid, _ row: Rect
  ) {
    let end = axis?.x ?? row.maxX - 10
    grid.put(lifetime.label, at: row.x + 1, row.y, width: end - row.x - 2)
    let isOver = !lifetime.state.isUsable
    if let axis { draw(lifetime, isOver: isOver, now: now, on: axis, into: &grid, row.y) }
    let left = now.seconds(until: lifetime.end)
    let text =
      left > 0 && !isOver
      ? "\(lifetime.state.glyph) \(shortDuration(left))"
      : "\(lifetime.state.glyph) \(lifetime.state.rawValue)"
    grid.put(text, at: row.maxX - 10, row.y, width: 9, style: lifetime.state.style, align: .right)
  }

  /// Draws a bar from the beginning of the axis to the end of the lifetime.
  private func draw(
    _ lifetime: Lifetime, isOver: Bool, now: Instant, on axis: TimeAxis, into grid: inout Grid, _ y: Int
  ) {
    let (start, here, end) = (
      axis.column(lifetime.start ?? axis.origin), axis.column(now), axis.column(lifetime.end)
    )
    for column in start..<max(start, end) {
      let isPast = column < here
      grid.put(
        isPast || isOver ? "─" : "━", at: column, y, width: 1,
        style: isPast || isOver ? .dim : lifetime.state.style)
    }
    grid.put(isOver ? "○" : "┥", at: end, y, width: 1, style: lifetime.state.style)
  }
}

/// The actions of the timeline.
enum TimelineAction: FeatureAction {
  var keyGroup: KeyGroup { self == .open ? .explain : .act }
  case open
  case move(Int)
  case real
  /// The trace of the last call before the clock's time.
  case happened
  /// The silent call of the app.
  case silent

  static let key = KeyCommand(
    open, [.character("L")], "L", "lifetimes", name: "lifetimes",
    "Shows the lifetimes of the account's tokens on a timeline, along which the lab's clock can be moved.")

  var changesLab: Bool { self != .open && self != .happened }

  func obstacle(in model: AppModel) -> String? {
    switch self {
    case .open: model.screens.apps.selected(model.shared)?.username == nil ? "no account is signed in" : nil
    case .move, .silent: nil
    case .happened:
      model.topDialog(Timeline.self)?.lastCall(in: model) == nil ? "no call was made before this time" : nil
    case .real: model.lab.status?.clockOffset == nil ? "the clock is not moved" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .open:
      guard let app = model.screens.apps.selected(model.shared), let account = app.username else { return [] }
      return [.load(.lifetimes(app: app.bundleID, account: account))]
    case .move(let seconds):
      return model.shared.begin("Moving the clock", .perform(MoveClock(bySeconds: seconds)))
    case .real: return model.shared.begin("Setting the clock", .perform(MoveClock(bySeconds: nil)))
    case .happened:
      guard let call = model.topDialog(Timeline.self)?.lastCall(in: model) else { return [] }
      model.dialogs.removeLast()
      return model.open(.trace(call.id))
    case .silent:
      guard let open = model.topDialog(Timeline.self),
        let app = model.lab.row(ofApp: open.app, account: open.account)
      else { return [] }
      return model.shared.begin(
        "\(app.displayName) asks", .perform(AcquireSilently(app: app.bundleID, account: app.account)))
    }
  }
}

extension AppRow {
  /// The username of the row's account, or `nil` if no account is signed in.
  fileprivate var username: String? { accountName ?? accounts.first }
}

extension Prediction.Kind {
  /// Whether the call gets a new access token without a prompt.
  fileprivate var renews: Bool {
    switch self {
    case .appRefreshToken, .familyRefreshToken, .broker: true
    case .cache, .ownSecret, .prompt, .failure: false
    }
  }
}
