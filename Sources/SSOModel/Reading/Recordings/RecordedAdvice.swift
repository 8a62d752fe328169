import Essentials

/// Advice for the real app if a check of a recording failed.
extension Check {
  /// The advice, or `nil` if the check passed or its error says more than its name.
  package var advice: String? {
    guard verdict == .failed else { return nil }
    let parts = name.split(separator: " of the ", omittingEmptySubsequences: false)
    switch parts[0] {
    case "loop":
      return
        "Find what starts the sign-in again: a page that signs in while the answer is in its URL, a redirect page that "
        + "itself needs a sign-in, or storage and cookies that the browser does not keep."
    case "PKCE": return "Send code_challenge_method=S256, as current libraries do."
    case "session cookie":
      return
        "A silent request in a frame needs the provider's cookie, which browsers keep from other sites: use refresh tokens "
        + "(authorization code with PKCE), or sign in with a redirect."
    case "redirect URI":
      return
        "Send one redirect URI in both requests, as it is registered, character by character. Behind a proxy build it "
        + "from the public address (X-Forwarded-Proto and -Host)."
    case "state":
      return
        "Keep the state of each request in the browser that sent it until its answer comes: two sign-ins at a time, another "
        + "host name, or a cookie with SameSite=Strict lose it. An answer with another state must be refused."
    case "nonce":
      return "Keep the nonce with the state of its request, and compare it with that of the ID token."
    case "code":
      return
        "Redeem a code once: look for a handler that runs twice, or a redirect page that is loaded again."
    case "client": return "Redeem the code with the client ID that asked for it."
    case "code verifier":
      return
        "Keep the verifier with the state of its request: a second tab or a restart of the app overwrites it, and a "
        + "challenge is the Base64URL of the verifier's SHA-256."
    case "clock":
      return
        "Set this device's clock by network time; with a wrong clock, tokens look expired or not valid yet."
    case "audience":
      return parts.last == "id_token"
        ? "The ID token is another client's: compare the client ID with the registration."
        : "The token is for another API: ask for a scope of the API that is called, and keep a token for each."
    case "expiry": return "Get a token silently before each call, and keep none longer than its exp."
    case "not before", "issued": return "Compare the clocks of this device and the server."
    case "issuer":
      return "Compare the authority that the app uses with the tenant (tid) that issued the token."
    case "prompt=none":
      return
        "Expected if no account is signed in: catch the error, then sign in with a page. If one is, the browser did "
        + "not send the provider's cookie."
    case "Conditional Access":
      return "Sign in with a page, and send the claims of the answer in the claims parameter of that request."
    case "API": return "Compare aud, scp and roles of the token with what the API asks for."
    case "algorithm", "form":
      return "Send the token as the provider sent it; a modified token is rejected."
    default: return nil
    }
  }
}

extension Trace {
  /// The advice for each failed check, with the number of its hop; each name occurs once.
  package var adviceLines: [Advice] {
    var seen: Set<String> = []
    return hops.enumerated().flatMap { index, hop in
      hop.checks.compactMap { check in
        guard check.verdict == .failed, seen.insert(check.name).inserted,
          let advice = check.advice.map({ Advice($0) })
            ?? Explanation.ofError(check.found).first?.remedyOutside
        else { return nil }
        return "\(check.name) (\(index + 1)): \(advice)"
      }
    }
  }
}
