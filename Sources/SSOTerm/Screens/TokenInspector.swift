import SSOModel
import TerminalUI

/// One credential with its claims; the secret is masked unless revealed.
func drawInspector(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard let token = model.selectedToken else {
    let inner = grid.panel(rect, "Inspector", focused: model.panel == 1)
    return grid.emptyState(["Select a credential to see what is in it."], in: inner)
  }
  let inner = grid.panel(
    rect, token.longType, trailing: "u \(model.timeStyle.rawValue)", focused: model.panel == 1)
  var lines = tokenLines(token, model, width: inner.width - 2)
  if let detail = model.detail, detail.row.id == token.id { lines += detailLines(detail, inner.width - 2) }
  grid.lines(lines, in: inner, scroll: model.panel == 1 ? model.scroll : 0)
}

private func tokenLines(_ token: TokenRow, _ model: AppModel, width: Int) -> [PanelLine] {
  let isRevealed = model.revealedToken == token.id
  let secret = isRevealed ? model.detail?.row.secret ?? token.secret : token.secret
  var lines = [PanelLine("\(token.standing.text)  \(token.state.sentence)", token.state.style)]
  if let end = token.expiresOn {
    let moment = "\(clockText(end, east: model.utcOffset)) here, \(clockText(end)) UTC"
    lines.append(field("Expires", moment, width: width))
  }
  lines += [
    field(
      "Usable by", token.apps.isEmpty ? "no installed app" : token.apps.joined(separator: ", "), width: width),
    field("Account", token.username ?? token.homeAccountID, width: width),
    field("Client ID", token.clientID, width: width),
    field("Group", token.accessGroup, width: width),
  ]
  if let realm = token.realm { lines.append(field("Realm", realm, width: width)) }
  if let family = token.familyID { lines.append(field("Family", family, width: width)) }
  if let target = token.target {
    lines += wrapped("Scopes     " + target, width, indent: "  ").map { PanelLine($0) }
  }
  if isRevealed {
    lines += [PanelLine("Secret, for ten seconds:", .warning)] + wrapped(secret, width).map { PanelLine($0) }
  } else {
    lines.append(field("Secret", secret, width: width))
  }
  return lines
}

private func detailLines(_ detail: TokenDetail, _ width: Int) -> [PanelLine] {
  var lines = [PanelLine("")]
  if let problem = detail.problem { lines += wrapped("✗ " + problem, width).map { PanelLine($0, .bad) } }
  if detail.claims.isEmpty {
    lines.append(PanelLine("No claims: opaque to the app.", .dim))
  } else {
    lines.append(PanelLine("CLAIM     VALUE / MEANING", .dim))
    for claim in detail.claims {
      lines.append(PanelLine(claim.name.padding(to: 10) + claim.value))
      if !claim.meaning.isEmpty { lines.append(PanelLine("          " + claim.meaning, .dim)) }
    }
  }
  if let header = detail.header { lines.append(field("Header", header, width: width)) }
  guard !detail.lines.isEmpty else { return lines }
  lines.append(PanelLine("STORED FIELDS", .dim))
  return lines + detail.lines.map { PanelLine("\($0.name.padding(to: 10))\($0.value)") }
}
