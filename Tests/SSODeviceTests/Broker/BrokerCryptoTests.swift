import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice

/// The interoperability vector of docs/behaviour/broker.md §7(10), with the key, ciphertext, plaintext, and hash of
/// IdentityCore's own tests.
@Suite struct BrokerCryptoTests {
  static let key = Base64URL.decode("BU-bLN3zTfHmyhJ325A8dJJ1tzrnKMHEfsTlStdMo0U") ?? []
  static let hash = "69130F051E9DFA85042A00CE65BD9B67A7BF7DC0783C5B17FA8C92393D3DE0B2"
  static let plaintext =
    "VGhpcyBpcyB0aGUgc29uZyB0aGF0IGRvZXNuJ3QgZW5kLCB5ZXMgaXQgZ29lcyBvbiBhbmQgb24gbXkgZnJpZW5kLiBTb21lIHBl"
    + "b3BsZSBzdGFydGVkIHNpbmdpbmcgaXQgbm90IGtub3dpbmcgd2hhdCBpdCB3YXMsIGFuZCB0aGV5J2xsIGNvbnRpbnVlIHNpbmdp"
    + "bmcgaXQgZm9yZXZlciBqdXN0IGJlY2F1c2UuLi4"
  static let ciphertext =
    "OwkUbeZ63OlLI1xsNUXOJKmJgjhApcV6bEzFI6cdtE4UtsboGnJLjUtJRySO8ol97W431BdpwnuFD8tImkjUx++oNAMU483Q1xpuc5m"
    + "CNVZcpDpnMoW2EC9oM5slGTPvvmDBxu3MHbLVVKWB616eKUdSKGOBnBUWDZp6QJJXpwEzwZuoycmmbQBF2SI1Ur5bluma8d23hANpV1"
    + "c0qCGtPvEcLXWp7vNp5gkIsd6rGAkuuk31GJ3E8j+gfd8XymUEFc8g9ikx4JG0JnRwmRkzgVVKgszDPlPJrqlGlCZqa0SiF8V0pT3Cq"
    + "M6HURkqmCvK"

  @Test func theVectorDecryptsAndItsHashIsUpperCase() throws {
    let data = try #require(Data(base64Encoded: Self.ciphertext))
    let found = try BrokerCrypto.decrypt(data, key: Self.key)
    #expect(String(decoding: found, as: UTF8.self) == Self.plaintext)
    #expect(BrokerCrypto.hash(found) == Self.hash)
  }

  @Test func theVectorEncryptsToTheSameBytes() throws {
    let found = try BrokerCrypto.encrypt(Data(Self.plaintext.utf8), key: Self.key)
    #expect(found.base64EncodedString() == Self.ciphertext)
  }

  @Test(arguments: [0, 1, 15, 17])
  func lengthsThatAreNoBlocksAreRefused(_ count: Int) {
    #expect(throws: (any Error).self) {
      try BrokerCrypto.decrypt(Data(repeating: 7, count: count), key: Self.key)
    }
  }

  @Test(arguments: [0, 31, 33])
  func aKeyHas32Bytes(_ count: Int) {
    #expect(throws: (any Error).self) {
      try BrokerCrypto.encrypt(Data("x".utf8), key: [UInt8](repeating: 1, count: count))
    }
  }
}
