import Foundation
import Testing

@testable import SSODevice

/// Scans the sources: a code that this project explains is named where it is raised, or its entry says that it is not
/// raised.
@Suite struct RaisedCodeTests {
  /// Returns the cases that the sources of a folder name, in the form `.case` or `Code.case`, except those in
  /// comparisons.
  ///
  /// `prefix` is a pattern that precedes the dot, for cases whose names other types have too.
  private func named<Code: ExplainedCode>(
    _ type: Code.Type, in folder: String = "", after prefix: String = #"[^=] |[^\w ]"#
  ) throws -> Set<Code> {
    let model = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/SSOModel/" + folder).standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: model, includingPropertiesForKeys: nil))
    let pattern = try Regex("(?:\(type)|\(prefix))\\.(\\w+)", as: (Substring, Substring).self)
    var names: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      // Skip the entries themselves, and the mapping of one layer's codes to another's.
      guard !file.path().contains("/Reference/"), file.lastPathComponent != "IdentityCore.swift" else {
        continue
      }
      let text = try String(contentsOf: file, encoding: .utf8)
      names.formUnion(text.matches(of: pattern).map { String($0.output.1) })
    }
    return Set(type.allCases.filter { names.contains("\($0)") })
  }

  private func expectRaised<Code: ExplainedCode>(_ raised: Set<Code>) {
    for code in Code.allCases {
      #expect(code.isRaisedHere == raised.contains(code), "\(Code.self).\(code)")
    }
  }

  @Test func aCodeOfTheProviderIsRaisedOrSaysThatItIsNot() throws {
    expectRaised(try named(AADSTSCode.self, after: "aadsts: "))
    expectRaised(try named(OAuthErrorCode.self))
    expectRaised(try named(OAuthSuberror.self))
  }

  @Test func aStatusOfTheKeychainIsRaised() throws {
    expectRaised(try named(KeychainError.self))
  }

  /// An SDK raises codes by name, and by converting the codes of the layer below and the provider's errors.
  @Test func aCodeOfAnSDKIsRaisedOrSaysThatItIsNot() throws {
    let below = try named(
      IdentityCoreCode.self, in: "Device", after: #"BrokerFault\(\s*|, |\n\s+"#)
    expectRaised(below)
    let errors = OAuthErrorCode.allCases.filter(\.isRaisedHere)
    expectRaised(
      try named(MSALCode.self, in: "Device").union(below.map(\.msal)).union(errors.map(\.msal)))
    expectRaised(try named(ADALCode.self, in: "Device").union(below.map(\.adal)))
  }
}
