import ArgumentParser
import Essentials

/// The options of a token call besides the account, the scopes, and the prompt.
struct CallSettings: ParsableArguments {
  @Option(help: "Authority of this call, such as https://login.microsoftonline.com/contoso.com.")
  var authority: String?

  @Option(help: "Claims to ask for, as a JSON object.")
  var claims: String?

  /// - Throws: a usage error for claims that are not a JSON object.
  func callOptions() throws(CommandFailure) -> CallOptions {
    if let claims { try Self.check(claims) }
    return CallOptions(authority: authority, claims: claims)
  }

  private static func check(_ claims: String) throws(CommandFailure) {
    let value = try? JSONParser.parse(Data(claims.utf8))
    guard value?.object == nil else { return }
    throw CommandFailure(
      usage: "The value of --claims is not a JSON object.",
      why: value == nil ? "it cannot be read as JSON" : "it is JSON, but not an object",
      next: #"the same command with --claims '{"access_token":{"nbf":{"essential":true}}}'"#)
  }
}
