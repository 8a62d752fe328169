import Essentials

/// What the code signature of a Mach-O executable says of its entitlements and team (Apple: `loader.h`, `cs_blobs.h`).
enum MachO {
  struct Signature {
    /// Nil: signed without.
    var entitlements: PropertyListNode?
    /// Nil: signed for the own machine only, without a team.
    var teamID: String?
  }

  private static let commandLimit = 10_000
  private static let sliceLimit = 32
  private static let teamLimit = 64

  /// Nil if it is not signed.
  /// - Throws: if it is no executable, or cut off.
  static func signature(_ data: Data) throws(ReadingError) -> Signature? {
    let file = ByteReader(data)
    // A fat file has a slice for each processor; all are signed alike.
    if try file.big(0) == 0xCAFE_BABE {
      let count = try file.big(4)
      guard count > 0, count <= sliceLimit else { throw ReadingError("a fat file with \(count) slices") }
      let (offset, size) = (try file.big(16), try file.big(20))
      return try slice(ByteReader(try file.slice(offset, size)))
    }
    return try slice(file)
  }

  private static func slice(_ file: ByteReader) throws(ReadingError) -> Signature? {
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

  /// Of the signature's blobs slot 0 has the code directory, slot 5 the entitlements as XML, slot 7 the same as DER.
  private static func signature(_ blob: ByteReader) throws(ReadingError) -> Signature {
    guard try blob.big(0) == 0xFADE_0CC0 else { throw ReadingError("the code signature has no blobs") }
    var signature = Signature()
    var slots: Set<Int> = []
    for index in 0..<min(try blob.big(8), sliceLimit) {
      let (slot, offset) = (try blob.big(12 + index * 8), try blob.big(16 + index * 8))
      guard slots.insert(slot).inserted else { continue }
      if slot == 0 { signature.teamID = try team(blob, offset) }
      guard slot == 5 else { continue }
      guard try blob.big(offset) == 0xFADE_7171 else { throw ReadingError("slot 5 holds no entitlements") }
      let length = try blob.big(offset + 4)
      signature.entitlements = try PropertyListReader.read(
        Data(try blob.slice(offset + 8, max(0, length - 8))))
    }
    guard signature.entitlements != nil || !slots.contains(7) else {
      throw ReadingError("the signature has its entitlements in DER only")
    }
    return signature
  }

  /// The team in a code directory, which has one from version 0x20200 on: a text that ends with a zero.
  private static func team(_ blob: ByteReader, _ directory: Int) throws(ReadingError) -> String? {
    guard try blob.big(directory) == 0xFADE_0C02, try blob.big(directory + 8) >= 0x20200 else { return nil }
    let place = try blob.big(directory + 48)
    guard place > 0 else { return nil }
    let text = try blob.slice(directory + place, min(teamLimit, max(0, blob.count - directory - place)))
      .prefix { $0 != 0 }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}

/// `embedded.mobileprovision`: a signed envelope (CMS, RFC 5652) around a property list.
///
/// The list is in it as it is; its signature is Apple's to check.
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
