import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import Testing
import X509

@testable import SSOLab
@testable import SSOScenarios
@testable import SSOServer

@Suite struct CertificateAuthorityTests {
  private let now = Date()
  private let authority: CertificateAuthority

  init() throws { authority = try CertificateAuthority(newAt: now) }

  private func verify(_ leaf: Certificate) async -> Bool {
    var verifier = Verifier(rootCertificates: CertificateStore([authority.certificate])) { RFC5280Policy() }
    let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore())
    if case .validCertificate = result { return true }
    return false
  }

  private func leaf(at time: Date) throws -> Certificate {
    try Certificate(pemEncoded: authority.serverCertificate(at: time, byName: false).pem)
  }

  @Test func theServerCertificateVerifiesWithNameConstraints() async throws {
    #expect(await verify(try leaf(at: now)))
    #expect(await verify(try Certificate(pemEncoded: authority.serverCertificate(at: now, byName: true).pem)))
  }

  @Test func theServerCertificateHasEveryLoopbackName() throws {
    let names = try #require(try leaf(at: now).extensions.subjectAlternativeNames)
    #expect(
      Array(names) == [
        .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
        .ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
      ])
  }

  /// Python's VERIFY_X509_STRICT (docs/behaviour/external-clients.md §1) requires all of these extensions, and that
  /// some are critical.
  @Test func theExtensionsAreStrict() throws {
    let root = authority.certificate
    let leaf = try leaf(at: now)
    #expect(root.extensions[oid: .X509ExtensionID.basicConstraints]?.critical == true)
    #expect(root.extensions[oid: .X509ExtensionID.keyUsage]?.critical == true)
    #expect(root.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true)
    #expect(try root.extensions.keyUsage?.keyCertSign == true)
    let identifier = try #require(try root.extensions.subjectKeyIdentifier?.keyIdentifier)
    #expect(try leaf.extensions.authorityKeyIdentifier?.keyIdentifier == identifier)
    #expect(try leaf.extensions.basicConstraints == .notCertificateAuthority)
  }

  /// The names for which a stolen key could be used.
  @Test(
    arguments: [
      .dnsName("login.microsoftonline.com"), .dnsName("localhost.evil.example"),
      .ipAddress(ASN1OctetString(contentBytes: [10, 0, 0, 1])),
      .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 2])),
      .ipAddress(ASN1OctetString(contentBytes: [0x20, 0x01] + [UInt8](repeating: 0, count: 13) + [1])),
      .uniformResourceIdentifier("https://login.microsoftonline.com/x"),
    ] as [GeneralName])
  func aCertificateForAnotherNameDoesNotVerify(_ name: GeneralName) async throws {
    let stolen = try authority.certificate(for: [name], at: now)
    #expect(await !verify(try Certificate(pemEncoded: stolen.pem)))
  }

  /// `openssl x509 -text`: Permitted: DNS:localhost, IP:127.0.0.1/255.255.255.255, IP:::1/…, URI:localhost.
  @Test func everyKindOfNameIsConstrained() throws {
    let constraints = try #require(try authority.certificate.extensions.nameConstraints)
    #expect(Array(constraints.permittedDNSDomains) == ["localhost"])
    #expect(
      constraints.permittedIPRanges.map { Array($0.bytes) } == [
        [127, 0, 0, 1, 255, 255, 255, 255],
        [UInt8](repeating: 0, count: 15) + [1] + [UInt8](repeating: 255, count: 16),
      ])
    #expect(
      try authority.certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]), "no mail")
    #expect(Array(constraints.permittedURIDomains) == ["localhost"])
  }

  @Test func theServerCertificateIsRenewedThirtyDaysBeforeItsEnd() throws {
    let certificate = try authority.serverCertificate(at: now, byName: true)
    let edge = certificate.validUntil - 30 * 86_400
    #expect(!certificate.isDue(at: edge))
    #expect(certificate.isDue(at: edge + 1))
  }

  @Test func aServerThatRunsOnShowsANewCertificate() throws {
    let clock = TestClock(now)
    let identity = try ServerIdentity(authority, now: { clock.now })
    let first = try identity.certificate(byName: true).pem
    clock.now = now + 59 * 86_400
    #expect(try identity.certificate(byName: true).pem == first)
    clock.now = now + 61 * 86_400
    #expect(try identity.certificate(byName: true).pem != first)
  }

  /// An idle client does not answer the close alert, and NIO would wait five seconds for it, which would delay ^C too.
  @Test func theEndOfAConnectionDoesNotWaitForTheClient() throws {
    #expect(try ServerIdentity(authority).tlsConfiguration().shutdownTimeout < .seconds(1))
  }

  @Test func theLabKeepsItsAuthority() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let first = try CertificateAuthority(of: lab)
    let second = try CertificateAuthority(of: lab)
    #expect(try first.pem == second.pem)
    #expect(try first.fingerprint == second.fingerprint)
  }

  @Test func twoLabsHaveTwoNames() throws {
    #expect(try CertificateAuthority(newAt: now).subject != authority.subject)
  }

  @Test(arguments: [true, false])
  func theCertificateIsThatOfTheLastStart(_ byName: Bool) throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let first = try ServerIdentity(of: lab).certificate(byName: byName)
    let second = try ServerIdentity(of: lab).certificate(byName: byName)
    #expect(first.pem == second.pem)
    #expect(try ServerIdentity(of: lab).certificate(byName: !byName).pem != first.pem)
    // A certificate that expires soon is replaced, including at the next start.
    let due = StoredServerCertificate(
      certificate: first.pem, key: "", validUntil: Int(Date().timeIntervalSince1970) + 86_400)
    try due.keep(as: byName ? "name" : "address", in: lab)
    #expect(try ServerIdentity(of: lab).certificate(byName: byName).pem != first.pem)
  }
}
