/// A line of the tree client ID → redirect URI → credentials.
struct TokenLine: Equatable, Sendable, Identifiable {
  enum Kind: Equatable, Sendable {
    case client(name: String?)
    case redirect(app: String?)
    case token(TokenRow)
    /// A line that represents all credentials of a redirect URI, which are read when it is opened.
    case branch(TokenBranch)
  }
  var id: String
  var kind: Kind
  var text: String
  /// The app and the redirect URI under which a credential is listed, or `nil` in a list without headings.
  var app: String?
  var uri: String?

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

  /// Whether the line can be opened.
  var opens: Bool {
    switch kind {
    case .token, .branch: true
    case .client, .redirect: false
    }
  }
}

extension TokenLine {
  var clientID: String? {
    switch kind {
    case .client: text
    case .redirect: nil
    case .branch(let branch): branch.clientID
    case .token(let row): row.clientID
    }
  }

  var redirectURI: String? {
    switch kind {
    case .redirect(_?): text
    case .branch(let branch): branch.redirectURI
    default: nil
    }
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
            + redirect.tokens.map { TokenLine($0, under: head, redirect) }
        }
    }
  }
}

extension TokenLine {
  /// Creates the line of a credential, which may be listed under several headings, each time as another line.
  init(_ token: TokenRow, under heading: String, _ redirect: TokenTree.Redirect? = nil) {
    self.init(
      id: heading + " " + token.id, kind: .token(token), text: token.target ?? token.clientID,
      app: redirect?.app, uri: redirect?.redirectURI)
  }

  /// Returns the ID of the heading for a redirect URI, or of the branch in its place.
  static func id(clientID: String, redirectURI: String?) -> String {
    clientID + " " + (redirectURI ?? "no installed app")
  }

  /// Returns the heading of each client, and a line for each of its branches.
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
