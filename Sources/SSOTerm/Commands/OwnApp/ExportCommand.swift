import ArgumentParser
import Essentials
import SSOCore
import SSOInterop
import SSOLab
import SSOTermApp

/// `ssoterm export [--format msal|android] [--account U] [--app APP] -o FILE`.
struct ExportCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "export", "Write the lab's credentials to a cache file of MSAL Python or MSAL for Android.",
    examples: [
      "ssoterm export --account ada@contoso.com -o cache.json",
      "ssoterm export --format android --app mytestapp1 -o cache.xml",
    ],
    after: """
      In an existing file, entries with the same identity are replaced, and all others stay. The file contains unmasked \
      secrets; its mode is 0600. On an Android device, each value in the file is encrypted with a key of the device; \
      this file contains the decrypted values, as view and import read it.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case msal, android }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(help: "msal: the unified cache with MSAL Python's keys; android: MSAL's SharedPreferences as XML.")
  var format = Format.msal

  @Option(help: "Only the entries of this account: a username or home account ID.")
  var account: String?

  @Option(help: "Only the cache of this app, as on Android, where each app has its own.", completion: .app)
  var app: String?

  @Option(help: "The host to write into each entry, such as localhost for clients of ssoterm serve.")
  var environment: String?

  @Option(
    name: .shortAndLong, help: "The cache file; - writes a new one to standard output.", completion: .file())
  var output: String

  /// Returns the host of the typed value, which may be an authority, because MSAL finds nothing under another name.
  static func host(of typed: String) -> String {
    URLParts(typed.contains("://") ? typed : "https://" + typed)?.host ?? typed
  }

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    let account = try lab.read { try $0.names.name(self.account) }
    let host = environment.map(Self.host)
    if let host, host != environment {
      console.note("entries are written for \(host): MSAL keeps them by host, without port and path")
    }
    let cache = try lab.read { try $0.cache.file(account: account, app: app, environment: host) }
    guard output != "-" else {
      console.print(String(decoding: try contents(cache, over: nil).file, as: UTF8.self))
      return .done
    }
    var counts = CacheExport.Counts()
    try replaceCacheFile(output) { present in
      do throws(CacheFileError) {
        let export = try contents(cache, over: present)
        counts = export.counts
        return export.file
      } catch {
        throw CommandFailure(
          status: .usage, kind: "badInput", what: "\(output) exists and is not a token cache.",
          why: error.description, next: "the same command with -o other.\(format == .msal ? "json" : "xml")")
      }
    }
    let document: JSONValue = [
      "file": .string(output), "accounts": .count(counts.accounts), "credentials": .count(counts.credentials),
      "replaced": .count(counts.replaced), "kept": .count(counts.kept),
    ]
    return try console.show(document) {
      let parts = [
        counted(counts.accounts, "account"), counted(counts.credentials, "credential"),
        "\(counts.replaced) replaced", "\(counts.kept) kept",
      ]
      return console.ink.draw("✓ ", .good) + console.ink.draw("\(output): " + parts.joined(separator: ", "))
    }
  }

  /// Returns the file in the format, over the present file.
  private func contents(_ cache: CacheFile, over present: Data?) throws(CacheFileError) -> (
    file: Data, counts: CacheExport.Counts
  ) {
    switch format {
    case .msal:
      let export = try CacheExport(cache, over: present)
      return (export.file, export.counts)
    case .android:
      let export = try AndroidCacheExport(cache, over: present)
      return (export.file, export.counts)
    }
  }
}
