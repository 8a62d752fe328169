extension HTTPRequest {
  /// The URL of this request.
  package var url: String {
    origin + path + (query.isEmpty ? "" : "?" + FormEncoding.encode(query))
  }

  /// Returns a field of the body or, if it is not there, of the query; `nil` if the field is missing or empty.
  package func field(_ name: String) -> String? {
    let value = form[name] ?? query[name]
    return value?.isEmpty == true ? nil : value
  }

  /// The first name that occurs twice in the query or twice in the body, or `nil` if there is none.
  package var repeatedField: String? {
    [query, form].lazy.compactMap { fields in
      var seen: Set<String> = []
      return fields.first { !seen.insert($0.name).inserted }?.name
    }.first
  }
}

extension HTTPResponse {
  /// The target of a redirect, from the `Location` header, or `nil` if there is none.
  package var location: String? {
    headers.first { $0.name.lowercased() == "location" }?.value
  }
}
