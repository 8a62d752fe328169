import ArgumentParser
import Foundation

/// `ssoterm paths`: the files of the program, and whether they are there.
struct PathsCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "paths", abstract: "Show which files are used, and whether they are there.",
    discussion: examples(
      "ssoterm paths", "ssoterm paths --json | jq -r '.[0].path'")
  )

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let rows = try files()
    try console.show(.array(rows.map(\.json))) {
      var table = TextTable([])
      for row in rows {
        table.append([
          InkedText(row.name, .strong), InkedText(row.path),
          row.isThere ? InkedText("") : InkedText("not there", .faint),
        ])
      }
      return table.text(console.ink)
    }
    return .done
  }

  private func files() throws -> [NamedPath] {
    let location = try storeLocation(option: options.storePath())
    let store = location.name
    // A lab's files are named after its ID, which only its server knows.
    let files = location.isServer ? stateFolder() + "/labs/*" : store
    return [
      NamedPath("config", settingsPath()), NamedPath("store", store), NamedPath("key", files + ".key"),
      NamedPath("certificates", files + ".ca.pem"),
    ] + ScenarioLibrary().folders.map { NamedPath("scenarios", $0) }
  }
}

/// A file or folder by what it is for.
private struct NamedPath {
  var name: String
  var path: String
  var isThere: Bool

  init(_ name: String, _ path: String) {
    (self.name, self.path) = (name, path)
    isThere = access(path, F_OK) == 0
  }

  var json: JSONValue { ["name": .string(name), "path": .string(path), "isThere": .bool(isThere)] }
}
