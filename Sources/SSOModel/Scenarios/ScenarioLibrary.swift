import Assets
import Essentials
import SSOCore
import SSOReference
import SSOStore

/// A library that finds scenarios: those embedded in the program, and files.
///
/// A search by name reads only the scenario with that name, because the program starts in milliseconds.
package struct ScenarioLibrary: Sendable {
  /// Folders with scenario files; the first that contains a name wins, and the embedded scenarios come last.
  package let folders: [String]

  /// Creates a library of the embedded scenarios, preceded by the scenarios in the given folders.
  package init(folders: [String] = []) { self.folders = folders }

  /// Creates a library whose files are in a folder of assets or in its subfolder `scenarios`.
  package init(assets: String) { self.init(folders: assets.isEmpty ? [] : ["\(assets)/scenarios", assets]) }

  /// The scenario from which a new lab is created if no scenario is specified.
  package static let usual = "contoso-suite"

  /// Returns true for the path of a file, and false for the name of a scenario.
  package static func isPath(_ nameOrPath: String) -> Bool {
    nameOrPath.contains("/") || nameOrPath.hasSuffix(".yaml") || nameOrPath.hasSuffix(".yml")
  }

  /// Returns a scenario by name, or by path (`./my.yaml`).
  package func scenario(_ nameOrPath: String) throws(ScenarioError) -> ScenarioFile {
    let isPath = Self.isPath(nameOrPath)
    let found = isPath ? try Self.file(nameOrPath) : try source(named: nameOrPath)
    guard let found else {
      if isPath { throw ScenarioError(missing: nameOrPath) }
      let known = names()
      throw ScenarioError(
        file: nameOrPath, "there is no scenario with this name", allowed: known,
        nearest: known.first { $0.lowercased().hasPrefix(nameOrPath.lowercased() + "-") }
          ?? known.closestSpelling(to: nameOrPath))
    }
    let near = ScenarioLibrary(folders: found.isEmbedded ? [] : [found.path.parentFolder] + folders)
    return try ScenarioFile(found) { name throws(ScenarioError) in try near.source(named: name) }
  }

  /// Returns the names of all scenarios that can be found, in alphabetical order.
  ///
  /// It does not read the files.
  package func names() -> [String] {
    let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
    let all = Set(files + Asset.files(in: "scenarios").map(\.name))
    return all.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// Returns all scenarios that can be found.
  ///
  /// A scenario that cannot be read is in the list with its error.
  package func all() -> [(name: String, file: Result<ScenarioFile, ScenarioError>)] {
    names().map { name in
      do throws(ScenarioError) {
        return (name, .success(try scenario(name)))
      } catch {
        return (name, .failure(error))
      }
    }
  }

  /// Returns the source of a scenario by name, or `nil` if it does not exist.
  func source(named name: String) throws(ScenarioError) -> ScenarioSource? {
    guard !name.contains("/") else { return nil }
    for folder in folders {
      let start = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
      if let source = try Self.file("\(start)\(name).yaml") { return source }
    }
    return Asset("scenarios/\(name).yaml").map {
      ScenarioSource(path: $0.name, text: $0.text, isEmbedded: true)
    }
  }

  /// Returns the text of a file, or `nil` if the file does not exist.
  static func file(_ path: String) throws(ScenarioError) -> ScenarioSource? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= ScenarioParser.largestFile {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ScenarioError(file: path, "the file cannot be read") }
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      throw ScenarioError(file: path, "the file is not UTF-8 text")
    }
    return ScenarioSource(path: path, text: text)
  }
}

/// The scenarios that show each claim, for `docs/claims.md` and `ssoterm scenario claims`.
package struct ClaimTable: Sendable {
  package struct Row: Sendable {
    package var claim: Claim
    /// The scenarios whose names begin with the claim's ID.
    package var named: [String]
    /// The other scenarios that show the claim.
    package var others: [String]
  }

  package var rows: [Row]

  package init(_ files: [ScenarioFile]) {
    rows = Claim.all.map { claim in
      let showing = files.filter { $0.claims.contains(claim.id) }.map(\.name)
      let named = showing.filter { $0.hasPrefix(claim.id + "-") }
      return Row(claim: claim, named: named, others: showing.filter { !named.contains($0) })
    }
  }

  /// The claims without a scenario.
  package var withoutScenario: [Claim] { rows.filter(\.named.isEmpty).map(\.claim) }

  /// The page in `docs/`.
  package var markdown: String {
    let head = """
      # Claims and their scenarios

      Made by `make claims` from the scenarios; a test fails if it is not what they say.

      Each claim of the articles has a scenario with its ID in the name. Watch one with `ssoterm demo NAME`, run it with
      `ssoterm scenario run NAME`, all of them with `ssoterm scenario run --all`. Each is also a test, a case of
      `ScenarioStoryTests`.

      Section F is about iOS. On macOS, ADAL keeps an archive per app, which the app passes to MSAL
      ([keychain.md §8(4)](behaviour/keychain.md#8-macos)), as in
      [macos-adal-archive](../assets/scenarios/macos-adal-archive.yaml).

      | claim | what it says | its scenarios | also shown in |
      |---|---|---|---|

      """
    return head
      + rows.map { row in
        "| \(row.claim.id) | \(row.claim.displayText) | \(Self.links(row.named)) | \(Self.links(row.others)) |\n"
      }.joined()
      + Self.notShown
  }

  /// The statements of the articles that no scenario shows, each with the reason.
  private static let notShown = """

    ## Statements that no scenario shows

    | the articles say | why it is not shown |
    |---|---|
    | The second factor is a call or a code in a text message | The lab's factor is an approval or a number to match. Its kind has no effect on who is asked again. |
    | On Windows, the broker is the Web Authentication Broker | Only the account picker is simulated ([broker.md §2(8)](behaviour/broker.md#2-how-the-request-reaches-the-broker)). |
    | On Android too, a malicious app can claim another app's identifiers | The system names the caller, and the broker compares it with the redirect URI ([android.md §2](behaviour/android.md#2-broker-or-web-page)). Two Android apps with one intent filter are not simulated. |
    | The App Store guarantees that a bundle ID is unique | The lab has no store; it refuses a bundle ID that is installed already. |
    | Accounts of B2C go to the broker | The SDK itself never uses the broker for B2C ([interactive-call.md §4](behaviour/interactive-call.md#4-kinds-of-authority)). |
    | For other kinds of accounts, the identifier is the `sub` claim | MSAL does not create an authority for AD FS or another provider ([interactive-call.md §4(9)](behaviour/interactive-call.md#4-kinds-of-authority)), as [F3](../assets/scenarios/F3-identifiers.yaml) shows. |
    | Diagrams of apps over one storage | `ssoterm why --matrix` and the grid on the Apps screen show the same for the lab's own apps. |
    | The app is registered in the portal, and the groups are switched on in Xcode | `ssoterm app show APP --as manifest` and `--as plist` print what these would write. |
    | The app controls what happens before and after the sign-in | An app of the lab only makes calls. |
    | It is like Facebook Connect; SAML single sign-on is a next step | A comparison and a link. |
    | The role and the name of a URL type; several URL contexts at once | The SDKs read neither; a call has one response. |

    """

  private static func links(_ names: [String]) -> String {
    names.map { "[\($0)](../assets/scenarios/\($0).yaml)" }.joined(separator: ", ")
  }
}
