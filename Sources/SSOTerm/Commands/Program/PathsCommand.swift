import ArgumentParser
import Essentials
import SSOCore
import SSOScenarios
import SSOStore
import SSOTermApp

/// `ssoterm paths`: lists the files of the program, and whether they exist.
struct PathsCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "paths", "Show which files are used, and whether they exist.",
    examples: ["ssoterm paths", "ssoterm paths --json | jq -r '.paths[0].path'"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let rows = try files()
    return try console.show(["paths": .array(rows.map(\.json))]) {
      return TextTable([], of: rows) { row in
        [
          InkedText(row.name, .strong), InkedText(row.path),
          row.remark,
        ]
      }.text(console.ink)
    }
  }

  private func files() throws -> [NamedPath] {
    let scenarios = ScenarioLibrary.ofProgram.folders.map { NamedPath("scenarios", $0) }
    do {
      let location = try storeLocation(option: options.storePath())
      return [NamedPath("config", settingsPath())] + storeFiles(location) + scenarios
    } catch StoreError.homeless {
      let problem = StoreError.homeless.what.withoutStop
      return [NamedPath("config", "-", problem: problem), NamedPath("store", "-", problem: problem)]
        + scenarios
    } catch is SettingsError {
      // Users may be looking for the settings file because it contains a mistake.
      return [
        NamedPath("config", settingsPath(), problem: "mistakes: ssoterm config check"),
        NamedPath("store", "-", problem: "the settings may name it"),
      ] + scenarios
    }
  }

  private func storeFiles(_ location: WorldStore.Location) -> [NamedPath] {
    let files = [("key", ".key"), ("certificates", ".ca.pem")]
    guard case .server(let address) = location else {
      let path = location.name
      return [NamedPath("store", path)] + files.map { NamedPath($0.0, path + $0.1) }
    }
    let unknown = stateFolder() + "/labs/\(address.lab)-*"
    do throws(StoreError) {
      let found = try Labs.filesBeside(location)
      return [NamedPath("store", location.name, isThere: found != nil)]
        + files.map { name, ending in
          found.map { NamedPath(name, $0 + ending) } ?? NamedPath(name, unknown + ending, isThere: false)
        }
    } catch {
      return [NamedPath("store", location.name, problem: error.what)]
        + files.map { NamedPath($0.0, unknown + $0.1, problem: "only the server knows its name") }
    }
  }
}

/// A file, folder, or lab, named by its purpose.
private struct NamedPath {
  var name: String
  var path: String
  /// Whether it exists, or `nil` if that cannot be determined.
  var isThere: Bool?
  /// The reason that its existence cannot be determined.
  var problem: String?

  init(_ name: String, _ path: String) { self.init(name, path, isThere: access(path, F_OK) == 0) }

  init(_ name: String, _ path: String, isThere: Bool? = nil, problem: String? = nil) {
    (self.name, self.path, self.isThere, self.problem) = (name, path, isThere, problem)
  }

  var remark: InkedText {
    if let problem { return InkedText(problem, .warning) }
    return isThere == true ? InkedText("") : InkedText("not there", .faint)
  }

  var json: JSONValue {
    [
      "name": .string(name), "path": .string(path), "isThere": isThere.map { .bool($0) } ?? .null,
      "problem": .optional(problem),
    ]
  }
}
