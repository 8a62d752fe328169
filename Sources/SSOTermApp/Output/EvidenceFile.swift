import Essentials

extension TrialResult.Evidence {
  /// Larger files are named by size and hash only: reports are read by people.
  private static let textLimit = 256 * 1024
  private static let sizeLimit = 256 * 1024 * 1024

  /// What a person adds to an item of a checklist: a text with its secrets masked; of a picture, or another file that is no
  /// text, the size and the SHA-256.
  /// - Throws: why the file cannot be read.
  package init(fileAt path: String) throws(UnreadableEvidence) {
    // Not waiting for the other end of a pipe.
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

/// Why a file cannot be added to an item of a checklist.
package struct UnreadableEvidence: Error, Equatable {
  package var path: String
  package var why: String
}
