import Essentials

extension TrialResult.Evidence {
  /// The size above which only the size and the hash of a file are recorded, because people read the reports.
  private static let textLimit = 256 * 1024
  private static let sizeLimit = 256 * 1024 * 1024

  /// Creates the evidence that a user adds to an item of a checklist.
  ///
  /// The evidence is a text with its secrets masked or, for a picture or another file that is not a text, the size and
  /// the SHA-256.
  /// - Throws: The reason that the file cannot be read.
  package init(fileAt path: String) throws(UnreadableEvidence) {
    // Do not wait for the other end of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw UnreadableEvidence(path: path, why: SystemError(code: errno).words) }
    defer { close(descriptor) }
    guard permissions(ofRegularFile: descriptor) != nil else {
      throw UnreadableEvidence(path: path, why: "it is not a file")
    }
    let data: Data
    do throws(SystemError) {
      data = try StandardStreams.read(descriptor, limit: Self.sizeLimit + 1)
    } catch { throw UnreadableEvidence(path: path, why: error.words) }
    guard data.count <= Self.sizeLimit else {
      throw UnreadableEvidence(path: path, why: "it is larger than 256 MB")
    }
    let name = "file " + (path.split(separator: "/").last.map(String.init) ?? path)
    let text = data.count <= Self.textLimit ? String(data: data, encoding: .utf8) : nil
    if let text, !text.contains("\0") {
      self.init(name: name, text: Redaction.text(text))
    } else {
      self.init(name: name, text: "\(data.count) bytes, SHA-256 \(sha256(data).map(hexadecimal).joined())")
    }
  }
}

/// The reason that a file cannot be added to an item of a checklist.
package struct UnreadableEvidence: Error, Equatable {
  package var path: String
  package var why: String
}
