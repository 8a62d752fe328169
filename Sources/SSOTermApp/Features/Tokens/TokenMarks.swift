/// The marks in the tree, and the credentials that a change applies to.
///
/// Credentials are identified by their own IDs, because one may be listed under several redirect URIs. A heading
/// represents all credentials below it.
extension TokensScreen {
  func canMark(inPanel panel: Int) -> Bool { panel == 0 }

  func markIDs(ofRow row: Int) -> [RowID]? {
    guard lines.indices.contains(row) else { return [list.ids[row]] }
    if let token = lines[row].token { return [RowID(credential: token.id)] }
    if case .branch = lines[row].kind { return nil }
    if list.index.isLong { return Array(list.ids[lines.count...]) }
    return below(row).map { RowID(credential: $0.id) }
  }

  func isHeading(_ row: Int) -> Bool { lines.indices.contains(row) && lines[row].token == nil }

  func isMarked(_ row: Int) -> Bool {
    guard lines.indices.contains(row) else { return list.isMarked(row) }
    return lines[row].token.map { list.marks.ids.contains(RowID(credential: $0.id)) } ?? false
  }

  private func below(_ row: Int) -> [TokenRow] {
    lines[(row + 1)...].prefix { $0.depth > lines[row].depth }.compactMap(\.token)
  }

  /// Returns the credentials below a heading of the tree, each of them once.
  func credentials(under heading: TokenLine) -> [TokenRow] {
    lines.firstIndex { $0.id == heading.id }.map { below($0).onePerCredential } ?? []
  }

  /// Returns the number of credentials in the tree.
  ///
  /// Headings are not counted, and a credential under three redirect URIs is counted once.
  func countText(inPanel panel: Int) -> String {
    let isWhole = !list.index.isLong && lines.allSatisfy { $0.token != nil || !$0.opens }
    guard isWhole else { return list.markedCountText }
    func count(_ lines: [TokenLine]) -> Int { Set(lines.compactMap { $0.token?.id }).count }
    let shown = count((0..<list.count).map { lines[list.matches[$0]] })
    let marked = list.marks.ids.isEmpty ? "" : ", \(list.marks.ids.count) marked"
    return (list.isFiltered ? "\(shown) of \(count(lines))" : "\(shown)") + marked
  }

  /// Returns the credentials that a change applies to.
  ///
  /// Refresh tokens are invalidated, access and ID tokens expire, and any of them may be deleted.
  func target(of change: ChangeCredentials.Change?, _ shared: SharedState) throws(UnavailableReason) -> Target
  {
    let marked = list.marks.ids
    if list.index.isLong, !marked.isEmpty { return .rows(marked, kinds: CredentialKind.all(for: change)) }
    let targets =
      marked.isEmpty
      ? selected.map { [$0] } ?? []
      : lines.compactMap(\.token).filter { marked.contains(RowID(credential: $0.id)) }.onePerCredential
    let kinds = CredentialKind.all(for: change)
    let ids = targets.filter { kinds.isEmpty || $0.kind.map(kinds.contains) == true }.map(\.id)
    guard ids.isEmpty else { return .credentials(ids) }
    throw UnavailableReason(text: "select \(change.map(\.object) ?? "a token") first")
  }

  func shownTarget(of change: ChangeCredentials.Change?) -> Target {
    if list.index.isLong {
      return .rows(Set(list.matches.map { list.ids[$0] }), kinds: CredentialKind.all(for: change))
    }
    return .credentials(list.matches.compactMap { line($0)?.token }.onePerCredential.map(\.id))
  }

  /// The credentials that can be named in the palette, each of them once.
  var namedCredentials: [TokenRow] { lines.compactMap(\.token).onePerCredential }
}

extension [TokenRow] {
  fileprivate var onePerCredential: [TokenRow] {
    var seen: Set<String> = []
    return filter { seen.insert($0.id).inserted }
  }
}
