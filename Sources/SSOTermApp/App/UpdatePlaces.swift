import SSOLab
import SSOScenarios

extension AppModel {
  /// What the present screen shows, read again.
  func reload() -> [Command] {
    if isPickerOnly { return [] }
    return [.load(.status)] + loads(for: place).map(Command.load)
  }

  func loads(for place: Place) -> [Load] {
    switch place {
    case .apps: [.apps, .traces]
    case .accounts:
      [accounts.index.count == 0 ? .firstAccounts : .accounts] + (appRows.isEmpty ? [.apps] : [])
    case .tokens: [loadOfTokens]
    case .traces: [.traces]
    case .trace(let id): [.trace(id)]
    case .keychain: [.groups]
    case .story: []
    case .records: [.records]
    case .provider: [.provider]
    }
  }

  mutating func show(_ place: Place) -> [Command] {
    waits.nextState = nil
    if place.tab != self.place.tab { previousTab = stack.first }
    if place == .tokens, tokenScope != .everything { clearTokens(for: .everything) }
    stack = [place]
    enter()
    return loads(for: place).map(Command.load)
  }

  mutating func enter() {
    panel = 0
    scroll = 0
    notice = nil
    revealedToken = nil
  }

  /// Opens the tokens of an app or of a person.
  private mutating func showTokens(_ scope: TokenScope) -> [Command] {
    clearTokens(for: scope)
    stack.append(.tokens)
    enter()
    return [.load(.tokens(scope))]
  }

  private mutating func clearTokens(for scope: TokenScope) {
    tokenScope = scope
    tokenLines = []
    tokenRows = RowsRead()
    detail = nil
    tokens = RowList()
    marks[.tokens] = nil
  }

  mutating func open() -> [Command] {
    switch place {
    case .apps:
      guard let app = selectedApp else { return [] }
      return showTokens(
        TokenScope(clientID: app.clientID, redirectURI: app.redirectURI, title: app.displayName))
    case .accounts:
      guard let account = selectedAccount else { return [] }
      return showTokens(TokenScope(account: account.identifier, title: account.username))
    case .traces:
      guard let summary = selectedTrace else { return [] }
      trace = nil
      stack.append(.trace(summary.id))
      enter()
      return [.load(.trace(summary.id))]
    case .tokens:
      guard case .branch(let branch) = selectedTokenLine?.kind else { return focusPanel(1) }
      return showTokens(
        TokenScope(
          clientID: branch.clientID, redirectURI: branch.redirectURI, title: branch.app ?? branch.clientID))
    case .keychain: return focusPanel(1)
    case .provider: return openInProvider()
    case .records: return panel == 0 ? focusPanel(1) : changeField()
    case .trace: return []
    case .story:
      guard let id = selectedReport?.traceID else { return [] }
      trace = nil
      stack.append(.trace(id))
      enter()
      return [.load(.trace(id))]
    }
  }

  /// Esc: the filter, the panel, the screen, in this order.
  mutating func goBack() -> [Command] {
    if self[keyPath: activeList].isFiltered {
      self[keyPath: activeList].clearFilter()
      return selectionMoved()
    }
    if !marked.isEmpty || marks[screenContext]?.rangeStart != nil {
      marks[screenContext] = nil
      return []
    }
    if panel > 0 { return focusPanel(0) }
    guard stack.count > 1 else { return [] }
    stack.removeLast()
    if place == .tokens {
      let branch = TokenLine.id(clientID: tokenScope.clientID ?? "", redirectURI: tokenScope.redirectURI)
      clearTokens(for: .everything)
      tokens.select(id: branch)
    }
    enter()
    return loads(for: place).map(Command.load)
  }

  mutating func focusPanel(_ number: Int) -> [Command] {
    let count = place.panelCount
    panel = (number + count) % count
    scroll = 0
    return []
  }

  /// Follows a path such as `tokens/mail`.
  mutating func follow(path: String) -> [Command] {
    let parts = path.split(separator: "/", maxSplits: 1).map { $0.lowercased() }
    let place = Place.tabs.first { $0.name.lowercased() == parts.first } ?? .apps
    stack = [place]
    if place == .traces, parts.count > 1, let id = Int64(parts[1]) {
      stack.append(.trace(id))
    } else if parts.count > 1 {
      self[keyPath: activeList].filter(by: parts[1])
    }
    return [.load(.status)] + loads(for: self.place).map(Command.load)
  }
}
