import ArgumentParser

/// What a token call may say besides account, scopes and prompt.
struct CallSettings: ParsableArguments {
  @Option(help: "Authority of this call, such as https://login.microsoftonline.com/contoso.com.")
  var authority: String?

  @Option(help: "Claims to ask for, as a JSON object.")
  var claims: String?

  var callOptions: CallOptions { CallOptions(authority: authority, claims: claims) }
}
