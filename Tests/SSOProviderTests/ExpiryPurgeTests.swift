import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider
@testable import SSOStore

@Suite struct ExpiryPurgeTests {
  private let lab: ProviderLab
  private static let start = Instant(1_767_261_600)

  init() throws { lab = try ProviderLab() }

  private func kept(_ kind: DocumentKind, _ prefix: String = "") -> Set<String> {
    Set(lab.documents.documents(kind, keyPrefix: prefix).map(\.key))
  }

  /// Checks every record, starting from the empty key and from each other key.
  private func purge(_ kind: DocumentKind, at seconds: Int) throws -> Set<String> {
    let purge = ExpiryPurge(documents: lab.documents, now: Self.start.adding(seconds: seconds))
    for key in [""] + kept(kind).sorted() { try purge.purge(after: key, in: kind) }
    return kept(kind)
  }

  private func askForDeviceCode() throws {
    _ = try lab.post("/common/oauth2/v2.0/devicecode", ["client_id": "word", "scope": "User.Read"])
  }

  @Test func aCodeIsForgottenAnHourAfterItsEnd() throws {
    _ = try lab.code(ProviderLab.word)
    let codes = kept(.authorizationCode, "code/")
    #expect(codes.count == 1)
    #expect(try purge(.authorizationCode, at: 600 + 3600 - 1).isSuperset(of: codes))
    #expect(try purge(.authorizationCode, at: 600 + 3600).isDisjoint(with: codes))
  }

  @Test func aDeviceCodeIsForgottenAnHourAfterItsEndWithItsUserCode() throws {
    try askForDeviceCode()
    let both = kept(.authorizationCode)
    #expect(both.count == 2)
    #expect(try purge(.authorizationCode, at: 900 + 3600 - 1) == both)
    #expect(try purge(.authorizationCode, at: 900 + 3600).isEmpty)
  }

  @Test func aSignInThatNobodyFinishedIsForgottenWhenItsTimeIsOver() throws {
    _ = try lab.authorize(ProviderLab.word)
    let flows = kept(.authorizationCode, "flow/")
    #expect(flows.count == 1)
    #expect(try purge(.authorizationCode, at: 3599) == flows)
    #expect(try purge(.authorizationCode, at: 3600).isEmpty)
  }

  @Test func anExpiredRefreshTokenIsCalledExpiredAsLongAsItLived() throws {
    let secret = try #require(lab.signIn(ProviderLab.word).refreshToken)
    let lifetime = RefreshTokenRecord.lifetime(of: .family)
    #expect(try purge(.refreshToken, at: 2 * lifetime - 1) == [sha256Hex(secret)])
    lab.now = Self.start.adding(seconds: 2 * lifetime - 1)
    #expect(OAuthError(reading: try lab.refresh(secret, ProviderLab.word)).aadsts == 700082)
    #expect(try purge(.refreshToken, at: 2 * lifetime).isEmpty)
  }

  @Test func aSessionOfABrowserIsForgottenADayAfterItsEnd() throws {
    _ = try lab.signIn(ProviderLab.word)
    let day = SSOSession.lifetime
    #expect(kept(.ssoSession).count == 1)
    #expect(try purge(.ssoSession, at: 2 * day - 1).count == 1)
    #expect(try purge(.ssoSession, at: 2 * day).isEmpty)
  }

  /// A program that sends requests endlessly does not make the store grow.
  @Test func whatIsOverStaysAQuarterOfAll() throws {
    let most = 100
    for round in 0..<20 {
      lab.now = Self.start.adding(seconds: round * 5000)
      for _ in 0..<most { try askForDeviceCode() }
      if round > 1 { #expect(kept(.authorizationCode, "device/").count < 2 * most) }
    }
  }

  @Test func theSameTransactionForgetsAndIsTakenBackAsAWhole() throws {
    let store = try WorldStore.open(.memory, create: true)
    struct Stop: Error {}
    let old = RefreshTokenRecord(
      kind: .app, clientID: "word", username: "alice@contoso.com", objectID: "", homeTenantID: "",
      issuedAt: Self.start, expiresAt: Self.start)
    try store.write(nil) { try $0.write(old, .refreshToken, "f") }
    let later = Self.start.adding(seconds: 400 * 86_400)
    func look(_ transaction: StoreTransaction) throws {
      try ExpiryPurge(documents: transaction, now: later).purge(after: "a", in: .refreshToken)
    }
    #expect(throws: Stop.self) {
      try store.write(nil) {
        try look($0)
        throw Stop()
      }
    }
    #expect(try store.read { try $0.documents(.refreshToken, keyPrefix: "").count } == 1)
    try store.write(nil) { try look($0) }
    #expect(try store.read { try $0.documents(.refreshToken, keyPrefix: "").isEmpty })
  }
}
