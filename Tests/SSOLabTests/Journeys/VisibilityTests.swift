import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab

/// The matrix of docs/behaviour/adal.md §4, compared with what actually happens.
///
/// All nine pairs are tested with the same client, within a family, and with unrelated clients.
struct VisibilityTests {
  enum Bond: String, Sendable { case sameClient, family, strangers }

  struct Cell: Sendable, CustomTestStringConvertible {
    var writer: CacheGeneration
    var reader: CacheGeneration
    var bond: Bond
    var extent: Visibility.Extent

    var testDescription: String {
      "\(writer.rawValue) -> \(reader.rawValue), \(bond.rawValue): \(extent.rawValue)"
    }
  }

  static let cells: [Cell] =
    [
      Cell(writer: .legacyOnly, reader: .legacyOnly, bond: .sameClient, extent: .accessAndRefreshToken),
      Cell(writer: .legacyOnly, reader: .both, bond: .sameClient, extent: .accessAndRefreshToken),
      Cell(writer: .legacyOnly, reader: .unified, bond: .sameClient, extent: .refreshToken),
      Cell(writer: .both, reader: .legacyOnly, bond: .sameClient, extent: .accessAndRefreshToken),
      Cell(writer: .both, reader: .both, bond: .sameClient, extent: .accessAndRefreshToken),
      Cell(writer: .both, reader: .unified, bond: .sameClient, extent: .refreshToken),
      Cell(writer: .unified, reader: .legacyOnly, bond: .sameClient, extent: .nothing),
      Cell(writer: .unified, reader: .both, bond: .sameClient, extent: .refreshToken),
      Cell(writer: .unified, reader: .unified, bond: .sameClient, extent: .all),
      Cell(writer: .legacyOnly, reader: .legacyOnly, bond: .family, extent: .refreshToken),
      Cell(writer: .legacyOnly, reader: .both, bond: .family, extent: .refreshToken),
      Cell(writer: .legacyOnly, reader: .unified, bond: .family, extent: .refreshToken),
      Cell(writer: .both, reader: .legacyOnly, bond: .family, extent: .refreshToken),
      Cell(writer: .both, reader: .both, bond: .family, extent: .refreshToken),
      Cell(writer: .both, reader: .unified, bond: .family, extent: .refreshToken),
      Cell(writer: .unified, reader: .legacyOnly, bond: .family, extent: .nothing),
      Cell(writer: .unified, reader: .both, bond: .family, extent: .refreshToken),
      Cell(writer: .unified, reader: .unified, bond: .family, extent: .refreshToken),
    ]
    + CacheGeneration.allCases.flatMap { writer in
      CacheGeneration.allCases.map { Cell(writer: writer, reader: $0, bond: .strangers, extent: .nothing) }
    }

  private func app(_ generation: CacheGeneration, _ name: String, client: String) -> SuiteApp {
    switch generation {
    case .legacyOnly: .adal(name, "2.6.6", client: client)
    case .both: .adal(name, "2.7.0", client: client)
    case .unified: .msal(name, client: client)
    }
  }

  @Test(arguments: TestEngine.allCases, cells)
  func whatIsSaidToBeSeenIsSeen(_ engine: TestEngine, _ cell: Cell) throws {
    let writer = app(cell.writer, "writer", client: "c1")
    let reader = app(cell.reader, "reader", client: cell.bond == .sameClient ? "c1" : "c2")
    let lab = try suiteLab(on: engine, [writer, reader], family: cell.bond == .family)
    let said = try #require(
      try lab.read { try $0.why.visibility() }.first {
        $0.signedIn == writer.bundleID && $0.looking == reader.bundleID
      })
    #expect(said.extent == cell.extent)
    #expect((said.extent == .nothing) == said.checks.contains { $0.verdict == .failed })
    try lab.signIn(writer)
    let seen = try lab.silent(reader, "ada@contoso.com")
    switch cell.extent {
    case .all, .accessAndRefreshToken: #expect(seen.source == "cache")
    case .refreshToken: #expect(seen.verdict == .succeeded && seen.source?.hasSuffix("refresh token") == true)
    case .nothing: #expect(seen.verdict == .failed && !seen.prompted)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func eachConditionThatFailsIsNamed(_ engine: TestEngine) throws {
    func reason(_ writer: SuiteApp, _ reader: SuiteApp, family: Bool = false) throws -> String? {
      let cells = try suiteLab(on: engine, [writer, reader], family: family).read { try $0.why.visibility() }
      return cells.first { $0.signedIn == writer.bundleID }?.checks.first { $0.verdict == .failed }?.name
    }
    let old = SuiteApp.adal("old", "2.6.6")
    #expect(try reason(old, .adal("other", "2.6.6")) == nil)
    #expect(try reason(old, .adal("other", "2.6.6", client: "c2")) == "same client ID")
    #expect(
      try reason(old, .adal("other", "2.6.6", extra: "keychainSharingGroup: com.myapp.mycache"))
        == "configured sharing group")
    #expect(
      try reason(old, .adal("other", "2.6.6", extra: "keychainAccessGroups: []"))
        == "access group in its entitlements")
    #expect(try reason(.msal("modern"), old) == "format is read")
    #expect(
      try reason(old, .adal("other", "2.1.0", client: "c2"), family: true) == "family tokens are supported")
    #expect(
      try reason(old, .adal("other", "2.5.1", extra: "authority: https://login.microsoftonline.com/common"))
        == "authority of the item is one that the SDK tries")
  }
}
