import Crypto
import Essentials

/// The certificates in an APK's signing block, which is before the zip's central directory (Android: APK Signature
/// Scheme v2 and v3).
enum APKSignature {
  private static let magic = "APK Sig Block 42"
  private static let pairLimit = 100

  /// Returns the base64-encoded SHA-1 hash of each signer's first certificate, or an empty array without a signing
  /// block.
  static func hashes(_ archive: ZipArchive) throws(ReadingError) -> [String] {
    let file = archive.reader
    let end = archive.directoryOffset
    guard end >= 32, try file.slice(end - 16, 16).elementsEqual(magic.utf8) else { return [] }
    let size = try file.size(end - 24)
    var place = end - size
    guard place >= 0, size >= 24 else { throw ReadingError("the signing block is larger than the file") }
    var hashes: [String] = []
    for _ in 0..<pairLimit where place + 12 <= end - 24 {
      let length = try file.size(place)
      if [0x7109_871A, 0xF053_68C0].contains(try file.little(place + 8)), length >= 4 {
        for hash in try signers(Pieces(try file.slice(place + 12, length - 4))) where !hashes.contains(hash) {
          hashes.append(hash)
        }
      }
      place += 8 + length
    }
    return hashes
  }

  private static func signers(_ value: Pieces) throws(ReadingError) -> [String] {
    var hashes: [String] = []
    var value = value
    var list = try value.next()
    while !list.isEmpty, hashes.count < pairLimit {
      var signer = try list.next()
      var signed = try signer.next()
      _ = try signed.next()
      var certificates = try signed.next()
      let certificate = try certificates.next()
      hashes.append(Data(Insecure.SHA1.hash(data: Data(certificate.bytes))).base64EncodedString())
    }
    return hashes
  }

  /// A sequence of pieces that each begin with their length in 4 bytes.
  private struct Pieces {
    private(set) var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func next() throws(ReadingError) -> Pieces {
      let length = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard bytes.count >= 4, length <= bytes.count - 4 else {
        throw ReadingError("the signing block is cut off")
      }
      let piece = bytes.dropFirst(4).prefix(length)
      bytes = bytes.dropFirst(4 + length)
      return Pieces(piece)
    }
  }
}
