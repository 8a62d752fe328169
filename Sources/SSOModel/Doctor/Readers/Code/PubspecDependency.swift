import SSOCore

/// A package on which a Flutter project depends, from its `pubspec.yaml`.
struct PubspecDependency {
  let name: String
  /// The one-based line of the name.
  let line: Int?
  /// Its version, or the place that it comes from.
  private let source: PropertyListNode

  /// The folder of a package that lies beside the project: `path: ../` below its name.
  var path: String? { source["path"]?.text }

  /// The name, and all texts about the package.
  var texts: [String] { [name] + source.texts }

  /// Returns the dependencies of all kinds, in their order, or an empty array if the text is not YAML.
  static func all(in text: String) -> [PubspecDependency] {
    let kinds = (try? YAMLDocument.read(text))?.dictionary?.filter { $0.key.contains("dependenc") } ?? []
    return kinds.flatMap { $0.value.dictionary ?? [] }.map {
      PubspecDependency(name: $0.key, line: $0.line, source: $0.value)
    }
  }
}

extension PropertyListNode {
  /// All keys and texts in it.
  fileprivate var texts: [String] {
    (text.map { [$0] } ?? []) + (array ?? []).flatMap(\.texts)
      + (dictionary ?? []).flatMap { [$0.key] + $0.value.texts }
  }
}
