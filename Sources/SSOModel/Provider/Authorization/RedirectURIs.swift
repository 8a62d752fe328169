/// Compares character by character, save that a loopback address may have any port (RFC 8252 §7.3).
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

/// Whether a browser that is sent there runs what the URI says instead of going anywhere.
///
/// Browsers skip white space and control characters in a scheme (URL Standard §4.4).
package func runsScript(_ redirectURI: String) -> Bool {
  let plain = String(redirectURI.unicodeScalars.filter { $0.value > 0x20 }).lowercased()
  return ["javascript:", "data:", "vbscript:"].contains { plain.hasPrefix($0) }
}

/// Whether a page may load it in a frame to tell an app of a sign-out: https, or http on this machine.
package func isFrontChannelLogout(_ uri: String) -> Bool {
  guard let parts = URLParts(uri), !parts.authority.isEmpty else { return false }
  return parts.scheme == "https" || parts.scheme == "http" && isLoopback(parts.host)
}

/// `fields` in the query of a URL that may have one already.
func appending(_ fields: [NameValue], to url: String) -> String {
  guard !fields.isEmpty else { return url }
  return url + (url.contains("?") ? "&" : "?") + FormEncoding.encode(fields)
}
