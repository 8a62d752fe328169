/// Draws the provider's sign-in page, which asks for a username, a password, or the number for multifactor
/// authentication.
func drawSignIn(
  _ page: SignInPage, _ dialog: PromptDialog, _ people: [TestPerson], into grid: inout Grid, _ layout: Layout
) {
  let step = page.step
  grid.put(" Sign in to \(page.appName)", at: 0, layout.tabs.y, width: layout.size.width - 14, style: .accent)
  grid.put("page \(step) of 3", at: layout.size.width - 13, layout.tabs.y, style: .dim)
  let rect = layout.promptPanels().page
  let inner = grid.window(rect, page.tenantName, trailing: "identity provider")
  let width = inner.width - 2
  var lines: [PanelLine] = []
  if page.step > 1 { lines.append(PanelLine(page.username, .bold)) }
  if case .verification(let number) = page.asks {
    if layout.isSingle {
      lines += wrapped("Open Authenticator and enter \(number).", width).map { PanelLine($0, .bold) }
    } else {
      lines += wrapped("Open Authenticator and enter the number shown here:", width).map { PanelLine($0) }
      lines += [PanelLine("  \(number)", .bold), PanelLine("")]
    }
  }
  lines.append(PanelLine(page.fieldName, .dim))
  grid.lines(lines, in: inner)
  let fieldRow = Rect(x: inner.x + 1, y: inner.y + lines.count, width: min(40, width), height: 1)
  dialog.field.draw(into: &grid, at: fieldRow, masked: page.isSecret && !dialog.isRevealed, focused: true)
  var below: [PanelLine] = [PanelLine("")]
  if let failure = page.failure {
    below += wrapped("! " + failure, width, indent: "  ").map { PanelLine($0, .bad) }
  }
  if case .username = page.asks, !page.accountsInSession.isEmpty {
    below.append(PanelLine("Signed in to this browser, no password (Down fills in):", .dim))
    below += page.accountsInSession.prefix(6).map { PanelLine("  " + $0) }
  }
  below += [PanelLine("")] + wholeField("client", page.clientID, width: width)
  below += [
    field(
      "redirect", page.redirectURI.isEmpty ? "none: another device" : page.redirectURI, width: width
    )
  ]
  let told =
    dialog.isForRealProgram ? "the program gets an error." : "the app gets its SDK's cancelled error."
  below += wrapped("Esc cancels: " + told, width).map { PanelLine($0, .dim) }
  if !people.isEmpty {
    below += [PanelLine(""), PanelLine("Test users (Ctrl-T fills in)", .dim)]
    below += people.prefix(8).map { PanelLine("  \($0.username.padding(to: 24))\($0.remark)") }
  }
  grid.lines(below, in: inner.rows(lines.count + 1, inner.height - lines.count - 1))
}

extension SignInPage {
  var awaited: String {
    if case .verification = asks { "the number" } else { fieldName.lowercased() }
  }

  fileprivate var fieldName: String {
    switch asks {
    case .username: "Username"
    case .password: "Password"
    case .verification: "In Authenticator"
    }
  }

  fileprivate var step: Int {
    switch asks {
    case .username: 1
    case .password: 2
    case .verification: 3
    }
  }

  fileprivate var isSecret: Bool {
    if case .password = asks { true } else { false }
  }
}
