import ArgumentParser
import SSOInterop
import SSOTermApp

/// `ssoterm view FILE`: shows a cache file without a store.
///
/// The file is never written.
struct ViewCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "view", "Show a token cache file without touching a store.",
    examples: [
      "ssoterm view ~/.azure/msal_token_cache.json", "ssoterm view --watch ~/.azure/msal_token_cache.json",
      "ssoterm export -o - | ssoterm view -",
    ])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "Keep running, and show what other programs change in the file. Press q to quit.")
  var watch = false

  @Argument(help: "A token cache that MSAL wrote; - reads stdin.", completion: .file())
  var file: String

  func perform(on console: Console) throws -> ExitStatus {
    guard watch else {
      return try show(try readCache(file), on: console)
    }
    guard var watch = CacheWatch(file, console) else {
      throw CommandFailure(
        usage: "\(file) cannot be watched.", why: "it is not a file in a folder that can be read",
        next: "ssoterm view \(file)")
    }
    return try watch.run()
  }

  private func show(_ found: (name: String, cache: CacheFile), on console: Console) throws -> ExitStatus {
    let now = StandardStreams.now()
    return try console.show(found.cache.json(name: found.name, now: now, unmasked: console.unmask)) {
      cacheText(found.name, found.cache, now: now, unmasked: console.unmask, console.ink)
    }
  }
}
