import SSOCore

/// A package on which a Flutter project depends, read by lines from `pubspec.yaml`, which also lists assets, such as a
/// provider's logo.
struct PubspecDependency {
  let name: String
  /// The one-based line of the name.
  let line: Int
  /// The lines about the package, which have its version, or the place that it comes from.
  private(set) var lines: [Substring]

  /// The folder of a package that lies beside the project: `path: ../` below its name.
  var path: String? {
    lines.dropFirst().lazy.map(\.trimmed).first { $0.hasPrefix("path:") }
      .map { $0.dropFirst("path:".count).trimmed.trimming { "\"'".unicodeScalars.contains($0) } }
  }

  /// Returns the dependencies of all kinds, in their order.
  static func all(in text: String) -> [PubspecDependency] {
    var found: [PubspecDependency] = []
    var isInside = false
    var indent: Int?
    for (index, line) in text.lines.enumerated() where !line.trimmed.isEmpty && !line.trimmed.hasPrefix("#") {
      let depth = line.prefix { $0 == " " }.count
      if depth == 0 {
        (isInside, indent) = (line.contains("dependenc") && line.contains(":"), nil)
      } else if isInside, depth <= indent ?? depth {
        indent = depth
        found.append(
          PubspecDependency(name: line.prefix { $0 != ":" }.trimmed, line: index + 1, lines: [line]))
      } else if isInside {
        found[found.count - 1].lines.append(line)
      }
    }
    return found
  }
}
