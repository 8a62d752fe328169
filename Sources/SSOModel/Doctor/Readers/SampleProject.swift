import Assets
import Essentials

/// A file or a folder of the sample projects that are embedded in the program: `sample:no-callback/registration.json`.
package struct SampleProject {
  /// The path below `assets`.
  private let path: String

  /// Creates a sample from a path, or returns `nil` for a path in the file system.
  package init?(_ path: String) {
    guard path.hasPrefix("sample:") else { return nil }
    let below = simplified(String(path.dropFirst("sample:".count)))
    self.path = below.isEmpty ? "projects" : "projects/" + below
  }

  /// The names of all sample projects, in alphabetical order.
  package static var all: [String] { SampleProject("sample:")?.names ?? [] }

  var file: Asset? { Asset(path) }
  var isFolder: Bool { !Asset.files(in: path).isEmpty }

  /// The names of the folder's entries, in order.
  var names: [String] {
    let names = Asset.files(in: path).compactMap {
      $0.path.dropFirst(path.utf8.count).split(separator: "/").first.map(String.init)
    }
    return Set(names).sorted()
  }

  func data() throws(ReadingError) -> Data {
    guard let file else {
      throw ReadingError(
        isFolder ? "not a regular file" : "no such sample; there are \(Self.all.joined(separator: ", "))")
    }
    return Data(file.bytes)
  }
}
