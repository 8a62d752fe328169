import Essentials

/// The file `<store>.ca.pem` with the certificate of the certificate authority, where programs can read it.
///
/// The certificate is public, and its key stays in the store.
///
/// Throws `UnwritableFile`.
package struct CertificateAuthorityFile {
  package let path: String

  /// Creates the file of a lab, which is beside other temporary files if the lab is in memory.
  package init(of lab: Lab) {
    let beside = lab.store.filesBeside ?? FileManager.default.temporaryDirectory.path + "/ssoterm-demo"
    // A program that receives the path may run in another folder.
    path = URL(fileURLWithPath: beside + ".ca.pem").path
  }

  /// Writes the file if it is missing or belongs to another certificate authority.
  package func keep(_ authority: CertificateAuthority) throws {
    let pem = try authority.pem
    if let found = FileManager.default.contents(atPath: path), found == Data(pem.utf8) { return }
    try Self.write(pem, to: path)
  }

  /// Writes a complete file or none, by renaming a temporary file.
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

/// An error for a file that the system does not allow to be written, with the reason.
package struct UnwritableFile: Error {
  package var what: String
  package var why: String
  package var next: String
}
