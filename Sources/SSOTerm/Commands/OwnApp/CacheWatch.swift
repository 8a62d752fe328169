import Essentials
import SSOCore
import SSOInterop
import SSOStore
import SSOTermApp
import TerminalUI

/// `ssoterm view --watch`: shows an entire cache file, and then the differences after each change.
///
/// Press `q` or ^C to end it.
struct CacheWatch {
  let file: String
  let console: Console
  private let watch: FileWatch
  private let keys = WatchKeys()
  /// The bytes and entries that were shown last.
  private var last: (data: Data, cache: CacheFile)?
  /// The last message that said why the file cannot be read.
  private var said: String?

  /// The time, in milliseconds, that a writer may take to finish a file that it first truncated.
  private static let patience: Int32 = 500

  /// - Returns: `nil` if the file cannot be watched.
  init?(_ file: String, _ console: Console) {
    guard file != "-", let watch = FileWatch(path: file) else { return nil }
    self.file = file
    self.console = console
    self.watch = watch
  }

  mutating func run() throws -> ExitStatus {
    defer { keys.end() }
    while true {
      let problem = try showChange()
      if console.troubles.output != nil { return .done }
      if problem == nil { said = nil }
      // Ignore an incomplete file unless it stays incomplete.
      let isNews = problem != nil && problem != said
      switch wait(milliseconds: isNews ? Self.patience : -1) {
      case .changed: break
      case .timeout:
        said = problem
        if let problem { console.note(problem + (last == nil ? "" : " Above: the last good version.")) }
      case .end(let status): return status
      }
    }
  }

  private func wait(milliseconds: Int32) -> WatchKeys.News {
    while true {
      let news = keys.wait(for: watch.descriptor, milliseconds: milliseconds)
      guard case .changed = news else { return news }
      guard let isChanged = watch.takeChange() else { return .end(.done) }
      if isChanged { return .changed }
    }
  }

  /// - Returns: the reason that nothing can be shown, or `nil` if the file is shown as it is.
  private mutating func showChange() throws -> String? {
    guard let data = try? readFile(file).data else {
      return last == nil ? "\(file) is not there yet." : "\(file) was removed."
    }
    guard data != last?.data else { return nil }
    // An empty file is an empty cache, but it may also be a file that a writer has just truncated.
    guard !data.isEmpty || last == nil else { return "\(file) is empty now." }
    let cache: CacheFile
    do { cache = try CacheReader.read(data) } catch {
      let text = error.description
      let start = "The file "
      return text.hasPrefix(start) ? "\(file) \(text.dropFirst(start.count))" : "\(file): \(text)"
    }
    let now = StandardStreams.now()
    defer { last = (data, cache) }
    if console.json {
      console.print(document: cache.json(name: file, now: now, unmasked: console.unmask))
      return nil
    }
    guard let last else {
      console.print(fitted(lines(of: cache, now)).joined(separator: "\n"))
      return nil
    }
    let changes = CacheChanges(from: last.cache, to: cache, at: now, unmasked: console.unmask)
    let lines =
      changes.isEmpty ? ["  the same entries, written again"] : changes.lines(console.ink)
    let head = console.ink.draw(now.iso8601, .faint)
    console.print((["", head] + fitted(lines)).joined(separator: "\n"))
    return nil
  }

  private func lines(of cache: CacheFile, _ now: Instant) -> [String] {
    cacheText(file, cache, now: now, unmasked: console.unmask, console.ink).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// Returns the lines, cut to the width of the terminal if there is one.
  private func fitted(_ lines: [String]) -> [String] {
    guard let width = StandardStreams.terminalWidth() else { return lines }
    return lines.map { cut($0, width) }
  }

  /// Returns the first columns of a line that contains colours.
  private func cut(_ line: String, _ width: Int) -> String {
    var (text, used, isColour) = ("", 0, false)
    for character in line {
      if character == "\u{1B}" { isColour = true }
      if isColour {
        text.append(character)
        isColour = character != "m"
        continue
      }
      used += columnWidth(String(character))
      guard used < width - 1 else {
        return text + console.ink.draw("…") + (console.ink.colour ? "\u{1B}[0m" : "")
      }
      text.append(character)
    }
    return text
  }
}

/// The differences between two states of a cache file, by record.
struct CacheChanges {
  /// The records that differ, each with its sign.
  ///
  /// The title of a section that was added or removed also has a sign.
  private var sections: [CacheSection] = []
  private var problems: [InkedText] = []

  /// Compares two states.
  ///
  /// Both are evaluated at the same time, so that no record differs only in its remaining lifetime.
  init(from old: CacheFile, to new: CacheFile, at now: Instant, unmasked: Bool) {
    let before = old.sections(at: now, unmasked: unmasked)
    let after = new.sections(at: now, unmasked: unmasked)
    let titles =
      before.map(\.title) + after.map(\.title).filter { title in !before.contains { $0.title == title } }
    for title in titles {
      let (one, other) = (before.first { $0.title == title }, after.first { $0.title == title })
      let difference = (other?.records ?? []).difference(from: one?.records ?? [])
      let isWhole = one == nil || other == nil
      guard isWhole || !difference.isEmpty else { continue }
      let sign =
        one == nil ? InkedText("+ ", .good) : other == nil ? InkedText("- ", .warning) : InkedText("  ")
      sections.append(
        CacheSection(
          title: [sign] + (title.isEmpty ? [InkedText("accounts", .faint)] : title),
          records: difference.removals.map { [InkedText("-", .warning)] + $0.element }
            + difference.insertions.map { [InkedText("+", .good)] + $0.element }))
    }
    let changed = new.problems.map(\.displayText).difference(from: old.problems.map(\.displayText))
    problems =
      changed.removals.map { InkedText("- " + $0.element) }
      + changed.insertions.map { InkedText("+ " + $0.element) }
  }

  var isEmpty: Bool { sections.isEmpty && problems.isEmpty }

  func lines(_ ink: TextInk) -> [String] {
    sections.flatMap { $0.lines(ink) } + problems.map(ink.draw)
  }
}

extension CollectionDifference.Change {
  fileprivate var element: ChangeElement {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
