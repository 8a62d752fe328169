import Foundation

/// A temporary folder of one test, which is deleted afterwards.
final class Folder {
  let root: String

  init() throws {
    let name = "ssoterm-e2e-\(UUID().uuidString)"
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    root = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func path(_ name: String) -> String { root + "/" + name }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  @discardableResult
  func write(_ data: Data, to name: String) throws -> String {
    try data.write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  func text(_ name: String) -> String {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path(name))) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
