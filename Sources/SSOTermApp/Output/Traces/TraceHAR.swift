/// The requests of a trace as a recording in HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), as browsers
/// write it.
///
/// Its contents are already masked, and a trace does not contain response bodies. `ssoterm read` accepts it, as other
/// readers of recordings do.
struct TraceHAR {
  let trace: Trace

  var text: String {
    let document: JSONValue = [
      "log": [
        "version": "1.2", "creator": ["name": "SSOTerm", "version": "1"],
        "comment": .string(trace.summary.title + (trace.summary.isUndone ? " (undone)" : "")), "pages": [],
        "entries": .array(entries),
      ]
    ]
    return document.text(.document)
  }

  /// The origin that the provider reports, or else the public cloud's host.
  private var origin: String {
    let endpoint = trace.hops.lazy.flatMap(\.sent).first { $0.name == "authorization_endpoint" }?.value
    return endpoint.flatMap { URLParts($0)?.origin } ?? "https://" + PublicCloud.preferredNetwork
  }

  /// Whether there is no request, because the call was answered from the cache or rejected before it reached the
  /// provider.
  var isEmpty: Bool { entries.isEmpty }

  private var entries: [JSONValue] {
    let origin = origin
    return trace.hops.enumerated().compactMap { number, hop in entry(hop, number + 1, origin) }
  }

  /// Returns the entry for a step, or `nil` if the step is not a request, such as a user's answer.
  private func entry(_ hop: Hop, _ number: Int, _ origin: String) -> JSONValue? {
    let words = hop.action.split(separator: " ", maxSplits: 1)
    guard hop.to == .provider, hop.from != .person, words.count == 2, words[1].hasPrefix("/"),
      words[0].utf8.allSatisfy({ (65...90).contains($0) })
    else { return nil }
    // A step from a recording contains the host of its request.
    let recorded = hop.sent.first { $0.name.hasPrefix("entry ") }
    let fields = hop.sent.filter { $0 != recorded }
    let request = request(
      String(words[0]), (recorded?.value ?? origin) + String(words[1]), fields.map { ($0.name, $0.value) })
    let failed = hop.checks.firstFailure.map { "; ✗ \($0.reason)" } ?? ""
    return [
      "startedDateTime": .string(trace.summary.at.iso8601), "time": .integer(0), "request": request,
      "response": response(hop.result), "cache": [:],
      "timings": ["send": .integer(0), "wait": .integer(0), "receive": .integer(0)],
      "comment": .string("step \(number): \(hop.result)\(failed)"),
    ]
  }

  private func request(_ method: String, _ url: String, _ fields: [(name: String, value: String)])
    -> JSONValue
  {
    let isForm = method == "POST"
    let pairs: JSONValue = .array(
      fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    let encoded = FormEncoding.encode(fields.map { NameValue($0.name, $0.value) })
    let request: JSONValue = [
      "method": .string(method), "url": .string(isForm || fields.isEmpty ? url : url + "?" + encoded),
      "httpVersion": "HTTP/1.1", "cookies": [], "headers": [], "queryString": isForm ? [] : pairs,
      "headersSize": .integer(-1), "bodySize": .integer(-1),
    ]
    guard isForm else { return request }
    return request.adding([
      "postData": [
        "mimeType": "application/x-www-form-urlencoded", "params": pairs, "text": .string(encoded),
      ]
    ])
  }

  private func response(_ result: String) -> JSONValue {
    let status = Int(result.prefix { $0.isNumber }) ?? 0
    return [
      "status": .integer(Int64(status)), "statusText": .string(result), "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": [], "content": ["size": .integer(0), "mimeType": ""], "redirectURL": "",
      "headersSize": .integer(-1), "bodySize": .integer(-1),
    ]
  }
}
