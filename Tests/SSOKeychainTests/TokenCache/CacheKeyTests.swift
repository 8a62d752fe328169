import Foundation
import SSOCore
import Testing

@testable import SSOKeychain

/// A row of the literals in docs/behaviour/msal-cache.md §1.
struct KeyLiteral: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var type: CredentialType
  var values: [CredentialField: String]
  var service: String
  var generic: String
  var number: Int
}

@Suite struct CacheKeyTests {
  static let common: [CredentialField: String] = [
    .homeAccountID: " UID.utid ", .environment: "login.microsoftonline.com", .clientID: "Client",
    .secret: "s",
  ]

  @Test(arguments: [
    KeyLiteral(
      testDescription: "access token", type: .accessToken,
      values: [.realm: "Contoso.com", .target: "User.Read User.Write"],
      service: "accesstoken-client-contoso.com-user.read user.write",
      generic: "accesstoken-client-contoso.com", number: 2001),
    KeyLiteral(
      testDescription: "access token with application identifier", type: .accessToken,
      values: [
        .realm: "contoso.com", .target: "user.read user.write", .applicationCacheIdentifier: "app.bundle.id",
      ],
      service: "accesstoken-client-contoso.com-app.bundle.id-user.read user.write",
      generic: "accesstoken-client-contoso.com-app.bundle.id", number: 2001),
    KeyLiteral(
      testDescription: "PoP access token", type: .accessTokenWithAuthScheme,
      values: [.realm: "contoso.com", .target: "user.read user.write", .tokenType: "pop", .keyID: "k"],
      service: "accesstoken_with_authscheme-client-contoso.com-user.read user.write-pop",
      generic: "accesstoken_with_authscheme-client-contoso.com", number: 2007),
    KeyLiteral(
      testDescription: "bearer type takes no part", type: .accessToken,
      values: [.realm: "contoso.com", .target: "user.read", .tokenType: "Bearer"],
      service: "accesstoken-client-contoso.com-user.read", generic: "accesstoken-client-contoso.com",
      number: 2001),
    KeyLiteral(
      testDescription: "ID token", type: .idToken, values: [.realm: "contoso.com"],
      service: "idtoken-client-contoso.com-", generic: "idtoken-client-contoso.com", number: 2003),
    KeyLiteral(
      testDescription: "app refresh token", type: .refreshToken, values: [:],
      service: "refreshtoken-client--", generic: "refreshtoken-client-", number: 2002),
    KeyLiteral(
      testDescription: "family refresh token", type: .refreshToken, values: [.familyID: "1"],
      service: "refreshtoken-1--", generic: "refreshtoken-1-", number: 2002),
    KeyLiteral(
      testDescription: "Python's target on a refresh token takes no part", type: .refreshToken,
      values: [.familyID: "1", .target: "user.read"], service: "refreshtoken-1--",
      generic: "refreshtoken-1-", number: 2002),
  ])
  func credentialKeyIs(_ literal: KeyLiteral) {
    let item = CredentialItem(type: literal.type, Self.common.merging(literal.values) { $1 })
    let expected = CacheKey(
      account: "uid.utid-login.microsoftonline.com", service: literal.service,
      generic: Data(literal.generic.utf8), type: literal.number)
    #expect(CacheKey(item) == expected)
  }

  @Test(arguments: [
    (CredentialType.other, "token", 2000, "token"),
    (.accessToken, "AccessToken", 2001, "accesstoken"),
    (.refreshToken, "RefreshToken", 2002, "refreshtoken"),
    (.idToken, "IdToken", 2003, "idtoken"),
    (.legacySingleResourceToken, "LegacySingleResourceToken", 2004, "legacysingleresourcetoken"),
    (.primaryRefreshToken, "PrimaryRefreshToken", 2005, "primaryrefreshtoken"),
    (.v1IDToken, "V1IdToken", 2006, "v1idtoken"),
    (.accessTokenWithAuthScheme, "AccessToken_With_AuthScheme", 2007, "accesstoken_with_authscheme"),
    (.familyRefreshToken, "FamilyRefreshToken", 2008, "familyrefreshtoken"),
    (.boundRefreshToken, "BoundRefreshToken", 2009, "boundrefreshtoken"),
  ])
  func credentialTypeIsWritten(type: CredentialType, json: String, number: Int, key: String) {
    #expect(type.jsonName == json)
    #expect(type.attributeType == number)
    #expect(type.keyName == key)
    #expect(CredentialType(jsonName: json) == type)
  }

  @Test func accountKeyIsRealmAndUsername() {
    let account = AccountItem([
      .homeAccountID: "uid.utid", .environment: "login.microsoftonline.com", .realm: "Contoso.com",
      .username: " Username",
    ])
    let expected = CacheKey(
      account: "uid.utid-login.microsoftonline.com", service: "contoso.com", generic: Data("username".utf8),
      type: 1003)
    #expect(CacheKey(account) == expected)
  }

  @Test(arguments: [("1", Data("1".utf8)), ("", nil)])
  func appMetadataKeyHasTheFamilyAsGeneric(family: String, generic: Data?) {
    let metadata = AppMetadata(clientID: "CLIENT", environment: "Login.Example", familyID: family)
    let expected = CacheKey(
      account: "Login.Example", service: "appmetadata-client", generic: generic, type: 3001)
    #expect(CacheKey(metadata) == expected)
  }

  @Test(arguments: [
    ("", ""), (" ", ""), ("a b", "a b"), ("A B\n", "a b"), ("\u{A0}é\u{2003}", "é"), ("É", "é"),
    ("aÉb", "aéb"),
    ("uid.utid", "uid.utid"),
  ])
  func accountIsTrimmedAndInLowerCase(written: String, normalized: String) {
    #expect(CacheKey.account(written, "Host") == normalized + "-host")
  }

  @Test func accountMetadataKeyKeepsTheCaseOfTheClientID() {
    let expected = CacheKey(account: "authority_map", service: "CLIENT", generic: nil, type: 5001)
    #expect(CacheKey(accountMetadataOf: "CLIENT") == expected)
  }

  @Test func claimsHashIsSevenDigitsOfSHA256OfTheLowerCaseClaims() {
    // printf '{"a":1}' | sha256sum
    #expect(CacheKey.claimsHash(" {\"A\":1} ") == "015abd7")
    var item = CredentialItem(type: .accessToken, Self.common.merging([.target: "t"]) { $1 })
    item[.requestedClaims] = "{\"A\":1}"
    #expect(CacheKey(item).service == "accesstoken-client--t|015abd7")
  }

  @Test func preferredCacheIsTriedFirstThenTheTypedHost() {
    let candidates = EnvironmentAliases.publicCloud.candidates(for: "login.microsoft.com")
    #expect(
      candidates == [
        "login.windows.net", "login.microsoft.com", "login.microsoftonline.com", "sts.windows.net",
      ])
    #expect(EnvironmentAliases().candidates(for: "Login.Microsoft.com") == ["login.microsoft.com"])
    let network = EnvironmentAliases.publicCloud.preferredNetwork(for: "sts.windows.net")
    #expect(network == "login.microsoftonline.com")
    #expect(Cloud.trustedHosts.count == 11)
  }
}
