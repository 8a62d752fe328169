import Essentials
import SSOCore

/// The variables of a web app's `.env` files.
struct EnvironmentFiles {
  private(set) var values: [String: Found<String>] = [:]
  /// The secrets among the variables that a build puts into the page.
  private(set) var secrets: [Found<String>] = []

  /// The parts of the names of files for tests, whose values no page has.
  private static let tests: Set<Substring> = [
    "test", "tests", "testing", "ci", "e2e", "cypress", "mock", "jest",
  ]

  /// Reads the files that the build uses, and then the examples.
  static func read(_ paths: [String]) -> EnvironmentFiles {
    var files = EnvironmentFiles()
    let isExample = FilePlace.isExample
    let used = paths.filter { tests.isDisjoint(with: fileName($0).lowercased().split(separator: ".")) }
    for path in used.filter({ !isExample($0) }) + used.filter(isExample) { files.take(path) }
    return files
  }

  private mutating func take(_ path: String) {
    guard let text = try? ProjectFiles.text(path, limit: 64 << 10) else { return }
    for (index, line) in text.lines.enumerated() {
      guard let equals = line.firstIndex(of: "="), !line.trimmed.hasPrefix("#") else { continue }
      let name = line[..<equals].trimmed.replacing("export ", with: "")
      var value = line[line.index(after: equals)...].trimmed
      if let quote = value.first, quote == "\"" || quote == "'" {
        value = String(value.dropFirst().prefix { $0 != quote })
      } else {
        value = (value.firstRange(of: " #").map { String(value[..<$0.lowerBound]) } ?? value).trimmed
      }
      // A value does not contain control characters, however its line ends.
      value = String(
        value.prefix { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
      // The gaps of an example do not show what builds have.
      guard !value.isEmpty, !FilePlace.isExample(path) || !Placeholders.contain(value) else { continue }
      let found = Found(value, FilePlace(path, line: index + 1))
      values[name] = values[name] ?? found
      let isSecret = ["CLIENT_SECRET", "CLIENTSECRET", "AZURE_SECRET", "MSAL_SECRET"].contains {
        name.uppercased().contains($0)
      }
      if isSecret, PageVariables.prefixes.contains(where: name.hasPrefix), !Placeholders.contain(value) {
        secrets.append(Found(name, found.place))
      }
    }
  }
}
