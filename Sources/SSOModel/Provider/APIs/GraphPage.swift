/// A page of a Microsoft Graph collection, with the link to the next page (docs/behaviour/graph.md §2(4)).
struct GraphPage {
  /// The number of objects on a page if `$top` does not specify one.
  private static let usual = 100
  private static let sizes = 1...999

  let objects: ArraySlice<[String: JSONValue]>
  /// `@odata.nextLink`, or `nil` on the last page.
  let next: String?

  /// Creates the requested page of the collection `all`, whose objects must have an `id`.
  ///
  /// - Throws: ``GraphProblem`` if the page size or the skip token is not valid.
  init(of all: [[String: JSONValue]], _ request: HTTPRequest) throws(GraphProblem) {
    var size = Self.usual
    if let top = request.query["$top"] {
      guard let number = Int(top), Self.sizes.contains(number) else { throw .pageSize(top) }
      size = number
    }
    var start = 0
    if let token = request.query["$skiptoken"] {
      guard let id = Base64URL.decode(token),
        let last = all.firstIndex(where: { $0["id"]?.string.map { Array($0.utf8) } == id })
      else { throw .expiredPage }
      start = last + 1
    }
    objects = all[start...].prefix(size)
    next = objects.endIndex < all.count ? Self.link(behind: objects.last?["id"]?.string ?? "", request) : nil
  }

  /// Returns the same request for the page that starts after an object.
  private static func link(behind id: String, _ request: HTTPRequest) -> String {
    let kept = request.query.filter { $0.name != "$skiptoken" }
    let query = FormEncoding.encode(kept + [NameValue("$skiptoken", Base64URL.encode(Array(id.utf8)))])
    return "\(request.origin)\(request.path)?\(query.replacing("%24", with: "$"))"
  }
}

/// An error that Microsoft Graph returns.
struct GraphProblem: Error {
  let status: Int
  let code: String
  let words: String

  /// A user or group that does not exist.
  static func missing(_ name: String) -> GraphProblem {
    GraphProblem(
      status: 404, code: "Request_ResourceNotFound",
      words:
        "Resource '\(name)' does not exist or one of its queried reference-property objects are not present."
    )
  }

  static func pageSize(_ size: String) -> GraphProblem {
    GraphProblem(
      status: 400, code: "Request_UnsupportedQuery",
      words: "Invalid page size specified: '\(size)'. Must be between 1 and 999 inclusive.")
  }

  static let expiredPage = GraphProblem(
    status: 400, code: "Directory_ExpiredPageToken",
    words: "The specified page token value has expired and can no longer be included in your request.")
}
