internal import Foundation
internal import SSOModel
internal import SSOServer

/// `<store>.ca.pem`: the authority's certificate where programs can read it. It is public; its key stays in the store.
struct CertificateAuthorityFile {
  let path: String

  /// A lab in memory has it beside other temporary files.
  init(of lab: Lab) { path = (lab.store.path ?? NSTemporaryDirectory() + "ssoterm-demo") + ".ca.pem" }

  /// Writes the file if it is missing or another authority's.
  func keep(_ authority: CertificateAuthority) throws {
    let pem = try authority.pem
    if let found = FileManager.default.contents(atPath: path), found == Data(pem.utf8) { return }
    try Self.write(pem, to: path)
  }

  /// A whole file or none: written aside and renamed.
  static func write(_ text: String, to path: String) throws(CommandFailure) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandFailure(
        status: .usage, kind: "file", what: "\(path) cannot be written.",
        why: (error as NSError).localizedDescription, next: "ssoterm ca export -o OTHER.pem")
    }
  }
}
