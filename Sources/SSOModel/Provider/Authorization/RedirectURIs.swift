import SSOCore

/// Compares character by character, save that a loopback address may have any port (RFC 8252 §7.3).
func isRegistered(_ redirectURI: String, in registered: [String]) -> Bool {
  registered.contains { candidate in
    if candidate == redirectURI { return true }
    guard let sent = URLParts(redirectURI), let known = URLParts(candidate), sent.scheme == "http",
      let host = loopbackName(sent.host), host == loopbackName(known.host), known.scheme == "http"
    else { return false }
    return sent.path == known.path && sent.query == known.query && sent.fragment == nil
  }
}

/// `localhost`, `127.0.0.1` or `[::1]`, whatever the port; nil for any other host. `localhost:80@evil.example`
/// is another host.
func loopbackName(_ host: String) -> String? {
  let name = hostWithoutPort(host)
  let port = host.dropFirst(name.count)
  guard ["localhost", "127.0.0.1", "[::1]"].contains(name) else { return nil }
  return port.isEmpty || port.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) } ? name : nil
}

/// `localhost` of `localhost:8443`, `[::1]` of `[::1]:8443`.
func hostWithoutPort(_ host: String) -> String {
  let end = host.lastIndex(of: "]") ?? host.startIndex
  guard let colon = host[end...].firstIndex(of: ":") else { return host }
  return String(host[..<colon])
}

/// `fields` in the query of a URL that may have one already.
func appending(_ fields: [NameValue], to url: String) -> String {
  guard !fields.isEmpty else { return url }
  return url + (url.contains("?") ? "&" : "?") + FormEncoding.encode(fields)
}
