/// Lines beside MSAL Python's own sentences: the HTTP client's, and the event that it logs when tokens are saved.
enum PythonLine {
  /// The hop that the line describes; nil if it is neither.
  static func hop(_ record: LogRecord, _ bytes: LineBytes) -> (hop: Hop, ends: Outcome.Verdict?)? {
    let message = record.parts.message
    if bytes.hasText("http", at: message.lowerBound) { return request(record, bytes) }
    if bytes.hasText("event={", at: message.lowerBound) { return savedTokens(record, bytes) }
    return nil
  }

  /// urllib3: `https://host:443 "POST /tenant/oauth2/v2.0/token HTTP/1.1" 200 None`.
  private static func request(_ record: LogRecord, _ bytes: LineBytes) -> (hop: Hop, ends: Outcome.Verdict?)?
  {
    let text = bytes.text(record.parts.message)
    let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let line = parts[1].split(separator: " ")
    guard line.count == 3, let status = Int(parts[2].split(separator: " ").first ?? "") else { return nil }
    let target = line[1].split(separator: "?", maxSplits: 1)
    let path = LogText.shown(String(target.first ?? ""))
    return (
      Hop(
        from: .sdk, to: .provider, action: "\(line[0]) \(path)", result: "\(status)",
        sent: [
          NameValue("line \(record.number)", LogText.shown(parts[0].trimmed))
        ]), nil
    )
  }

  /// `event={"client_id": …, "response": {…}}`, over several lines, secrets masked by MSAL itself.
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
