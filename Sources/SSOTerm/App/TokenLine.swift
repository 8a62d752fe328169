import SSOModel

/// A line of the tree client ID → redirect URI → credentials.
struct TokenLine: Equatable, Sendable, Identifiable {
  enum Kind: Equatable, Sendable {
    case client(name: String?)
    case redirect(app: String?)
    case token(TokenRow)
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
    case .redirect: 1
    case .token: 2
    }
  }
}

extension TokenTree {
  var lines: [TokenLine] {
    clients.flatMap { client in
      [TokenLine(id: client.clientID, kind: .client(name: client.name), text: client.clientID)]
        + client.redirects.flatMap { redirect -> [TokenLine] in
          let uri = redirect.redirectURI ?? "no installed app"
          let head = client.clientID + " " + uri
          return [TokenLine(id: head, kind: .redirect(app: redirect.app), text: uri)]
            + redirect.tokens.map {
              TokenLine(id: head + " " + $0.id, kind: .token($0), text: $0.target ?? $0.clientID)
            }
        }
    }
  }
}
