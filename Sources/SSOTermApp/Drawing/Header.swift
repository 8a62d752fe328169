import SSOCore
import SSODevice
import SSOLab
import TerminalUI

func drawHeader(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  // If there is not enough room, words are removed from the front, beginning with the time.
  var words = headerWords(model)
  func width() -> Int { words.reduce(0) { $0 + columnWidth($1.text) } + 2 * (words.count - 1) }
  while words.count > 1, width() > row.width - 10 { words.removeFirst() }
  let room = min(width(), row.width - 10)
  grid.put(" SSOTerm", at: 0, row.y, style: .bold)
  var x = 10
  if model.lab.isReadOnly {
    grid.put(" RO ", at: x, row.y, style: Style(.warning, bold: true, reverse: true))
    x += 5
  }
  let titleRoom = row.width - x - 3 - room
  let title =
    model.place.project.map { "doctor " + $0.paths.joined(separator: " ") } ?? storeTitle(model, titleRoom)
  grid.put(title, at: x, row.y, width: titleRoom)
  x = row.width - room - 1
  grid.put(words.map(\.text).joined(separator: "  "), at: x, row.y, width: room, style: .dim)
  for word in words {
    if word.isLoud {
      grid.put(
        word.text, at: x, row.y, width: row.width - 1 - x, style: Style(.warning, bold: true, reverse: true))
    }
    x += columnWidth(word.text) + 2
  }
}

/// Returns the title, truncated at the start for a store, because the end of the path distinguishes it.
private func storeTitle(_ model: AppModel, _ room: Int) -> String {
  model.lab.status?.storePath == nil ? model.lab.title : startTruncated(model.lab.title, room)
}

/// Returns the right half of the header: the lab's time, and everything out of the ordinary, which is highlighted.
private func headerWords(_ model: AppModel) -> [(text: String, isLoud: Bool)] {
  let status = model.lab.status
  var words: [(text: String, isLoud: Bool)] = []
  func chip(_ text: String) { words.append((" \(text) ", true)) }
  func flags() {
    if !model.hasMouse { words.append(("MOUSE OFF", false)) }
    if model.isZoomed { words.append(("ZOOM", false)) }
  }
  // The files of real apps have nothing to do with the lab's clock, faults, or secrets.
  if model.place.project != nil {
    if let facts = model.screens.doctor.headerText { words.append((facts, false)) }
    flags()
    return words.isEmpty ? [("", false)] : words
  }
  if let facts = model.lab.logFacts {
    flags()
    return [(facts, false)] + words
  }
  let offset = status?.clockOffset.map { "\(offsetText($0)) FAKE" }
  let moment = [status.map { model.times.labTime($0.now) }, offset].compactMap(\.self).joined(separator: " ")
  if offset != nil { chip(moment) } else if !moment.isEmpty { words.append((moment, false)) }
  if let count = status?.faultCount, count > 0 { chip("faults \(count)") }
  if let count = status?.waitingCount, count > 0 { chip("WAITS \(count)") }
  flags()
  if model.revealedToken == nil { words.append(("MASKED", false)) } else { chip("REVEALED") }
  return words
}

/// The name of each tab with its number, such as `3 Accounts`, and its names where there is less room.
private let tabNames = Place.tabs.enumerated().map { number, place in
  [place.title, place.shortTitle, String(place.shortTitle.prefix(3))].map { "\(number + 1) \($0)" }
}

/// Draws the screens by number and name.
///
/// If there is no room for all names, they are shortened evenly, at last to three letters, except the current one; in a
/// very narrow window, the rightmost names become numbers.
func drawTabs(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  if model.stack.count > 1 {
    let crumbs = breadcrumbs(model)
    grid.put(" " + crumbs.joined(separator: " > "), at: 0, row.y, width: row.width, style: .title)
    // The first one leads back to its screen.
    let first = Rect(x: 0, y: row.y, width: 1 + columnWidth(crumbs[0]), height: 1)
    return grid.add(Touch(.tab(model.stack[0].tab), first))
  }
  let here = Place.tab(of: model.shared.screenContext)
  let tabs = Place.tabScreens.enumerated().filter { model.obstacle(toShow: $1) == nil }
  var gap = 2
  var names: [(text: String, width: Int)] = []
  func width() -> Int { names.reduce(1) { $0 + $1.width } + gap * (names.count - 1) }
  func named(_ text: String) -> (text: String, width: Int) { (text, columnWidth(text)) }
  for (length, space) in [(0, 2), (1, 2), (1, 1), (2, 1)] {
    gap = space
    names = tabs.map { number, screen in
      // Where there is no keychain, its screen shows the apps' caches.
      let isOfCaches = screen == .keychain && model.lab.storage == .cache
      let name =
        isOfCaches
        ? "\(number + 1) \(KeychainScreen.titleOfCaches)"
        : tabNames[number][number == here ? min(length, 1) : length]
      return named(number == here ? "[\(name)]" : name)
    }
    if width() <= row.width { break }
  }
  for (index, tab) in tabs.enumerated().reversed() where tab.offset != here && width() > row.width {
    names[index] = named("\(tab.offset + 1)")
  }
  var x = 1
  for (tab, name) in zip(tabs, names) {
    let style: Style = tab.offset == here ? Style(.accent, bold: true, reverse: true) : .dim
    grid.put(name.text, at: x, row.y, style: style)
    grid.add(Touch(.tab(tab.offset), Rect(x: x, y: row.y, width: name.width, height: 1)))
    x += name.width + gap
  }
}

/// Returns the path to the current place, such as `1 Apps` and `Mail`.
private func breadcrumbs(_ model: AppModel) -> [String] {
  model.stack.indices.map { index in
    model.screens[model.stack[index].screen].breadcrumb(
      model.stack[index], after: index > 0 ? model.stack[index - 1] : nil, model.lab)
  }
}
