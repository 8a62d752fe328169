import SSOLab
import SSOReference

/// A number that Entra once reported for an error that now has its own number; the words of its sentence decide.
///
/// They were seen in public threads: 70001 (microsoftgraph/aspnetcore-connect-sample#18), 70002
/// (AzureAD/azure-activedirectory-library-for-java#139), 50012 (microsoft/azure-tools-for-java#2636), 50013
/// (AzureAD/microsoft-authentication-library-for-js#389), 65005
/// (Azure-Samples/active-directory-angularjs-singlepageapp-dotnet-webapi#30), 70000 (vmurin/react-native-azure-auth#40),
/// 70008 (Azure/azure-cli#242), 50011 (jeffcarbs/omniauth-office365#3), 70021 (Azure/azure-workload-identity#340), 90023
/// (MicrosoftDocs/azure-docs#76480, firebase/flutterfire#11295), 90014
/// (AzureAD/microsoft-authentication-library-for-android#418), and 901002 (modelcontextprotocol/csharp-sdk#741).
struct EarlierNumber {
  private var number: Int
  /// The words, in lowercase, or `nil` if the number has one meaning.
  private var words: String?
  private var today: AADSTSCode

  private static let all: [EarlierNumber] = [
    .init(number: 70001, words: "was not found in the", today: .clientNotFound),
    .init(number: 70001, words: "is disabled", today: .clientDisabled),
    .init(number: 50001, words: "was not found in the", today: .resourceNotFound),
    .init(number: 50001, words: "is disabled", today: .resourceDisabled),
    .init(number: 70002, words: "client_assertion", today: .clientProofMissing),
    .init(number: 70002, words: "must include a 'client_secret'", today: .clientProofMissing),
    .init(number: 70002, words: "client_secret", today: .clientProofMissing),
    .init(number: 70002, words: "invalid client secret", today: .clientSecretWrong),
    .init(number: 50012, words: "secret", today: .clientSecretWrong),
    .init(number: 50012, words: "assertion", today: .clientAssertionSignature),
    .init(number: 50013, words: "assertion audience", today: .assertionAudience),
    .init(number: 65005, words: "not listed in the requested permissions", today: .resourceNotRequired),
    .init(number: 65005, words: "doesn't exist on the resource", today: .scopeNotFound),
    .init(number: 65005, words: "has not listed any permissions", today: .noPermissionListed),
    .init(
      number: 90014, words: "request body must contain the following parameter", today: .bodyParameterMissing),
    .init(number: 901_002, words: nil, today: .resourceDoesNotFit),
    .init(number: 70000, words: "code_verifier", today: .codeVerifierMismatch),
    .init(number: 70008, words: "due to it being revoked", today: .grantRevoked),
    .init(number: 70021, words: "no matching federated identity", today: .federatedIssuer),
    .init(number: 90023, words: "cross-origin token redemption", today: .crossOriginRefused),
    .init(number: 90023, words: "public clients can't send a client secret", today: .clientIsPublic),
    .init(number: 50011, words: "provided when requesting authorization code", today: .redirectURIDiffers),
    .init(number: 9_002_331, words: nil, today: .personalAccountsOnly),
  ]

  /// Returns the current numbers for a number with the sentence after it.
  static func today(_ number: Int, _ text: String) -> [Int] {
    guard all.contains(where: { $0.number == number }) else { return [] }
    let text = text.replacing("%20", with: " ").lowercased()
    let found = all.first { $0.number == number && $0.words.map(text.contains) ?? true }
    return found.map { [$0.today.rawValue] } ?? []
  }

  /// Returns the current number for a number that depends on the grant, or `nil` if it does not.
  ///
  /// Client credentials with a scope other than `.default` were once 70011
  /// (AzureAD/microsoft-authentication-library-for-dotnet#449).
  static func today(_ number: Int?, _ grant: CallProgram.Grant?, _ sentences: [String]) -> Int? {
    guard number == AADSTSCode.scopeInvalid.number, grant == .clientCredentials,
      let sentence = sentences.first(where: { $0.contains("The scope ") }),
      let start = sentence.firstRange(of: "The scope ")?.upperBound
    else { return nil }
    let scope = sentence[start...].prefix { $0 != " " }
    return scope.lowercased().contains(".default") ? nil : AADSTSCode.appScopeInvalid.number
  }

  /// The numbers that have many causes, with the word of the sentence for which the lab has a world.
  ///
  /// 90023 stands for any invalid parameter, and 70002 for any invalid client.
  private static let many: [(number: AADSTSCode, word: String, needsWord: Bool)] = [
    (.parameterInvalid, "prompt", false), (.clientInvalid, "mobile", true),
  ]

  /// Returns whether the sentence after a number that has many causes names a cause that the lab does not know.
  static func namesAnotherCause(_ number: Int?, _ sentences: [String]) -> Bool {
    guard let one = many.first(where: { $0.number.number == number }) else { return false }
    let text = sentences.joined(separator: " ")
    guard let start = text.firstRange(of: one.number.text)?.upperBound else { return one.needsWord }
    let words = text[start...].prefix(400).lowercased()
    let isSentence = words.split(separator: " ").count > 3
    return (isSentence || one.needsWord) && !words.contains(one.word)
  }
}
