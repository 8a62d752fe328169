internal import ArgumentParser
internal import SSOModel

/// `ssoterm view FILE`: a cache file, without a store.
struct ViewCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Show a token cache file without touching a store.")

  @OptionGroup var options: GlobalOptions

  @Argument(help: "A token cache that MSAL wrote; - reads stdin.")
  var file: String

  func perform(on console: Console) throws -> ExitStatus {
    let (name, cache) = try readCache(file)
    let now = StandardStreams.now()
    try console.show(cache.json(name: name, now: now, unmasked: console.unmask)) {
      cacheText(name, cache, now: now, unmasked: console.unmask, console.ink)
    }
    return .done
  }
}
