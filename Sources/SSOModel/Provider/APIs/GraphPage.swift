/// One page of a collection of Microsoft Graph, and the link to the next (docs/behaviour/graph.md §2(4)).
struct GraphPage {
  /// Objects on a page, unless `$top` says how many.
  private static let usual = 100
  private static let sizes = 1...999

  let objects: ArraySlice<[String: JSONValue]>
  /// `@odata.nextLink`; nil on the last page.
  let next: String?

  /// Cuts the requested page out of `all`, the collection, each object with its `id`.
  /// - Throws: ``GraphProblem`` for a page that there cannot be.
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

  /// The same request, behind an object.
  private static func link(behind id: String, _ request: HTTPRequest) -> String {
    let kept = request.query.filter { $0.name != "$skiptoken" }
    let query = FormEncoding.encode(kept + [NameValue("$skiptoken", Base64URL.encode(Array(id.utf8)))])
    return "\(request.origin)\(request.path)?\(query.replacing("%24", with: "$"))"
  }
}

/// What Graph refuses.
struct GraphProblem: Error {
  let status: Int
  let code: String
  let words: String

  /// A person or group that is not there.
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
