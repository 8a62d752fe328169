import SSOLab

/// The second key after `y`, which chooses what to copy.
enum CopyItem: Character, CaseIterable, Sendable {
  case username = "u"
  case clientID = "c"
  case redirectURI = "r"
  case homeAccountID = "a"
  case correlationID = "i"
  case token = "t"
  case authHeader = "h"
  case mermaid = "m"
  case fix = "f"
  case cell = "."

  var displayText: String {
    switch self {
    case .username: "username"
    case .clientID: "client ID"
    case .redirectURI: "redirect URI"
    case .homeAccountID: "home account ID"
    case .correlationID: "correlation ID"
    case .token: "token"
    case .authHeader: "auth header"
    case .mermaid: "Mermaid"
    case .fix: "lines to write"
    case .cell: "name"
    }
  }

  /// The word for the palette.
  var word: String {
    switch self {
    case .username: "upn"
    case .clientID: "client"
    case .redirectURI: "redirect"
    case .homeAccountID: "home-account-id"
    case .correlationID: "correlation"
    case .token: "token"
    case .authHeader: "header"
    case .mermaid: "mermaid"
    case .fix: "fix"
    case .cell: "name"
    }
  }
}

/// The actions of `y` and of the letter that chooses what to copy.
///
/// A secret is read only when it is copied.
enum CopyAction: FeatureAction {
  var keyGroup: KeyGroup { .everywhere }
  case menu
  case copy(CopyItem)

  func obstacle(in model: AppModel) -> String? {
    let selection = model.selection
    guard case .copy(let item) = self else {
      return CopyItem.allCases.contains { Self.canCopy($0, selection) } ? nil : "nothing to copy here"
    }
    return Self.canCopy(item, selection) ? nil : "nothing of this kind is selected"
  }

  private static func canCopy(_ item: CopyItem, _ selection: Selection) -> Bool {
    switch item {
    case .token: selection.token != nil
    case .authHeader: selection.token?.kind == .accessToken
    case .mermaid: selection.openTrace != nil
    default: selection.copies[item] != nil
    }
  }

  /// Opens the copy menu, or copies a value and closes the menu.
  func run(on model: inout AppModel) -> [Command] {
    guard case .copy(let item) = self else {
      model.shared.open(Menu(.copy))
      return []
    }
    if model.topDialog(Menu.self) != nil { model.dialogs.removeLast() }
    let selection = model.selection
    switch item {
    case .token, .authHeader:
      return selection.token.map { [.copySecret(credential: $0.id, item)] } ?? []
    default:
      let text = item == .mermaid ? selection.openTrace.map(mermaid) : selection.copies[item]
      return text.map { [.copy(Copy(text: $0, label: item.displayText))] } ?? []
    }
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    Self.run(argument, among: CopyItem.allCases.map { ($0.word, .copy($0)) }, on: &model)
  }
}
