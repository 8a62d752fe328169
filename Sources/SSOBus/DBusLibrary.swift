import Essentials

/// The functions of libdbus that are used here, loaded when a bus is first used so that no other command waits for it.
///
/// Pointers to libdbus objects are used only in this file, ``BusConnection``, and ``BusMessage``. `dbus_bool_t` is 32
/// bits.
struct DBusLibrary: Sendable {
  typealias Object = OpaquePointer
  typealias Text = UnsafePointer<CChar>

  let errorInit: @convention(c) (UnsafeMutableRawPointer) -> Void
  let errorFree: @convention(c) (UnsafeMutableRawPointer) -> Void
  let open: @convention(c) (Text, UnsafeMutableRawPointer) -> Object?
  let close: @convention(c) (Object) -> Void
  let unref: @convention(c) (Object) -> Void
  let register: @convention(c) (Object, UnsafeMutableRawPointer) -> UInt32
  let setExitOnDisconnect: @convention(c) (Object, UInt32) -> Void
  let requestName: @convention(c) (Object, Text, UInt32, UnsafeMutableRawPointer) -> Int32
  let addMatch: @convention(c) (Object, Text, UnsafeMutableRawPointer?) -> Void
  let descriptor: @convention(c) (Object, UnsafeMutablePointer<Int32>) -> UInt32
  let readWrite: @convention(c) (Object, Int32) -> UInt32
  let popMessage: @convention(c) (Object) -> Object?
  let send: @convention(c) (Object, Object, UnsafeMutablePointer<UInt32>?) -> UInt32
  let flush: @convention(c) (Object) -> Void
  let sendAndWait: @convention(c) (Object, Object, Int32, UnsafeMutableRawPointer) -> Object?

  let messageUnref: @convention(c) (Object) -> Void
  let messageType: @convention(c) (Object) -> Int32
  let messageSender: @convention(c) (Object) -> Text?
  let messagePath: @convention(c) (Object) -> Text?
  let messageInterface: @convention(c) (Object) -> Text?
  let messageMember: @convention(c) (Object) -> Text?
  let messageSignature: @convention(c) (Object) -> Text?
  let newCall: @convention(c) (Text?, Text, Text?, Text) -> Object?
  let newReturn: @convention(c) (Object) -> Object?
  let newError: @convention(c) (Object, Text, Text?) -> Object?
  let iterate: @convention(c) (Object, UnsafeMutableRawPointer) -> UInt32
  let iterateNext: @convention(c) (UnsafeMutableRawPointer) -> UInt32
  let argumentType: @convention(c) (UnsafeMutableRawPointer) -> Int32
  let argument: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  let iterateAppend: @convention(c) (Object, UnsafeMutableRawPointer) -> Void
  let append: @convention(c) (UnsafeMutableRawPointer, Int32, UnsafeRawPointer) -> UInt32

  /// - Throws: `BusError` that names the package to install.
  init() throws(BusError) {
    guard let library = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL) else {
      throw .noLibrary(dlerror().map { String(cString: $0) } ?? "libdbus-1.so.3 cannot be loaded.")
    }
    func function<F>(_ name: String) throws(BusError) -> F {
      guard let symbol = dlsym(library, "dbus_" + name) else {
        throw .noLibrary("libdbus-1.so.3 has no function dbus_\(name).")
      }
      return unsafeBitCast(symbol, to: F.self)
    }
    errorInit = try function("error_init")
    errorFree = try function("error_free")
    open = try function("connection_open_private")
    close = try function("connection_close")
    unref = try function("connection_unref")
    register = try function("bus_register")
    setExitOnDisconnect = try function("connection_set_exit_on_disconnect")
    requestName = try function("bus_request_name")
    addMatch = try function("bus_add_match")
    descriptor = try function("connection_get_unix_fd")
    readWrite = try function("connection_read_write")
    popMessage = try function("connection_pop_message")
    send = try function("connection_send")
    flush = try function("connection_flush")
    sendAndWait = try function("connection_send_with_reply_and_block")
    messageUnref = try function("message_unref")
    messageType = try function("message_get_type")
    messageSender = try function("message_get_sender")
    messagePath = try function("message_get_path")
    messageInterface = try function("message_get_interface")
    messageMember = try function("message_get_member")
    messageSignature = try function("message_get_signature")
    newCall = try function("message_new_method_call")
    newReturn = try function("message_new_method_return")
    newError = try function("message_new_error")
    iterate = try function("message_iter_init")
    iterateNext = try function("message_iter_next")
    argumentType = try function("message_iter_get_arg_type")
    argument = try function("message_iter_get_basic")
    iterateAppend = try function("message_iter_init_append")
    append = try function("message_iter_append_basic")
  }

  /// Runs a call that may report an error.
  /// - Returns: the call's result, or the text of the error if the call returned `nil`.
  func reporting<Value>(_ call: (UnsafeMutableRawPointer) -> Value?) -> Result<Value, ErrorText> {
    // A DBusError contains two pointers, flags, and a third pointer.
    let error = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    defer { error.deallocate() }
    errorInit(error)
    defer { errorFree(error) }
    if let value = call(error) { return .success(value) }
    let message = error.load(fromByteOffset: MemoryLayout<Text?>.stride, as: Text?.self)
    return .failure(ErrorText(text: message.map { String(cString: $0) } ?? "no reason given"))
  }

  struct ErrorText: Error {
    var text: String
  }
}
