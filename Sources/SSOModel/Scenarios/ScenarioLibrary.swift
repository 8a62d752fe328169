import Foundation

/// Finds scenario files.
///
/// Looking for one by name reads that file only: the program starts in milliseconds.
package struct ScenarioLibrary: Sendable {
  /// Folders with scenario files, the first that has a name wins.
  package let folders: [String]
  /// Scenarios that are part of the program; a file of the same name comes first.
  private let builtIn: [String: ScenarioSource]

  package init(folders: [String]) { self.init(folders: folders, builtIn: [:]) }

  private init(folders: [String], builtIn: [String: ScenarioSource]) {
    self.folders = folders
    self.builtIn = builtIn
  }

  /// The folders of this process: `SSOTERM_ASSETS`, then the program's own.
  ///
  /// What is in the current folder is read only when it is named: it may be
  /// another person's.
  package init() {
    self.init(environment: ProcessInfo.processInfo.environment, executable: Self.pathOfExecutable)
  }

  /// What a new lab starts from where no scenario is named.
  package static let usual = "contoso-suite"

  init(environment: [String: String], executable: String) {
    var folders: [String] = []
    if let assets = environment["SSOTERM_ASSETS"], !assets.isEmpty {
      folders += ["\(assets)/scenarios", assets]
    }
    let binary = (executable as NSString).deletingLastPathComponent
    let prefix = (binary as NSString).deletingLastPathComponent
    folders.append((prefix as NSString).appendingPathComponent("share/ssoterm/scenarios"))
    // Built in a source tree: its own assets.
    if let build = executable.range(of: "/.build/") {
      folders.append(String(executable[..<build.lowerBound]) + "/assets/scenarios")
    }
    self.init(folders: folders, builtIn: [Self.usual: .contosoSuite])
  }

  /// Where this program's file is, links resolved; empty where that cannot be known.
  ///
  /// On Linux the kernel says: `Bundle.main` ends the process where `/proc` is not mounted.
  private static var pathOfExecutable: String {
    #if os(Linux)
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    #else
      (Bundle.main.executablePath.map { ($0 as NSString).resolvingSymlinksInPath }) ?? ""
    #endif
  }

  /// A scenario by name, or by path (`./my.yaml`).
  package func scenario(_ nameOrPath: String) throws(ScenarioError) -> ScenarioFile {
    let isPath = nameOrPath.contains("/") || nameOrPath.hasSuffix(".yaml") || nameOrPath.hasSuffix(".yml")
    let found = isPath ? try Self.read(nameOrPath) : try source(named: nameOrPath)
    guard let found else {
      if isPath { throw ScenarioError(file: nameOrPath, "there is no such file") }
      let known = names()
      throw ScenarioError(
        file: nameOrPath, "there is no scenario of this name", allowed: known,
        nearest: known.closestSpelling(to: nameOrPath))
    }
    let own = (found.path as NSString).deletingLastPathComponent
    let near = ScenarioLibrary(folders: [own] + folders, builtIn: builtIn)
    return try ScenarioFile(found) { name throws(ScenarioError) in try near.source(named: name) }
  }

  /// The names of all scenarios that can be found, in alphabetical order.
  ///
  /// Reads no file.
  package func names() -> [String] {
    let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
    return Set(files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }).union(builtIn.keys)
      .sorted()
  }

  /// Every scenario that can be found.
  ///
  /// One that cannot be read is in the list with its error.
  package func all() -> [(name: String, file: Result<ScenarioFile, ScenarioError>)] {
    names().map { name in
      do throws(ScenarioError) {
        return (name, .success(try scenario(name)))
      } catch {
        return (name, .failure(error))
      }
    }
  }

  private func source(named name: String) throws(ScenarioError) -> ScenarioSource? {
    guard !name.contains("/") else { return nil }
    for folder in folders {
      if let source = try Self.read((folder as NSString).appendingPathComponent("\(name).yaml")) {
        return source
      }
    }
    return builtIn[name]
  }

  /// nil if there is no such file.
  static func read(_ path: String) throws(ScenarioError) -> ScenarioSource? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    let data: Data?
    do {
      data = try file.read(upToCount: ScenarioParser.largestFile + 1)
    } catch {
      throw ScenarioError(file: path, "the file cannot be read")
    }
    guard let text = String(bytes: data ?? Data(), encoding: .utf8) else {
      throw ScenarioError(file: path, "the file is not UTF-8 text")
    }
    return ScenarioSource(path: path, text: text)
  }
}
