/// Code that gives a redirect URI to a library.
struct RedirectCode {
  /// The ends of the names of its files.
  var endings: [String]
  /// Words of which a file that uses the library contains one.
  var marks: [String]
  /// Returns the index of the redirect URI of the call at an index, or `nil` for any other code.
  var argument: @Sendable (_ tokens: [SourceToken], _ index: Int) -> Int?
  /// Whether constants of other files are read.
  var readsOtherFiles = false
}

extension RedirectCode {
  /// Calls in Kotlin or Java of Okta's library and of AppAuth.
  ///
  /// Source: okta-oidc-android, `OIDCConfig.Builder.redirectUri`; AppAuth-Android, `AuthorizationRequest.Builder`.
  static let code = RedirectCode(
    endings: [".kt", ".java"], marks: ["OIDCConfig", "net.openid.appauth"],
    argument: { tokens, index in
      guard index > 2, ["redirectUri", "parse"].contains(tokens[index].word) else { return nil }
      // `(NAME)`, `(Type.NAME)`, `("…")`
      var last = index + 2
      while last + 2 < tokens.count, tokens[last].word != nil, tokens[last + 1].isSymbol(".") { last += 2 }
      guard last + 1 < tokens.count, tokens[index + 1].isSymbol("("), tokens[last + 1].isSymbol(")") else {
        return nil
      }
      guard tokens[index].word == "parse" else { return last }
      let name = tokens[index - 3].isSymbol("=") && index > 3 ? tokens[index - 4].word : nil
      // `AuthorizationRequest.Builder(…, Uri.parse("…"))`, but not the addresses of an AuthorizationServiceConfiguration.
      let before = tokens[..<index].suffix(30)
      let call = before[(before.lastIndex { $0.word == "AuthorizationRequest" } ?? before.endIndex)...]
      let isOfRequest =
        call.dropFirst(2).first?.word == "Builder"
        && !call.contains { $0.word == "AuthorizationServiceConfiguration" }
      let isOfAppAuth = name?.lowercased().hasPrefix("redirecturi") == true || isOfRequest
      return tokens[index - 2].word == "Uri" && isOfAppAuth ? last : nil
    }, readsOtherFiles: true)

  /// Calls in Kotlin or Java of Okta's library that say where the browser returns after signing out.
  ///
  /// Source: okta-oidc-android, `OIDCConfig.Builder.endSessionRedirectUri`.
  static let signOut = RedirectCode(
    endings: [".kt", ".java"], marks: ["OIDCConfig"],
    argument: { tokens, index in
      guard tokens[index].word == "endSessionRedirectUri", index + 3 < tokens.count,
        tokens[index + 1].isSymbol("("), tokens[index + 3].isSymbol(")")
      else { return nil }
      return index + 2
    }, readsOtherFiles: true)

  /// Configurations in scripts of react-native-app-auth.
  ///
  /// Source: react-native-app-auth, README (`redirectUrl`).
  static let script = RedirectCode(
    endings: SourceLanguage.scriptEndings, marks: ["react-native-app-auth", "serviceConfiguration"]
  ) { tokens, index in
    guard index + 2 < tokens.count, tokens[index].word == "redirectUrl", tokens[index + 1].isSymbol(":")
    else {
      return nil
    }
    return index + 2
  }

  /// Calls in Dart of flutter_appauth.
  ///
  /// Source: flutter_appauth, `lib/src/authorization_request.dart` and `authorization_token_request.dart`: the second
  /// argument without a name.
  static let dart = RedirectCode(endings: [".dart"], marks: ["flutter_appauth"]) { tokens, index in
    guard index + 4 < tokens.count, tokens[index + 1].isSymbol("("), tokens[index + 3].isSymbol(","),
      ["AuthorizationTokenRequest", "AuthorizationRequest"].contains(tokens[index].word)
    else { return nil }
    return index + 4
  }
}
