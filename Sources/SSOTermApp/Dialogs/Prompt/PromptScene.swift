import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import TerminalUI

extension PromptDialog {
  /// Whether the prompt is for an external client and not for an app of the lab.
  var isForRealProgram: Bool { waitingSignIn != nil }
  /// The external client's sign-in that the prompt belongs to.
  var waitingSignIn: AnswerSignIn? { intent?.value as? AnswerSignIn }

  /// Whether the prompt appears over the app (Android, Windows) and not in its place (iOS).
  var isOverlay: Bool {
    switch prompt {
    case .chooseAccount(let picker): picker.presentation == .overlay
    case .systemAlert: true
    case .signIn, .consent, .errorPage: false
    }
  }
}

extension Layout {
  /// Returns the areas of the page and of the steps so far, which are beside or below it.
  func promptPanels() -> (page: Rect, happening: Rect) {
    if let promptFrame { return (promptFrame, Rect(x: 0, y: 0, width: 0, height: 0)) }
    if isRegular { return body.splitLeft(size.width * 11 / 20) }
    // In a low window, the page has all rows, because it contains what the user consents to.
    return isStacked && size.height >= 24 ? body.splitBottom(6) : body.splitTop(body.height)
  }
}

/// Draws the steps of the flow so far, with the newest step last and visible.
///
/// `working` describes the work in progress while no answer is awaited.
func drawHappening(_ dialog: PromptDialog, working: String?, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let inner = grid.panel(rect, "Steps so far", focused: false)
  var lines = dialog.hops.flatMap { hop -> [PanelLine] in
    let result = hop.result.isEmpty ? "" : " = \(hop.result)"
    let text = "\(hop.mark)\(hop.from.label) -> \(hop.to.label): \(hop.action)\(result)"
    return wrapped(text, inner.width - 2, indent: "  ").map { PanelLine($0, hop.style) }
  }
  lines.append(PanelLine("> " + (working ?? "waiting for \(dialog.awaited)"), .accent))
  grid.lines(lines, in: inner, scroll: max(0, lines.count - inner.height))
}

/// The flow behind a prompt: the steps so far, the place where the flow waits for the user, and the frame of the
/// prompt.
///
/// If the window is wide enough, the prompt does not cover the screen, and the dimmed drawing of the flow stays visible
/// around it. In a window of 80 columns, the last steps are a strip above the prompt.
struct PromptScene {
  private static let smallestWidth = 100
  private static let smallestHeight = 16
  /// The greatest number of steps in the strip.
  private static let stripRows = 4
  /// The height from which the strip has two steps, and that from which each account below it has two lines.
  private static let (comfortableHeight, tallHeight) = (18, 24)
  /// The number of rows that the prompt's frame keeps, however long the flow is.
  private static let frameRows = 23

  let dialog: PromptDialog
  let flow: Flow
  let platform: Platform
  private let look: DeviceLook
  /// The number of test users that a sign-in page lists.
  private let people: Int
  /// The description of a call or an answer in progress, or `nil` if the flow waits for the user.
  let working: String?
  private let body: Rect
  /// Whether the flow is only a strip above the prompt.
  private let isStrip: Bool
  /// The rows of the flow that are shown, which are the last ones.
  private let shown: ArraySlice<Flow.Row>

  /// Creates a scene, or returns `nil` if there is no room or nothing to show.
  init?(_ dialog: PromptDialog, in model: AppModel, _ layout: Layout) {
    body = layout.body
    guard body.width >= FlowDrawing.smallestWidth, body.height >= Self.smallestHeight, !model.isPickerOnly,
      !dialog.hops.isEmpty
    else { return nil }
    isStrip = body.width < Self.smallestWidth
    self.dialog = dialog
    working = model.working
    platform = model.lab.platform
    people = model.lab.people.count
    look = DeviceLook(platform)
    flow = Flow(dialog.hops)
    // The other rows are for the names, the line about the user, and the device's own bar.
    let isComfortable = body.height >= Self.comfortableHeight
    let spare = body.height - 2 - Self.leastRows(of: dialog, isTall: body.height >= Self.tallHeight)
    let strip = min(Self.stripRows, max(isComfortable ? 2 : 1, spare))
    let room = isStrip ? strip : max(3, body.height - 3 - Self.frameRows)
    shown = flow.rows.suffix(room)
  }

  /// Returns the rows below the strip that a prompt fills.
  private static func leastRows(of dialog: PromptDialog, isTall: Bool) -> Int {
    switch dialog.prompt {
    // The frame, the request, the accounts with the other options, and the remarks.
    case .chooseAccount:
      dialog.showsDetails ? frameRows : 8 + (isTall ? 2 : 1) * min(dialog.list.count, 4)
    case .signIn: 15
    case .errorPage, .systemAlert: 12
    case .consent: frameRows
    }
  }

