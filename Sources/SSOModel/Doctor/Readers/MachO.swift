import Foundation

/// What the code signature of a Mach-O executable says of its entitlements (Apple: `loader.h`, `cs_blobs.h`).
enum MachO {
  private static let commandLimit = 10_000
  private static let sliceLimit = 32

  /// The entitlements as a property list; nil if it is signed without, or not signed.
  /// - Throws: if it is no executable, or cut off.
  static func entitlements(_ data: Data) throws(ReadingError) -> PropertyListNode? {
    let file = ByteReader(data)
    // A fat file has a slice for each processor; all are signed with the same entitlements.
    if try file.big(0) == 0xCAFE_BABE {
      let count = try file.big(4)
      guard count > 0, count <= sliceLimit else { throw ReadingError("a fat file with \(count) slices") }
      let (offset, size) = (try file.big(16), try file.big(20))
      return try slice(ByteReader(try file.slice(offset, size)))
    }
    return try slice(file)
  }

  private static func slice(_ file: ByteReader) throws(ReadingError) -> PropertyListNode? {
    let header =
      switch try file.little(0) {
      case 0xFEED_FACF: 32
      case 0xFEED_FACE: 28
      default: throw ReadingError("not a Mach-O executable")
      }
    var place = header
    for _ in 0..<min(try file.little(16), commandLimit) {
      let size = try file.little(place + 4)
      guard size >= 8 else { throw ReadingError("byte \(place): a load command of \(size) bytes") }
      if try file.little(place) == 0x1D {
        let (offset, length) = (try file.little(place + 8), try file.little(place + 12))
        return try signature(ByteReader(try file.slice(offset, length)))
      }
      place += size
    }
    return nil
  }

  /// Slot 5 of the signature's blobs has the entitlements as XML.
  private static func signature(_ blob: ByteReader) throws(ReadingError) -> PropertyListNode? {
    guard try blob.big(0) == 0xFADE_0CC0 else { throw ReadingError("the code signature has no blobs") }
    for index in 0..<min(try blob.big(8), sliceLimit) where try blob.big(12 + index * 8) == 5 {
      let offset = try blob.big(16 + index * 8)
      guard try blob.big(offset) == 0xFADE_7171 else { throw ReadingError("slot 5 holds no entitlements") }
      let length = try blob.big(offset + 4)
      return try PropertyListReader.read(Data(try blob.slice(offset + 8, max(0, length - 8))))
    }
    return nil
  }
}

/// `embedded.mobileprovision`: a signed envelope (CMS, RFC 5652) around a property list.
///
/// The list lies in it as it is; its signature is Apple's to check.
enum ProvisioningProfile {
  static func read(_ data: Data) throws(ReadingError) -> PropertyListNode {
    let file = ByteReader(data)
    let end = "</plist>"
    guard let start = file.firstIndex(of: "<?xml") ?? file.firstIndex(of: "<plist"),
      let close = file.firstIndex(of: end, from: start)
    else { throw ReadingError("there is no property list in it, as a provisioning profile has") }
    return try PropertyListReader.read(Data(file.bytes[start..<close + end.utf8.count]))
  }
}
