import Foundation
import SSOReference
import Testing

/// Scans the sources: Swift has a case only for a code that the program raises or compares with.
@Suite struct RaisedCodeTests {
  /// Expects that each case is named outside the enum, in the form `.case`.
  private func expectNamed<Code: ExplainedCode>(_ type: Code.Type) throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let declaration = "enum \(type):"
    var names: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let uses =
        text.contains(declaration)
        ? text.components(separatedBy: "extension \(type)").dropFirst().joined() : text
      names.formUnion(uses.matches(of: /\.(\w+)/).map { String($0.output.1) })
    }
    #expect(type.allCases.filter { !names.contains("\($0)") } == [])
  }

  @Test func aCaseIsACodeThatTheProgramNames() throws {
    try expectNamed(AADSTSCode.self)
    try expectNamed(B2CCode.self)
    try expectNamed(FederationCode.self)
    try expectNamed(OAuthSuberror.self)
    try expectNamed(KeychainError.self)
    try expectNamed(IdentityCoreCode.self)
    try expectNamed(MSALCode.self)
    try expectNamed(ADALCode.self)
  }
}
