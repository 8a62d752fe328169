/// Returns whether a redirect URI is registered.
///
/// Compares exactly, except that a loopback URI may have any port (RFC 8252 §7.3).
func isRegistered(_ redirectURI: String, in registered: [String]) -> Bool {
  if runsScript(redirectURI) { return false }
  return registered.contains { candidate in
    if candidate == redirectURI { return true }
    guard let sent = URLParts(redirectURI), let known = URLParts(candidate), sent.scheme == "http",
      isLoopback(sent.host), sent.host == known.host, known.scheme == "http"
    else { return false }
    return sent.path == known.path && sent.query == known.query && sent.fragment == nil
  }
}

/// Returns whether a browser would execute the URI as a script instead of navigating to it.
///
/// Browsers ignore white space and control characters in a scheme (URL Standard §4.4).
package func runsScript(_ redirectURI: String) -> Bool {
  let plain = String(redirectURI.unicodeScalars.filter { $0.value > 0x20 }).lowercased()
  return ["javascript:", "data:", "vbscript:"].contains { plain.hasPrefix($0) }
}

/// Returns whether a page may load the URI in a frame to notify an app of a sign-out: https, or http on a
/// loopback host.
package func isFrontChannelLogout(_ uri: String) -> Bool {
  guard let parts = URLParts(uri), !parts.authority.isEmpty else { return false }
  return parts.scheme == "https" || parts.scheme == "http" && isLoopback(parts.host)
}

/// Returns a URL with `fields` added to its query.
func appending(_ fields: [NameValue], to url: String) -> String {
  guard !fields.isEmpty else { return url }
  return url + (url.contains("?") ? "&" : "?") + FormEncoding.encode(fields)
}
