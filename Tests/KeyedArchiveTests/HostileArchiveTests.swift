import Foundation
import Testing

@testable import KeyedArchive
@testable import SSOCore
@testable import SSOKeychain
@testable import TestSamples

/// Untrusted archives: each is rejected with the position and the reason, and none crashes the program.
struct HostileArchiveTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var data: Data
  }

  private static let item = archivedClass("ADTokenCacheStoreItem", "NSObject")
  private static let dictionary = archivedClass("NSDictionary", "NSObject")
  private static let list = archivedClass("NSArray", "NSObject")

  /// Returns a root object whose field contains UID 3.
  ///
  /// UID 2 is its class.
  private static func holding(_ field: String, _ rest: [PropertyListValue]) -> Data {
    archive([.dictionary(["$class": .uid(2), field: .uid(3)]), item] + rest)
  }

  /// An archive of 40 nested dictionaries.
  private static var deep: Data {
    let levels = (0..<40).map { level -> PropertyListValue in
      .dictionary([
        "$class": .uid(4), "NS.keys": .array([.uid(5)]),
        "NS.objects": .array([.uid(level == 39 ? 5 : level + 7)]),
      ])
    }
    return holding(
      "additionalServer",
      [
        .dictionary(["$class": .uid(4), "NS.keys": .array([.uid(5)]), "NS.objects": .array([.uid(6)])]),
        dictionary, .string("k"),
      ] + levels)
  }

  /// An archive in which each array contains the next one ten times: 10^20 values in a few hundred bytes.
  private static var laughs: Data {
    let levels = (0..<20).map { level -> PropertyListValue in
      .dictionary([
        "$class": .uid(4),
        "NS.objects": .array(Array(repeating: .uid(level == 19 ? 5 : level + 8), count: 10)),
      ])
    }
    return holding(
      "additionalServer",
      [
        .dictionary(["$class": .uid(6), "NS.keys": .array([.uid(5)]), "NS.objects": .array([.uid(7)])]),
        list, .string("k"), dictionary,
      ] + levels)
  }

  /// An archive that refers to one long string again and again.
  private static var echo: Data {
    let text = String(repeating: "x", count: 100_000)
    return holding(
      "other",
      [
        .dictionary(["$class": .uid(4), "NS.objects": .array(Array(repeating: .uid(5), count: 1000))]), list,
        .string(text),
      ])
  }

  static let refusals = [
    Refusal(
      testDescription: "the object contains itself",
      data: archive([.dictionary(["$class": .uid(2), "userInformation": .uid(1)]), item])),
    Refusal(
      testDescription: "the object contains itself",
      data: holding(
        "other",
        [
          .dictionary(["$class": .uid(4), "NS.objects": .array([.uid(5)])]), list,
          .dictionary(["$class": .uid(4), "NS.objects": .array([.uid(3)])]),
        ])),
    Refusal(testDescription: "objects are nested more than 32 deep", data: deep),
    Refusal(
      testDescription: "more than 4194304 bytes of content, shared values counted each time", data: laughs),
    Refusal(
      testDescription: "more than 4194304 bytes of content, shared values counted each time", data: echo),
    Refusal(
      testDescription: "class NSTask is not expected here",
      data: holding("other", [.dictionary(["$class": .uid(4)]), archivedClass("NSTask", "NSObject")])),
    Refusal(
      testDescription: "ADTokenCacheStoreItem.refreshToken is a number, not a string",
      data: holding("refreshToken", [.integer(7)])),
    Refusal(
      testDescription:
        "ADTokenCacheStoreItem.userInformation is a dictionary, not an object of class ADUserInformation",
      data: holding(
        "userInformation",
        [.dictionary(["$class": .uid(4), "NS.keys": .array([]), "NS.objects": .array([])]), dictionary])),
    Refusal(
      testDescription: "ADTokenCacheStoreItem.expiresOn is a string, not a date",
      data: holding("expiresOn", [.string("tomorrow")])),
    Refusal(
      testDescription: "NSDate has no NS.time that is a number",
      data: holding(
        "expiresOn",
        [.dictionary(["$class": .uid(4), "NS.time": .real(.nan)]), archivedClass("NSDate", "NSObject")])),
    Refusal(
      testDescription:
        "the root is an object of class ADUserInformation, not an object of class ADTokenCacheStoreItem",
      data: archive([.dictionary(["$class": .uid(2)]), archivedClass("ADUserInformation", "NSObject")])),
    Refusal(
      testDescription: "the root is a string, not an object of class ADTokenCacheStoreItem",
      data: archive([.string("hello")])),
    Refusal(
      testDescription: "UID 9, but there are 2 objects",
      data: archive([.string("x")], top: .dictionary(["root": .uid(9)]))),
    Refusal(testDescription: "the object has no $class", data: archive([.dictionary(["a": .integer(1)])])),
    Refusal(
      testDescription: "$class is not the UID of an object",
      data: archive([.dictionary(["$class": .string("x")])])
    ),
    Refusal(
      testDescription: "$classes does not begin with ADTokenCacheStoreItem",
      data: archive([
        .dictionary(["$class": .uid(2)]),
        .dictionary([
          "$classname": .string("ADTokenCacheStoreItem"), "$classes": .array([.string("NSObject")]),
        ]),
      ])),
    Refusal(
      testDescription: "2 keys, not all different, for 2 values",
      data: holding(
        "additionalServer",
        [
          .dictionary([
            "$class": .uid(4), "NS.keys": .array([.uid(5), .uid(5)]),
            "NS.objects": .array([.uid(5), .uid(5)]),
          ]), dictionary, .string("k"),
        ])),
    Refusal(testDescription: "found an array in place of an object", data: holding("other", [.array([])])),
    Refusal(
      testDescription: "$archiver is not NSKeyedArchiver", data: archive([], archiver: .string("other"))),
    Refusal(testDescription: "$version is not 100000", data: archive([], version: .integer(1))),
    Refusal(testDescription: "$top has no root", data: archive([], top: .dictionary([:]))),
    Refusal(
      testDescription: "the top of the archive is not a dictionary",
      data: BinaryPropertyListWriter.data(of: .array([]))),
    Refusal(testDescription: "a binary property list begins with bplist00", data: Data("<?xml version".utf8)),
    Refusal(testDescription: "more than 1048576 bytes", data: Data(repeating: 0, count: 1 << 20 + 1)),
  ]

  @Test(arguments: refusals) func refuses(_ refusal: Refusal) {
    let error = #expect(throws: ArchiveError.self) { try LegacyItem(data: refusal.data) }
    #expect(error?.problem == refusal.testDescription)
    #expect(error.map { (0...refusal.data.count).contains($0.offset) } == true)
    #expect(error?.description.hasPrefix("byte ") == true)
  }

  @Test func theOffsetIsWhereTheBadValueLies() throws {
    let data = Self.holding("refreshToken", [.data(Data([0xDE, 0xAD, 0xBE, 0xEF]))])
    let error = #expect(throws: ArchiveError.self) { try LegacyItem(data: data) }
    let place = try #require(data.firstRange(of: Data([0x44, 0xDE, 0xAD, 0xBE, 0xEF])))
    #expect(
      error == ArchiveError(place.lowerBound, "ADTokenCacheStoreItem.refreshToken is data, not a string"))
  }

  @Test(arguments: ArchiveSample.allCases) func everyTruncationIsRefused(_ sample: ArchiveSample) throws {
    let data = try sample.data
    for count in 0..<data.count {
      #expect(throws: ArchiveError.self) { try LegacyItem(data: data.prefix(count)) }
    }
  }

  /// A set (`C1`), at which Foundation's reader crashes, is an ordinary object here.
  @Test func aSetInThePropertyListIsRefusedAndNotFatal() throws {
    var data = Self.holding("other", [.array([.integer(1)])])
    let place = try #require(data.firstRange(of: Data([0xA1]))).lowerBound
    #expect(data[place] == 0xA1)
    for index in data.indices where data[index] == 0xA1 { data[index] = 0xC1 }
    #expect(throws: ArchiveError.self) { try LegacyItem(data: data) }
  }

  /// Each of 6000 archives with a few bytes changed, removed, or inserted is either read or rejected.
  @Test(arguments: ArchiveSample.allCases) func damagedArchivesAreReadOrRefused(_ sample: ArchiveSample)
    throws
  {
    let whole = [UInt8](try sample.data)
    var random = Randomness(seed: fuzzSeed(20_261_121))
    var (read, refused) = (0, 0)
    for _ in 0..<fuzzRounds(2000) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        // Change numbers in the trailer and the offset table, where a wrong one does the most damage.
        case 4:
          bytes[bytes.count - Int.random(in: 1...32, using: &random)] = UInt8.random(
            in: .min ... .max, using: &random)
        default: bytes[place] = [0x00, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
        if bytes.count < 40 { break }
      }
      do throws(ArchiveError) {
        let item = try LegacyItem(data: Data(bytes))
        read += 1
        // Values that were read are written so that they can be read again.
        #expect((try? LegacyItem(data: item.data)) == item)
      } catch {
        #expect(error.offset >= 0 && error.offset <= bytes.count && !error.problem.isEmpty)
        refused += 1
      }
    }
    #expect(read > 0 && refused > 0)
  }
}
