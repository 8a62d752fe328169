import Essentials

/// `<store>.ca.pem`: the authority's certificate where programs can read it.
///
/// It is public; its key stays in the store.
///
/// Throws `UnwritableFile`.
package struct CertificateAuthorityFile {
  package let path: String

  /// A lab in memory has it beside other temporary files.
  package init(of lab: Lab) {
    let beside = lab.store.filesBeside ?? FileManager.default.temporaryDirectory.path + "/ssoterm-demo"
    // A program that is given the path may run in another folder.
    path = URL(fileURLWithPath: beside + ".ca.pem").path
  }

  /// Writes the file if it is missing or another authority's.
  package func keep(_ authority: CertificateAuthority) throws {
    let pem = try authority.pem
    if let found = FileManager.default.contents(atPath: path), found == Data(pem.utf8) { return }
    try Self.write(pem, to: path)
  }

  /// A whole file or none: written aside and renamed.
  package static func write(_ text: String, to path: String) throws(UnwritableFile) {
    do {
      try writeFile(Data(text.utf8), to: path)
    } catch {
      throw UnwritableFile(
        what: "\(path) cannot be written.", why: error.words,
        next: "ssoterm ca export -o OTHER.pem")
    }
  }
}

/// A file that the system refuses to write, with its reason.
package struct UnwritableFile: Error {
  package var what: String
  package var why: String
  package var next: String
}
