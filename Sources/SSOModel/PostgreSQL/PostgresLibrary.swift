import Essentials
import SSOStore

/// The functions of libpq, which is loaded when a server is first used, so that other commands do not wait for
/// it.
///
/// Pointers to its objects stay in this folder (https://www.postgresql.org/docs/current/libpq.html).
struct PostgresLibrary: Sendable {
  typealias Object = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>

  let connect: @convention(c) (Texts, Texts, Int32) -> Object?
  let finish: @convention(c) (Object) -> Void
  let user: @convention(c) (Object) -> Text?
  let status: @convention(c) (Object) -> Int32
  let errorMessage: @convention(c) (Object) -> Text?
  let socket: @convention(c) (Object) -> Int32
  let serverVersion: @convention(c) (Object) -> Int32
  let setNonBlocking: @convention(c) (Object, Int32) -> Int32
  let setNoticeReceiver:
    @convention(c) (
      Object, @convention(c) (UnsafeMutableRawPointer?, Object?) -> Void, UnsafeMutableRawPointer?
    ) ->
      UnsafeRawPointer?

  let sendQuery: @convention(c) (Object, Text) -> Int32
  let sendParameters:
    @convention(c) (
      Object, Text, Int32, UnsafePointer<UInt32>?, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
    ) -> Int32
  let sendPrepare: @convention(c) (Object, Text, Text, Int32, UnsafePointer<UInt32>?) -> Int32
  let sendPrepared:
    @convention(c) (Object, Text, Int32, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32) -> Int32
  let flush: @convention(c) (Object) -> Int32
  let consumeInput: @convention(c) (Object) -> Int32
  let isBusy: @convention(c) (Object) -> Int32
  let result: @convention(c) (Object) -> Object?
  let notification: @convention(c) (Object) -> UnsafeMutableRawPointer?
  let freeMemory: @convention(c) (UnsafeMutableRawPointer) -> Void

  let clear: @convention(c) (Object) -> Void
  let resultStatus: @convention(c) (Object) -> Int32
  let resultError: @convention(c) (Object) -> Text?
  let resultField: @convention(c) (Object, Int32) -> Text?
  let commandStatus: @convention(c) (Object) -> Text?
  let changedRows: @convention(c) (Object) -> Text?
  let rowCount: @convention(c) (Object) -> Int32
  let isNull: @convention(c) (Object, Int32, Int32) -> Int32
  let value: @convention(c) (Object, Int32, Int32) -> Text?
  let length: @convention(c) (Object, Int32, Int32) -> Int32
  let type: @convention(c) (Object, Int32) -> UInt32
  let columnName: @convention(c) (Object, Int32) -> Text?

  #if canImport(Darwin)
    private static let names = [
      "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
    ]
  #else
    private static let names = ["libpq.so.5"]
  #endif

  /// Loads the library.
  ///
  /// - Throws: `noLibrary`, with the package's name.
  init() throws(PostgresError) {
    guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      throw .noLibrary(dlerror().map { String(cString: $0) } ?? "libpq.so.5 cannot be loaded.")
    }
    func function<F>(_ name: String) throws(PostgresError) -> F {
      guard let symbol = dlsym(library, "PQ" + name) else {
        throw .noLibrary("libpq.so.5 has no function PQ\(name).")
      }
      return unsafeBitCast(symbol, to: F.self)
    }
    connect = try function("connectdbParams")
    finish = try function("finish")
    user = try function("user")
    status = try function("status")
    errorMessage = try function("errorMessage")
    socket = try function("socket")
    serverVersion = try function("serverVersion")
    setNonBlocking = try function("setnonblocking")
    setNoticeReceiver = try function("setNoticeReceiver")
    sendQuery = try function("sendQuery")
    sendParameters = try function("sendQueryParams")
    sendPrepare = try function("sendPrepare")
    sendPrepared = try function("sendQueryPrepared")
    flush = try function("flush")
    consumeInput = try function("consumeInput")
    isBusy = try function("isBusy")
    result = try function("getResult")
    notification = try function("notifies")
    freeMemory = try function("freemem")
    clear = try function("clear")
    resultStatus = try function("resultStatus")
    resultError = try function("resultErrorMessage")
    resultField = try function("resultErrorField")
    commandStatus = try function("cmdStatus")
    changedRows = try function("cmdTuples")
    rowCount = try function("ntuples")
    isNull = try function("getisnull")
    value = try function("getvalue")
    length = try function("getlength")
    type = try function("ftype")
    columnName = try function("fname")
  }
}
