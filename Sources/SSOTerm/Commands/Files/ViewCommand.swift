import ArgumentParser
import Foundation

/// `ssoterm view FILE`: a cache file, without a store. It is never written.
struct ViewCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Show a token cache file without touching a store.")

  @OptionGroup var options: GlobalOptions

  @Flag(help: "Show it again whenever another program has changed it; ^C ends.")
  var watch = false

  @Argument(help: "A token cache that MSAL wrote; - reads stdin.", completion: .file())
  var file: String

  func perform(on console: Console) throws -> ExitStatus {
    guard watch else {
      try show(try readCache(file), on: console)
      return .done
    }
    guard file != "-", let watch = FileWatch(path: file) else {
      throw CommandFailure(
        usage: "\(file) cannot be watched.", why: "it is not a file in a folder that can be read",
        next: "ssoterm view \(file)")
    }
    var last: Data?
    repeat {
      last = try showIfChanged(from: last, on: console)
    } while watch.waitForChange()
    return .done
  }

  private func show(_ found: (name: String, cache: CacheFile), on console: Console) throws {
    let now = StandardStreams.now()
    try console.show(found.cache.json(name: found.name, now: now, unmasked: console.unmask)) {
      cacheText(found.name, found.cache, now: now, unmasked: console.unmask, console.ink)
    }
  }

  /// Half a file, as a writer that truncates first leaves it for a moment, is passed over: the next change shows it.
  /// - Returns: what was shown; empty if the file is not there, which is said once.
  private func showIfChanged(from last: Data?, on console: Console) throws -> Data? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
      if last != Data() { console.note(last == nil ? "\(file) is not there yet" : "\(file) was removed") }
      return Data()
    }
    guard data != last, let cache = try? UnifiedCacheJSON.read(data) else { return last }
    if last != nil, !console.json {
      console.print("\n" + console.ink.draw(StandardStreams.now().iso8601, .faint))
    }
    try show((file, cache), on: console)
    return data
  }
}
