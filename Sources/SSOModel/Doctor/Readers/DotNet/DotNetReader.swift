import SSOCore
import SSODevice

/// The settings of MSAL.NET in the C# sources of an app for several platforms.
struct DotNetSettings {
  /// The place where code begins to create a public client.
  private(set) var builder: FilePlace?
  /// `WithBroker`, without which MSAL.NET does not call the broker.
  private(set) var brokerUse = BrokerUse.none
  /// `WithIosKeychainSecurityGroup`.
  private(set) var keychainGroup = SourceFacts.Setting.absent

  private static let fileLimit = 2000
  private static let projectLimit = 50

  /// Returns the paths and texts of a project and of all projects that it refers to.
  static func projects(of path: String) -> [(path: String, text: String)] {
    var paths = [simplified(path)]
    var found: [(path: String, text: String)] = []
    while found.count < paths.count, paths.count < projectLimit {
      let path = paths[found.count]
      let text = (try? ProjectFiles.text(path, limit: 1 << 20)) ?? ""
      found.append((path, text))
      for line in text.lines {
        guard let start = line.firstRange(of: "<ProjectReference Include=\"") else { continue }
        let name = line[start.upperBound...].prefix { $0 != "\"" }.replacing("\\", with: "/")
        let other = simplified(folder(of: path) + "/" + name)
        if other.hasSuffix(".csproj"), !paths.contains(other) { paths.append(other) }
      }
    }
    return found
  }

  /// Returns the paths of the sources that a project takes from other folders: `<Compile Include="../Other/File.cs" />`.
  static func linkedSources(of project: String) -> [String] {
    let text = (try? ProjectFiles.text(project, limit: 1 << 20)) ?? ""
    return text.lines.compactMap { line in
      guard let start = line.firstRange(of: "<Compile Include=\"..") else { return nil }
      let name = line[start.upperBound...].prefix { $0 != "\"" }.replacing("\\", with: "/")
      let path = simplified(folder(of: project) + "/.." + name)
      return ProjectFiles.exists(path) ? path : nil
    }
  }

  /// Returns the major version of MSAL.NET that a project, or another that it refers to, names, or `nil` if none does.
  static func majorVersion(for path: String) -> Int? {
    projects(of: path).lazy.compactMap { project -> Int? in
      // Older projects list their packages beside themselves.
      let list = try? ProjectFiles.text(folder(of: project.path) + "/packages.config", limit: 1 << 20)
      return (project.text.lines + (list ?? "").lines).lazy.compactMap { line -> Int? in
        guard line.contains("\"\(ProjectNote.dotNetLibrary)\""), let start = line.firstRange(of: "ersion=\"")
        else {
          return nil
        }
        return Int(line[start.upperBound...].prefix(while: \.isNumber))
      }.first
    }.first
  }

  /// Reads the sources of a project and of all projects that it refers to.
  static func read(of project: String) -> DotNetSettings {
    var settings = DotNetSettings()
    let sources = projects(of: project).flatMap { project in
      ProjectFiles(folder(of: project.path)).find { $0.hasSuffix(".cs") }
    }
    for path in sources.prefix(fileLimit) {
      guard let text = try? ProjectFiles.text(path, limit: 1 << 20),
        text.contains("Microsoft.Identity.Client")
      else { continue }
      settings.take(SourceTokens.read(text, of: path), path)
    }
    return settings
  }

  private mutating func take(_ tokens: [SourceToken], _ path: String) {
    for (index, token) in tokens.enumerated() {
      let place = FilePlace(path, line: token.line)
      let argument = index + 2 < tokens.count && tokens[index + 1].isSymbol("(") ? tokens[index + 2] : nil
      switch token.word {
      case "PublicClientApplicationBuilder": builder = builder ?? place
      case "WithBroker":
        if let argument, argument.word != "false" { brokerUse = .auto }
      case "WithIosKeychainSecurityGroup":
        guard let argument else { continue }
        keychainGroup = argument.text.map { .known(Found($0, place)) } ?? .unknown(place)
      default: continue
      }
    }
  }
}
