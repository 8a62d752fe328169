/// The requests of a trace as a recording, HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), as browsers write it.
///
/// What is in it is masked already, and a trace keeps no bodies of answers. `ssoterm read` takes it, as other readers of recordings do.
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

  /// What the provider says of itself, else the public cloud's host.
  private var origin: String {
    let endpoint = trace.hops.lazy.flatMap(\.sent).first { $0.name == "authorization_endpoint" }?.value
    return endpoint.flatMap { URLParts($0)?.origin } ?? "https://" + PublicCloud.preferredNetwork
  }

  /// A call that the cache answered, or that was refused before it asked the provider.
  var isEmpty: Bool { entries.isEmpty }

  private var entries: [JSONValue] {
    let origin = origin
    return trace.hops.enumerated().compactMap { number, hop in entry(hop, number + 1, origin) }
  }

  /// Nil: the step is no request, such as a person's answer.
  private func entry(_ hop: Hop, _ number: Int, _ origin: String) -> JSONValue? {
    let words = hop.action.split(separator: " ", maxSplits: 1)
    guard hop.to == .provider, hop.from != .person, words.count == 2, words[1].hasPrefix("/"),
      words[0].utf8.allSatisfy({ (65...90).contains($0) })
    else { return nil }
    // A step of a recording names the host that it went to.
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
