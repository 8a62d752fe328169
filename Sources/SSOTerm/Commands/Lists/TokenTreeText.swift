/// Returns the lines of the tree of claim C3.
///
/// A credential that several apps can use is listed once, under all their redirect URIs, because it is shared.
func tokenTreeText(_ rows: [TokenRow], unmasked: Bool, _ ink: Ink) -> String {
  var lines: [String] = []
  for (clientID, client) in grouped(rows, by: \.clientID) {
    lines.append(ink.draw("client ", .faint) + ink.draw(dashed(clientID), .strong))
    for (redirects, tokens) in grouped(client, by: \.redirectURIs) {
      for redirect in redirects.isEmpty ? ["no installed app"] : redirects {
        lines.append("  " + ink.draw("redirect ", .faint) + ink.draw(redirect))
      }
      lines += TextTable([], of: tokens) { token in tokenCells(token, unmasked: unmasked) }.lines(
        ink, indent: unmasked ? nil : 4
      ).map { "    " + $0 }
    }
  }
  return lines.joined(separator: "\n")
}

private func tokenCells(_ token: TokenRow, unmasked: Bool) -> [InkedText] {
  let family = token.familyID.map { "family " + $0 }
  let about = [token.target, family, token.realm.map { "realm " + $0 }].compactMap { $0 }
  let cells = [
    InkedText(token.id, .faint), InkedText(token.type),
    stateText(token.standing),
    InkedText(token.username ?? dashed(token.homeAccountID)), InkedText(about.joined(separator: ", ")),
  ]
  return unmasked ? cells + [InkedText(token.secret)] : cells
}

/// Returns the rows in groups, in the order of each group's first member.
private func grouped<Key: Hashable>(
  _ rows: [TokenRow], by key: (TokenRow) -> Key
) -> [(Key, [TokenRow])] {
  var places: [Key: Int] = [:]
  var groups: [(Key, [TokenRow])] = []
  for row in rows {
    let value = key(row)
    if let place = places[value] {
      groups[place].1.append(row)
    } else {
      places[value] = groups.count
      groups.append((value, [row]))
    }
  }
  return groups
}
