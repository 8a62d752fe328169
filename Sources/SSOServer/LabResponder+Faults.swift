import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import SSOCore

/// How an answer leaves, and how a fault keeps it from arriving.
extension LabResponder {
  static func response(_ answer: SocketAnswer) -> Response {
    Response(
      status: .init(code: answer.http.status), headers: HTTPFields(answer.http.headers),
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.http.body)))
  }

  /// Promises the whole body and ends the connection after a part of it.
  static func response(_ answer: SocketAnswer, cutAfter bytes: Int, _ channel: any Channel) -> Response {
    let body = answer.http.body
    var response = response(answer)
    response.body = ResponseBody(contentLength: body.count) { writer in
      try await writer.write(ByteBuffer(bytes: body.prefix(bytes)))
      try await channel.close()
      try await writer.finish(nil)
    }
    return response
  }

  /// The connection ends without a word; what is returned goes nowhere.
  static func broken(_ channel: any Channel) async -> Response {
    try? await channel.close()
    return Response(status: .serviceUnavailable)
  }

  /// Says nothing until the client hangs up, or the server ends.
  static func silence(_ channel: any Channel) async {
    await withTaskCancellationHandler {
      try? await channel.closeFuture.get()
    } onCancel: {
      channel.close(promise: nil)
    }
  }
}
