extension HTTPRequest {
  /// The URL this request is for.
  package var url: String {
    origin + path + (query.isEmpty ? "" : "?" + FormEncoding.encode(query))
  }

  /// A field of the body, or else of the query; empty counts as missing.
  package func field(_ name: String) -> String? {
    let value = form[name] ?? query[name]
    return value?.isEmpty == true ? nil : value
  }

  /// The first name that occurs twice in the query, or twice in the body.
  package var repeatedField: String? {
    [query, form].lazy.compactMap { fields in
      var seen: Set<String> = []
      return fields.first { !seen.insert($0.name).inserted }?.name
    }.first
  }
}

extension HTTPResponse {
  /// Where a redirect leads.
  package var location: String? {
    headers.first { $0.name.lowercased() == "location" }?.value
  }
}
