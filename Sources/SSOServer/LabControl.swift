import Essentials
import NIOHTTP1
import SSOCore

/// The control interface of a server, with which tests in another container or on another host prepare the lab.
///
/// A request is `POST /lab/control` with `Authorization: Bearer TOKEN` and a JSON body `{"command": ["clock", "+1h"]}`.
/// The response has `exitStatus` and `output`, the JSON document that the command prints.
package struct LabControl: Sendable {
  /// The result of a command.
  package struct Result: Sendable {
    /// The exit status, or `nil` if the command was not run.
    var exitStatus: Int?
    /// The JSON document that the command printed, or the error if it was not run.
    var output: Data

    package init(exitStatus: Int, output: Data) {
      self.exitStatus = exitStatus
      self.output = output
    }

    /// Creates the result of a command that was not run.
    package static func refused(_ error: JSONValue) -> Result {
      var result = Result(exitStatus: 0, output: JSONValue.object(["error": error]).bytes(.wire))
      result.exitStatus = nil
      return result
    }
  }

  static let path = "/lab/control"
  /// The minimum length of a token, in characters.
  package static let shortestToken = 16

  private let token: String
  private let run: @Sendable ([String]) -> Result

  /// Creates the interface; `run` may block.
  package init(token: String, run: @escaping @Sendable ([String]) -> Result) {
    self.token = token
    self.run = run
  }

  func respond(to head: HTTPRequestHead, body: Data) async -> SocketResponse {
    // A page of a browser cannot leave out its origin.
    guard head.headers["origin"].isEmpty else { return .refused(403, "A page cannot control the lab.") }
    // Compare the digests, so that the time does not depend on how much of the token is right.
    let authorization = head.headers.first(name: "authorization") ?? ""
    guard sha256Hex(authorization) == sha256Hex("Bearer " + token) else {
      var answer = SocketResponse.refused(
        401, "The control interface needs the token of SSOTERM_CONTROL_TOKEN.")
      answer.http.headers.append(NameValue("WWW-Authenticate", "Bearer"))
      return answer
    }
    guard head.method == .POST else { return .refused(405, "The control interface accepts only POST.") }
    guard let words = JSONValue(bounded: body)?["command"]?.array?.map(\.string), !words.isEmpty,
      !words.contains(nil)
    else { return .refused(400, #"Expected {"command": ["clock", "+1h"]}."#) }
    let result = await onThread(words.compactMap(\.self))
    let output = JSONValue(bounded: result.output, maximumBytes: 64 << 20) ?? .null
    let document: JSONValue = [
      "exitStatus": result.exitStatus.map { .integer(Int64($0)) } ?? .null, "output": output,
    ]
    return .json(result.exitStatus == nil ? 403 : 200, document, result: words[0] ?? "")
  }

  private func onThread(_ words: [String]) async -> Result {
    await withCheckedContinuation { continuation in
      detachThread { continuation.resume(returning: run(words)) }
    }
  }
}
