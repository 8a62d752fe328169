import SSOLab
import TerminalUI

/// A line of the tree client ID → redirect URI → credentials.
struct TokenLine: Equatable, Sendable, Identifiable {
  enum Kind: Equatable, Sendable {
    case client(name: String?)
    case redirect(app: String?)
    case token(TokenRow)
    /// Stands for all credentials of a redirect URI, which are read when it is opened.
    case branch(TokenBranch)
  }
  var id: String
  var kind: Kind
  var text: String

  var token: TokenRow? {
    if case .token(let row) = kind { row } else { nil }
  }

  var depth: Int {
    switch kind {
    case .client: 0
    case .redirect, .branch: 1
    case .token: 2
    }
  }

  /// Whether there is something to open behind the line.
  var opens: Bool {
    switch kind {
    case .token, .branch: true
    case .client, .redirect: false
    }
  }
}

extension AppModel {
  /// The credentials below a heading of the tree, each once.
  func credentials(under heading: TokenLine) -> [TokenRow] {
    guard let row = tokenLines.firstIndex(where: { $0.id == heading.id }) else { return [] }
    var seen: Set<String> = []
    return tokenLines[(row + 1)...].prefix { $0.depth > heading.depth }
      .compactMap(\.token).filter { seen.insert($0.id).inserted }
  }

  /// How many credentials the tree shows; headings are none, and one that stands under three redirect URIs is one.
  package var tokenCountText: String {
    let isWhole = !tokens.index.isLong && tokenLines.allSatisfy { $0.token != nil || !$0.opens }
    guard isWhole else { return countText(of: tokens, in: .tokens) }
    func count(_ lines: [TokenLine]) -> Int { Set(lines.compactMap { $0.token?.id }).count }
    let shown = count((0..<tokens.count).map { tokenLines[tokens.matches[$0]] })
    let marks = marked.isEmpty || place != .tokens ? "" : ", \(marked.count) marked"
    return (tokens.isFiltered ? "\(shown) of \(count(tokenLines))" : "\(shown)") + marks
  }
}

extension TokenTree {
  var lines: [TokenLine] {
    clients.flatMap { client in
      [TokenLine(id: client.clientID, kind: .client(name: client.name), text: client.clientID)]
        + client.redirects.flatMap { redirect -> [TokenLine] in
          let uri = redirect.redirectURI ?? "no installed app"
          let head = TokenLine.id(clientID: client.clientID, redirectURI: redirect.redirectURI)
          return [TokenLine(id: head, kind: .redirect(app: redirect.app), text: uri)]
            + redirect.tokens.map { TokenLine($0, under: head) }
        }
    }
  }
}

extension TokenLine {
  /// A credential; it may stand under several headings, each time as another line.
  init(_ token: TokenRow, under heading: String) {
    self.init(id: heading + " " + token.id, kind: .token(token), text: token.target ?? token.clientID)
  }

  /// The ID of a heading of a redirect URI, or of the branch in its place.
  static func id(clientID: String, redirectURI: String?) -> String {
    clientID + " " + (redirectURI ?? "no installed app")
  }

  /// The heading of a client, and a line for each of its branches.
  static func lines(of branches: [TokenBranch]) -> [TokenLine] {
    var lines: [TokenLine] = []
    for branch in branches {
      if lines.last?.id.hasPrefix(branch.clientID) != true {
        lines.append(
          TokenLine(id: branch.clientID, kind: .client(name: branch.clientName), text: branch.clientID))
      }
      let uri = branch.redirectURI ?? "no installed app"
      let id = id(clientID: branch.clientID, redirectURI: branch.redirectURI)
      lines.append(TokenLine(id: id, kind: .branch(branch), text: uri))
    }
    return lines
  }
}
