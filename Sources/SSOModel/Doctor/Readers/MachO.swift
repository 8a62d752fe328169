import Essentials

/// A reader of the entitlements and the team in a Mach-O executable's code signature (Apple: `loader.h`, `cs_blobs.h`).
enum MachO {
  struct Signature {
    /// The entitlements, or `nil` if the executable was signed without entitlements.
    var entitlements: PropertyListNode?
    /// The team ID, or `nil` if the executable was signed without a team, for the local machine only.
    var teamID: String?
  }

  private static let commandLimit = 10_000
  private static let sliceLimit = 32
  private static let teamLimit = 64

  /// Returns the code signature, or `nil` if the executable is not signed.
  /// - Throws: `ReadingError` if the data is not an executable or is truncated.
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

  /// Reads a signature's blobs: slot 0 has the code directory, slot 5 the entitlements as XML, and slot 7 the same as
  /// DER.
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

  /// Returns the team in a code directory, or `nil` if it has none.
  ///
  /// Code directories have a team from version 0x20200 on. It is a null-terminated string.
  private static func team(_ blob: ByteReader, _ directory: Int) throws(ReadingError) -> String? {
    guard try blob.big(directory) == 0xFADE_0C02, try blob.big(directory + 8) >= 0x20200 else { return nil }
    let place = try blob.big(directory + 48)
    guard place > 0 else { return nil }
    let text = try blob.slice(directory + place, min(teamLimit, max(0, blob.count - directory - place)))
      .prefix { $0 != 0 }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}

/// A reader of `embedded.mobileprovision`, a signed envelope (CMS, RFC 5652) around a property list.
///
/// The envelope contains the list unchanged. Its signature is for Apple to verify.
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
