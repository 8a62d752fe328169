/// The accounts of the picker, with two lines for each: the user, and whether a password is required.
struct PickerTiles {
  var list: RowList
  /// A closure that returns the content of a row by its number.
  var row: (Int) -> PickerRow?

  /// Returns whether all rows, or at least four of them, have room for two lines.
  func fit(in rect: Rect) -> Bool { rect.height >= 2 * min(list.count, 4) }

  /// Draws only the visible tiles, so many accounts take no longer than a few.
  func draw(into grid: inout Grid, _ rect: Rect) {
    let visible = list.state.visible(height: rect.height / 2, count: list.count)
    for place in visible {
      let area = rect.rows(2 * (place - visible.lowerBound), 2)
      let number = list.matches[place]
      if case .account(let candidate) = row(number) {
        draw(candidate, number: number + 1, into: &grid, area)
      } else if let way = row(number)?.way {
        grid.put(way.sign, at: area.x + Self.chip + 1, area.y, width: 1, style: .title)
        grid.put(way.words, at: area.x + Self.name, area.y, width: area.width - Self.name)
      }
      grid.note(Touch(.row(list: 0, number: place), area))
      guard place == list.state.selection else { continue }
      grid.put(">", at: area.x, area.y, width: 1)
      grid.restyle(area) { $0 = .selected }
      grid.cursor = Point(x: area.x, y: area.y)
    }
    guard visible.upperBound < list.count else { return }
    grid.put("↓", at: rect.maxX - 1, rect.maxY - 1, width: 1, style: .dim)
  }

  /// The columns where the initials and the name begin.
  private static let chip = 6
  private static let name = 12

  private func draw(_ candidate: PickerCandidate, number: Int, into grid: inout Grid, _ area: Rect) {
    let state = candidate.chip
    let room = area.width - Self.name - columnWidth(state) - 3
    let name = candidate.displayName.isEmpty ? candidate.username : candidate.displayName
    grid.put("\(number)", at: area.x + 1, area.y, width: Self.chip - 2, style: .dim, align: .right)
    grid.put(
      " \(candidate.initials) ", at: area.x + Self.chip, area.y, width: Self.name - Self.chip - 1,
      style: Style(bold: true, reverse: true))
    grid.put(name, at: area.x + Self.name, area.y, width: room, style: .bold)
    grid.put(
      state, at: area.maxX - columnWidth(state) - 2, area.y, width: columnWidth(state),
      style: candidate.style)
    let about = [
      candidate.isHinted ? "hint of the app" : "", candidate.username, candidate.tenantName,
      candidate.remarkBesideState, candidate.lastUse?.words ?? "",
    ]
    grid.put(
      about.filter { !$0.isEmpty }.joined(separator: " · "),
      at: area.x + Self.name, area.y + 1, width: area.width - Self.name - 1,
      style: candidate.state == .blocked ? .plain : .dim)
  }
}

extension PickerCandidate {
  /// The first letters of the first two words of the name or, without a name, of the username.
  var initials: String {
    let words = (displayName.isEmpty ? username : displayName).split { !$0.isLetter && !$0.isNumber }
    let letters = words.prefix(2).compactMap(\.first).map { String($0).uppercased() }.joined()
    // There is no room for two wide letters.
    return letters.isEmpty ? "?" : columnWidth(letters) > 3 ? String(letters.prefix(1)) : letters
  }

  /// The part of the remark that the chip does not already say, which is whether a password is required.
  var remarkBesideState: String {
    let isSaid = remark == chip.dropFirst(2) || state == .ready && remark == "no password"
    return isSaid ? "" : remark
  }
}

extension AccountPicker {
  /// The numbers of accounts: `4 accounts, 1 ready`.
  var countText: String {
    "\(counted(candidates.count, "account")), \(candidates.count { $0.state == .ready && !$0.mustSignInAgain }) ready"
  }
}
