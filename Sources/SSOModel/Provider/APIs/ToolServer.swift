import Essentials
import SSOCore

/// The API of an app registration as a server of the Model Context Protocol, which clients call by `POST` after their
/// sign-in (Model Context Protocol 2025-06-18, "Lifecycle", "Streamable HTTP", "Tools").
///
/// It has one tool, which returns the claims of the access token. It does not keep a session, and sends only responses.
struct ToolServer {
  /// The claims of the accepted access token.
  let claims: [String: JSONValue]
  /// The name of the registration.
  let name: String

  /// The newest first.
  static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]

  /// Returns the response to a message, or `nil` if the body is not a JSON-RPC message.
  func respond(to body: Data) -> HTTPResponse? {
    guard let message = JSONValue(bounded: body)?.object, message["jsonrpc"] == "2.0",
      let method = message["method"]?.string
    else { return nil }
    // A message without an ID is a notification, which does not get a response.
    guard let id = message["id"] else { return HTTPResponse(202) }
    var answer: [String: JSONValue] = ["jsonrpc": "2.0", "id": id]
    if let result = result(of: method, message["params"]?.object ?? [:]) {
      answer["result"] = result
    } else {
      answer["error"] = [
        "code": .integer(-32601), "message": .string("Method not found: \(shortened(method))"),
      ]
    }
    return .json(200, .object(answer))
  }

  private func result(of method: String, _ parameters: [String: JSONValue]) -> JSONValue? {
    switch method {
    case "initialize":
      let asked = parameters["protocolVersion"]?.string ?? ""
      return [
        "protocolVersion": .string(Self.versions.contains(asked) ? asked : Self.versions[0]),
        "capabilities": ["tools": [:]], "serverInfo": ["name": .string(name), "version": "1"],
      ]
    case "ping": return [:]
    case "tools/list":
      return [
        "tools": [
          [
            "name": .string(Self.tool), "description": "Returns the claims of the access token.",
            "inputSchema": ["type": "object"],
          ]
        ]
      ]
    case "tools/call" where parameters["name"]?.string == Self.tool:
      let text = String(decoding: JSONValue.object(claims).bytes(.wire), as: UTF8.self)
      return ["content": [["type": "text", "text": .string(text)]], "isError": .bool(false)]
    default: return nil
    }
  }

  private static let tool = "who_am_i"
}
