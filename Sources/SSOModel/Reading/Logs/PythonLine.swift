/// A reader of lines that are not sentences of MSAL Python: HTTP requests, and the event that is logged when tokens are
/// saved.
enum PythonLine {
  /// Returns the hop that the line describes, or `nil` if the line is neither.
  static func hop(_ record: LogRecord, _ bytes: LineBytes) -> (hop: Hop, ends: Outcome.Verdict?)? {
    let message = record.parts.message
    if bytes.hasText("http", at: message.lowerBound) { return request(record, bytes) }
    if bytes.hasText("event={", at: message.lowerBound) { return savedTokens(record, bytes) }
    return nil
  }

  /// Reads a line of urllib3: `https://host:443 "POST /tenant/oauth2/v2.0/token HTTP/1.1" 200 None`.
  private static func request(_ record: LogRecord, _ bytes: LineBytes) -> (hop: Hop, ends: Outcome.Verdict?)?
  {
    let line = bytes[record.parts.message]
    let (quote, space) = (UInt8(ascii: "\""), UInt8(ascii: " "))
    guard let open = line.index(of: quote), let close = line.index(of: quote, from: open + 1),
      let method = line.index(of: space, from: open), let target = line.index(of: space, from: method + 1),
      target < close, let status = line.number(at: close + 2, digits: 3)
    else { return nil }
    let path = line.index(of: UInt8(ascii: "?"), from: method).map { min($0, target) } ?? target
    let words = line.text(open + 1..<method) + " " + LogText.shown(line.text(method + 1..<path))
    let host = LogText.shown(line.text(line.trimmed(0..<open)))
    return (
      Hop(
        from: .sdk, to: .provider, action: words, result: "\(status)",
        sent: [NameValue("line \(record.number)", host)]), nil
    )
  }

  /// Reads `event={"client_id": …, "response": {…}}`, which spans several lines and in which MSAL itself masked the
  /// secrets.
  private static func savedTokens(_ record: LogRecord, _ bytes: LineBytes) -> (
    hop: Hop, ends: Outcome.Verdict?
  )? {
    let start = record.parts.message.lowerBound + 6
    guard let event = JSONValue(bounded: bytes[start..<bytes.count].bytes.asArray, maximumBytes: 262_144)
    else {
      return nil
    }
    let names = ["client_id", "grant_type", "scope", "token_endpoint", "environment"]
    var sent = names.compactMap { name in
      event[name].map { NameValue(name, LogText.shown(words($0))) }
    }
    sent.append(NameValue("line \(record.number)", "event="))
    let hasTokens = event["response"]?["access_token"] != nil
    return (
      Hop(
        from: .sdk, to: .keychain, action: "save the tokens",
        result: hasTokens ? "access token" : "", sent: sent),
      hasTokens ? .succeeded : nil
    )
  }

  private static func words(_ value: JSONValue) -> String {
    value.string ?? value.array?.compactMap(\.string).joined(separator: " ") ?? ""
  }
}

extension UnsafeBufferPointer<UInt8> {
  var asArray: [UInt8] { Array(self) }
}
