import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Responses as Hummingbird sends them, and the ways in which a fault damages one.
extension LabResponder {
  static func response(_ answer: SocketResponse) -> Response {
    Response(
      status: .init(code: answer.http.status), headers: HTTPFields(answer.http.headers),
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.http.body)))
  }

  /// Announces the whole body in `Content-Length` and closes the connection after a part of it.
  static func response(_ answer: SocketResponse, cutAfter bytes: Int, _ channel: any Channel) -> Response {
    let body = answer.http.body
    var response = response(answer)
    response.body = ResponseBody(contentLength: body.count) { writer in
      try await writer.write(ByteBuffer(bytes: body.prefix(bytes)))
      try await channel.close()
      try await writer.finish(nil)
    }
    return response
  }

  /// Closes the connection without a response; the returned value is not sent.
  static func broken(_ channel: any Channel) async -> Response {
    try? await channel.close()
    return Response(status: .serviceUnavailable)
  }

  /// Sends nothing until the client closes the connection or the server stops.
  static func silence(_ channel: any Channel) async {
    await withTaskCancellationHandler {
      try? await channel.closeFuture.get()
    } onCancel: {
      channel.close(promise: nil)
    }
  }
}
