import SSOCore

/// The string resources of an Android app.
struct AndroidStrings {
  private static let fileLimit = 2000
  private static let sizeLimit = 1 << 20

  private let modules: [String]
  /// The words of the build files, which may declare resources: `resValue("string", "name", "value")`.
  private let words: Set<String>

  /// Creates the resources of an app's module and of the libraries that its build merges.
  init(modules: [String], declaredBy words: Set<String> = []) {
    (self.modules, self.words) = (modules, words)
  }

  /// Returns the distinct values of a resource, of which each build may have its own, an empty array if they are not
  /// known, or `nil` if no file declares it.
  func values(of name: String) -> [Found<String>]? {
    guard !words.contains(name) else { return [] }
    var values: [Found<String>]?
    for path in files {
      guard let data = try? ProjectFiles.data(path, limit: Self.sizeLimit),
        data.hasBytes("\"\(name)\"") || data.hasBytes("'\(name)'")
      else { continue }
      guard let root = try? XMLReader.read(data) else { return [] }
      for element in root.elements("string") + root.elements("item") where element["name"]?.value == name {
        let value = Found(element.text.trimmed, FilePlace(path, line: element.line))
        if values?.contains(where: { $0.value == value.value }) != true { values = (values ?? []) + [value] }
      }
    }
    return values
  }

  /// Returns a resource that no file declares, with the name of another that resembles it.
  func undeclared(_ name: String, _ place: FilePlace) -> VendorFacts.Undeclared {
    let names = files.flatMap { path -> [String] in
      let root = (try? ProjectFiles.data(path, limit: Self.sizeLimit)).flatMap { try? XMLReader.read($0) }
      return root?.elements("string").compactMap { $0["name"]?.value } ?? []
    }
    return VendorFacts.Undeclared(name: Found(name, place), nearest: names.closestSpelling(to: name, most: 3))
  }

  private var files: [String] {
    let all = modules.flatMap(GradleReader.sourceSets(of:)).flatMap { set in
      ProjectFiles(set + "/res").folders(depth: 1).filter { fileName($0).hasPrefix("values") }
        .flatMap { folder in ProjectFiles(folder).find { $0.hasSuffix(".xml") } }
    }
    return Array(all.prefix(Self.fileLimit))
  }
}
