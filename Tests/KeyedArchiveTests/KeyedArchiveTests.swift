import Foundation
import Testing

@testable import KeyedArchive
@testable import SSOCore
@testable import SSOKeychain

struct KeyedArchiveTests {
  @Test func aRefreshTokenOfADAL266MeansWhatPythonWrote() throws {
    let item = try LegacyItem(data: ArchiveSample.refreshToken.data)
    #expect(item.kind == .refreshToken)
    #expect(item.authority == "https://login.windows.net/common")
    #expect(item.clientID == "b6c69a37-df96-4db0-9088-2ab96e1d8215")
    #expect(item.refreshToken == "0.AVERYold")
    #expect(item.resource == nil && item.familyID == nil && item.homeAccountID == nil)
    #expect(item.user?.userID == "ada@contoso.com")
    #expect(item.user?.claims["name"] == "Ada Lovelace")
    #expect(
      Set(item.object.fields.keys)
        == Set(LegacyField.allCases.filter { $0.isEncoded(isUnified: false) }.map(\.rawValue)).subtracting([
          "enrollmentId", "applicationIdentifier", "cachedAt",
        ]))
  }

  @Test func anAccessTokenOfADAL266EndsToTheMillisecond() throws {
    let item = try LegacyItem(data: ArchiveSample.accessToken.data)
    #expect(item.kind == .accessToken)
    #expect(item.resource == "https://graph.windows.net")
    #expect(item.expiresOn == Instant(milliseconds: 1_772_445_600_250))
    #expect(item[.expiresOn] == .date(794_138_400.25))
  }

  @Test func aFamilyTokenOfADAL27KeepsURLsNullsListsAndForeignLetters() throws {
    let item = try LegacyItem(data: ArchiveSample.family.data)
    #expect(item.kind == .refreshToken && item.isFamilyCopy && item.familyID == "1")
    #expect(item.homeAccountID == "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90")
    #expect(item.cachedAt == Instant(milliseconds: 1_772_442_000_500))
    #expect(item.extendedExpiresOn == Instant(1_772_449_200))
    #expect(
      item[.additionalServer]
        == .dictionary([
          .string("extended_expires_on"): .date(794_142_000), .string("spe_info"): .string("I"),
          .string("token_endpoint"): .url("oauth2/token", base: "https://login.windows.net/"),
          .string("nothing"): .null,
          .string("hosts"): .array([.string("login.windows.net"), .string("login.microsoftonline.com")]),
        ]))
    #expect(item[.additionalClient] == .dictionary([:], isMutable: true))
    let claims = item.user?.object.fields["allClaims"]?.dictionary
    #expect(claims?[.string("name")] == .string("Zoë 日本"))
    #expect(claims?[.string("amr")] == .array([.string("pwd"), .string("mfa")]))
    #expect(claims?[.string("exp")] == .integer(1_772_445_600))
  }

  @Test(arguments: ArchiveSample.allCases) func whatIsReadIsWrittenWithTheSameMeaning(
    _ sample: ArchiveSample
  ) throws {
    let item = try LegacyItem(data: sample.data)
    let written = item.data
    #expect(try LegacyItem(data: written) == item)
    #expect(item.data == written)
    // NSMutableArray comes back as NSArray, with the same contents.
    #expect(try pythonMeaning(of: written) == pythonMeaning(of: sample.data))
  }

  @Test func whatIsWrittenFreshIsWhatPythonReads() throws {
    let item = LegacyItem(
      isUnified: true,
      [
        .authority: .string("https://login.windows.net/common"), .clientID: .string("client"),
        .expiresOn: .date(Instant(1_772_445_600)), .additionalClient: .dictionary([:], isMutable: true),
        .additionalServer: .dictionary([.string("spe_info"): .string("é")]),
        .sessionKey: .data(Data([0, 255])),
      ])
    guard let text = try pythonMeaning(of: item.data) else { return }
    let json = try JSONParser.parse(Data(text.utf8))
    #expect(json["$class"] == ["ADTokenCacheStoreItem", "NSObject"])
    #expect(json["clientId"] == "client")
    #expect(json["resource"] == .null)
    #expect(json["expiresOn"] == ["$class": ["NSDate", "NSObject"], "NS.time": .number(794_138_400)])
    #expect(json["additionalServer"]?["entries"] == ["spe_info": "é"])
    #expect(
      json["additionalClient"]
        == ["$class": ["NSMutableDictionary", "NSDictionary", "NSObject"], "entries": [:]])
    // Exactly the keys of this generation are present: sessionKey was removed together with ADAL's own class.
    #expect(json["sessionKey"] == nil && json["homeAccountId"] == .null && json["cachedAt"] == .null)
  }
}
