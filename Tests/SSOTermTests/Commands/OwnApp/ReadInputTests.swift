import Foundation
import Testing

@testable import SSOTerm

@Suite struct ReadInputTests {
  /// The input may come in any pieces, even of one byte or cut within a character.
  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [2, 3, 5, 1000])
  func everyCharacterComesOut(_ encoding: String.Encoding, _ size: Int) throws {
    let text = "TID=1 MSAL\r\n“Grüße” 😀\n"
    let bytes = [UInt8](try #require(("\u{FEFF}" + text).data(using: encoding)))
    var pieces: UTF16Pieces?
    var read = ""
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { piece in
        if start == 0 { pieces = UTF16Pieces(firstPiece: piece) }
        read += pieces?.text(of: piece) ?? "not UTF-16"
      }
    }
    #expect(read == text)
  }

  /// A file that is being written may end within a character, and PowerShell may write no byte order mark.
  @Test func theFirstPieceMayEndWithinACharacter() throws {
    let bytes = [UInt8](try #require("TID=1 MSAL\n".data(using: .utf16LittleEndian)))
    var pieces = bytes[..<13].withUnsafeBytes { UTF16Pieces(firstPiece: $0) }
    let parts = [bytes[..<13], bytes[13...]].map { part in part.withUnsafeBytes { pieces?.text(of: $0) } }
    #expect(parts.compactMap(\.self).joined() == "TID=1 MSAL\n")
  }

  @Test(arguments: [
    ([0x1F, 0x8B, 0x08] as [UInt8], "gzip -dc" as String?), ([0x50, 0x4B, 0x03, 0x04], "unzip -p"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc"), ([0x1F], nil), (Array("PK TID=1".utf8), nil),
  ])
  func aCompressedFileNamesItsUnpacker(_ bytes: [UInt8], _ tool: String?) {
    #expect(bytes.withUnsafeBytes { InputPieces.unpacker(of: $0) } == tool)
  }

  @Test func aTextOfOneByteIsNone() {
    let isWide = Array("TID=1".utf8).withUnsafeBytes { UTF16Pieces(firstPiece: $0) } != nil
    #expect(!isWide)
  }
}