  /// The area of the prompt: below the last step, to the right of the lanes of the user and the app.
  var frame: Rect {
    if isStrip { return body.splitTop(shown.count + 2).1 }
    let top = shown.count + 3
    let rest = body.splitTop(top).1
    let width = min(92, body.width - 16)
    let overlay = rest.centred(width: min(84, width), height: min(rest.height, max(12, wantedRows)))
    return switch look.presentation {
    // A separate page, as high as its content.
    case .page:
      Rect(x: rest.maxX - width - 2, y: rest.y, width: width, height: min(rest.height, wantedRows))
    // A sheet at the lower edge, or a window in the middle.
    case .sheet:
      Rect(x: overlay.x, y: rest.maxY - overlay.height, width: overlay.width, height: overlay.height)
    case .window: overlay
    }
  }

  /// The height of a prompt, with two rows for each account, and with room for a failure or for a value that is wrapped.
  private var wantedRows: Int {
    switch dialog.prompt {
    case .chooseAccount: 14 + 2 * dialog.list.count
    case .consent(let page): 15 + dialog.list.count + (page.question == nil ? 0 : 3)
    case .signIn(let page):
      15 + page.accountsInSession.prefix(6).count + SignInPage.listed(people)
    case .errorPage: 14
    case .systemAlert: Self.frameRows
    }
  }

  /// The party without the screen: on iOS, the app goes to the background while the broker has the screen.
  private var behind: Party? {
    platform == .iOS && dialog.hops.contains { $0.to == .broker } ? .app : nil
  }

  func draw(into grid: inout Grid) {
    grid.fill(body)
    let drawing = FlowDrawing(flow, in: body, margin: 5)
    drawing.drawNames(into: &grid, behind: behind)
    for y in body.y + 1..<body.maxY { drawing.drawLanes(into: &grid, y: y, behind: behind) }
    for (place, row) in shown.enumerated() {
      let isLast = place == shown.count - 1
      let y = body.y + 1 + place
      drawing.draw(row, into: &grid, y: y, quiet: isLast ? nil : .dim, isLit: isLast, behind: behind)
      grid.put("\(row.first + 1)", at: body.x, y, width: 3, style: .dim, align: .right)
    }
    drawAwaited(drawing, into: &grid)
  }

  /// Draws the point in the user's lane where the flow waits.
  private func drawAwaited(_ drawing: FlowDrawing, into grid: inout Grid) {
    let y = body.y + 1 + shown.count
    let x = flow.parties.contains(.person) ? drawing.column(.person) : body.x + 1
    let words = working ?? "waiting for \(dialog.awaited)"
    grid.put(working == nil ? "●" : "▶", at: x, y, style: Style(.accent, bold: true))
    grid.put(" " + words + " ", at: x + 1, y, style: Style(.accent, bold: true))
  }

  /// Draws the system's own elements around the prompt.
  ///
  /// They come last, over the upper and lower edges of its frame.
  func drawSystem(into grid: inout Grid) {
    if dialog.isForRealProgram || isStrip { return }
    if case .systemAlert = dialog.prompt { return }
    let bar = Rect(x: frame.x, y: frame.y - 1, width: frame.width, height: 1)
    let app = dialog.prompt.appName
    grid.fill(bar)
    let title = behind == nil ? look.title : "◂ "
    let words = behind == nil ? "over the app" : "the app is in the background"
    let right = "\(platform.rawValue), \(words)\(look.buttons)"
    grid.put(title + app, at: bar.x + 1, bar.y, width: bar.width / 2, style: .bold)
    grid.put(
      right, at: bar.x + bar.width / 2, bar.y, width: bar.width / 2 - 1, style: .dim,
      align: .right)
    let sign = look.sign
    grid.put(
      sign, at: frame.x + (frame.width - columnWidth(sign)) / 2, frame.maxY - 1, width: columnWidth(sign),
      style: .dim)
  }
}

/// The elements that a system draws around a prompt.
private struct DeviceLook {
  /// The way in which the system presents a prompt (claim A5).
  enum Presentation { case page, sheet, window }

  var presentation = Presentation.window
  /// The text before the app's name in the title bar.
  var title = ""
  /// The window's buttons at the right of the title bar.
  var buttons = ""
  /// The sign at the lower edge.
  var sign = ""

  init(_ platform: Platform) {
    switch platform {
    case .iOS: (presentation, sign) = (.page, " ━━━━━━━━ ")
    case .android: (presentation, sign) = (.sheet, " ◀  ○  □ ")
    case .windows: buttons = "   - □ ×"
    case .macOS: title = "● ● ●  "
    }
  }
}

extension PromptDialog {
  /// The input that the flow expects from the user.
  var awaited: String {
    switch prompt {
    case .chooseAccount: "an account"
    case .signIn(let page): page.awaited
    case .consent: "consent"
    case .errorPage: "the page to be closed"
    case .systemAlert: "an answer to the system"
    }
  }
}

extension Prompt {
  /// The app for which the prompt is shown.
  fileprivate var appName: String {
    switch self {
    case .chooseAccount(let picker): picker.appName
    case .signIn(let page): page.appName
    case .consent(let page): page.appName
    case .systemAlert(let alert): alert.appName
    case .errorPage: ""
    }
  }
}
