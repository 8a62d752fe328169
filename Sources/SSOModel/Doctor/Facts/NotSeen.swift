import SSODevice

// Values that the files do not show are listed in one line, and no rule reports them.

extension AppleFacts {
  /// A sentence about what is not visible, or `nil` if there is nothing to say.
  ///
  /// In a built app, the values that code sets exist only as machine code (docs/behaviour/real-apps.md §3).
  var notSeen: String? {
    guard let sdk else {
      return
        "Nothing in it names MSAL or ADAL, so it is not checked: name the project, or the app's other files too."
    }
    if isOutdated {
      return
        "It uses a version of MSAL before 0.3, whose redirect URI and keychain group are others: it is not checked."
    }
    if !redirectsOfDotNet.isEmpty {
      return
        "It uses MSAL.NET: of its C# the broker, the keychain group, and the redirect URI are read, other values are not."
    }
    if let library, !isConfiguredByScript {
      return
        "It uses MSAL through \(library.value): client ID, authority and redirect URI that it sets are not read. "
        + (hasUnknownRedirect
          ? "So the redirect URI is not checked." : "The SDK's default redirect URI is assumed.")
    }
    if isBuilt, sdk == .msal {
      let signed = entitlements == .unread ? "its entitlements, " : ""
      return "Not visible in a built app: " + signed
        + "the authority, a redirect URI that code sets, and whether code switches the broker off. Name the project as well."
    }
    guard let source else { return nil }
    var parts = [
      source.clientID.notSeen("client ID"), source.redirectURI.notSeen("redirect URI"),
      source.authority.notSeen("authority"), source.keychainGroup.notSeen("keychain group"),
    ].compactMap(\.self)
    if urlSchemes == nil, platform.requiresRegisteredScheme {
      parts.append("URL schemes (no Info.plist was read)")
    }
    if entitlements == .unread { parts.append("keychain group (no entitlements were read)") }
    return notChecked(parts)
  }
}

extension AndroidFacts {
  /// A sentence about what is not visible, or `nil` if there is nothing to say.
  var notSeen: String? {
    guard redirectsOfDotNet.isEmpty else {
      return
        "It uses MSAL.NET: of its C# only the redirect URI and the activities that receive the answer are checked."
    }
    guard !configurations.isEmpty else {
      guard malformed.isEmpty else { return nil }
      return
        "No configuration of MSAL was found in res/raw or assets: client ID, authorities and redirect URI are not checked."
    }
    var parts = packageName == nil ? ["package name (no build file says it)"] : []
    if manifest == nil { parts.append("BrowserTabActivity (no manifest of the app was read)") }
    if let filter = filters.first(where: \.isUnknown) {
      parts.append("BrowserTabActivity (\(filter.place) has a value of the build)")
    }
    return notChecked(parts)
  }
}

extension WebFacts {
  /// A sentence about what is not visible, or `nil` if there is nothing to say.
  var notSeen: String? {
    if isFirstVersion { return "It uses MSAL.js 1: only a client secret in the page is checked." }
    // A finding names the variable that the bundler does not put into the page.
    if clientID == nil, configuration?.unseen["clientId"] == nil {
      let what =
        configuration?.clientID.place.map { "\($0) sets clientId to an expression whose value was not found" }
        ?? "no auth: { clientId: … } is in the scripts below \(folder(of: origin.path))"
      return
        "No client ID was found: \(what). Environment files that are not checked in (src/environments/*.ts, .env) are "
        + "not there or not read."
    }
    return notChecked(
      [configuration?.redirectURI.notSeen("redirect URI"), configuration?.authority.notSeen("authority")]
        .compactMap(\.self)
        + (isLeftOver ? configurations.map(\.place) : leftOver).map {
          "auth (\($0): nothing imports this file)"
        })
  }
}

/// Returns the line that lists what was not checked, or `nil` if everything was.
private func notChecked(_ parts: [String]) -> String? {
  parts.isEmpty ? nil : "Not checked: \(parts.joined(separator: "; "))."
}

extension SourceFacts.Setting {
  /// Returns a name and the place that sets it, if its value cannot be determined.
  fileprivate func notSeen(_ name: String) -> String? {
    if case .unknown(let place) = self { "\(name) (\(place) computes it)" } else { nil }
  }
}
