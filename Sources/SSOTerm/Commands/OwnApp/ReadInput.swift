import Essentials
import SSOCore
import SSOReading
import SSOTermApp
import SafeText

/// An input that is read piece by piece if it is a log, or entirely if it is a recording, which is JSON.
///
/// A log may be larger than the memory, and may not end until the program that writes it ends.
struct InputPieces {
  enum Content {
    case log(LogReading)
    case recording(Data)
  }

  private static let pieceSize = 1_048_576
  /// The number of pieces between two progress notes on a terminal's stderr.
  private static let noteEvery = 16

  let path: String
  let console: Console

  init(_ path: String, _ console: Console) {
    self.path = path
    self.console = console
  }

  /// Reads the entire input, whose first piece determines what it is.
  func read(_ reader: LogReader) throws -> Content {
    var reader = reader
    var recording: Data?
    var wide: UTF16Pieces?
    let descriptor = path == "-" ? 0 : Essentials.open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor > 0 { close(descriptor) } }
    guard descriptor >= 0 else { throw failure(errno) }
    let size = Self.size(descriptor)
    let showsProgress = !console.quiet && StandardStreams.isTerminal(StandardStreams.error)
    var (total, pieces) = (0, 0)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { piece.deallocate() }
    while recording.map({ $0.count <= HARFile.sizeLimit }) ?? true {
      let count = Essentials.read(descriptor, piece.baseAddress, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      guard count > 0 else { break }
      let part = UnsafeRawBufferPointer(rebasing: piece[..<count])
      if pieces == 0, let tool = Self.unpacker(of: part) { throw compressed(tool) }
      if pieces == 0 { wide = UTF16Pieces(firstPiece: part) }
      func add(_ bytes: UnsafeRawBufferPointer) {
        if pieces == 0, HARFile.isRecording(bytes) { recording = Data() }
        if recording == nil { reader.feed(bytes) } else { recording?.append(contentsOf: bytes) }
      }
      if let text = wide?.text(of: part) { Array(text.utf8).withUnsafeBytes(add) } else { add(part) }
      total += count
      pieces += 1
      if showsProgress, pieces % Self.noteEvery == 0 { showProgress(total, of: size) }
    }
    if showsProgress, pieces >= Self.noteEvery {
      try? StandardStreams.write("\r\u{1B}[K", to: StandardStreams.error)
    }
    return recording.map { .recording($0) } ?? .log(reader.finish())
  }

  private func showProgress(_ total: Int, of size: Int?) {
    let megabytes = total / 1_000_000
    let share = size.map { " of \($0 / 1_000_000) MB, \(total * 100 / max(1, $0)) %" } ?? " MB"
    try? StandardStreams.write("\rread \(megabytes)\(share)", to: StandardStreams.error)
  }

  /// Returns the number of bytes that are left to read, or `nil` for a pipe.
  private static func size(_ descriptor: Int32) -> Int? {
    let here = lseek(descriptor, 0, SEEK_CUR)
    guard here >= 0 else { return nil }
    let end = lseek(descriptor, 0, SEEK_END)
    guard lseek(descriptor, here, SEEK_SET) == here else { return nil }
    return end > here ? Int(end - here) : nil
  }

  /// Returns the command that writes the text of a compressed file, known by its first bytes, or `nil` for any other
  /// file.
  static func unpacker(of piece: UnsafeRawBufferPointer) -> String? {
    let kinds: [([UInt8], String)] = [
      ([0x1F, 0x8B], "gzip -dc"), ([0x50, 0x4B, 0x03, 0x04], "unzip -p"), ([0x42, 0x5A, 0x68], "bzip2 -dc"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz -dc"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc"),
    ]
    return kinds.first { piece.starts(with: $0.0) }?.1
  }

  private func compressed(_ tool: String) -> CommandFailure {
    CommandFailure(
      usage: "\(path) is compressed.", why: "read reads text",
      next: path == "-" ? "\(tool) FILE | ssoterm read -" : "\(tool) \(shellWord(path)) | ssoterm read -")
  }

  private func failure(_ code: Int32) -> CommandFailure {
    CommandFailure(reading: path, SystemError(code: code))
  }
}

extension Data {
  /// The same text in UTF-8 if it begins with a UTF-16 byte order mark, or else the data itself.
  var asUTF8: Data {
    withUnsafeBytes { bytes in
      guard var wide = UTF16Pieces(firstPiece: bytes) else { return self }
      return Data(wide.text(of: bytes).utf8)
    }
  }
}

/// A decoder for UTF-16 text, as PowerShell writes it with `>`, in pieces that may end within a character.
struct UTF16Pieces {
  private let isBigEndian: Bool
  /// The end of the last piece: half of a code unit, or the first of a character's two code units.
  private var rest: [UInt8] = []

  /// Creates a decoder, or returns `nil` if the text is not UTF-16: it has neither a byte order mark, nor a zero in
  /// every second of its first bytes, as Latin letters have.
  init?(firstPiece: UnsafeRawBufferPointer) {
    guard firstPiece.count >= 2 else { return nil }
    switch (firstPiece[0], firstPiece[1]) {
    case (0xFF, 0xFE): isBigEndian = false
    case (0xFE, 0xFF): isBigEndian = true
    default:
      // A piece of a file that is being written may end within a character.
      let pairs = firstPiece.prefix(min(64, firstPiece.count / 2 * 2))
      guard pairs.count >= 8 else { return nil }
      let zeros = (0...1).map { start in
        stride(from: start, to: pairs.count, by: 2).count { pairs[$0] == 0 } * 2
      }
      guard zeros.contains(pairs.count), zeros.contains(0) else { return nil }
      isBigEndian = zeros[0] > 0
    }
  }

  /// Returns the complete characters.
  ///
  /// Invalid ones become U+FFFD.
  mutating func text(of piece: UnsafeRawBufferPointer) -> String {
    let bytes = rest + piece
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    if let last = units.last, 0xD800..<0xDC00 ~= last { units.removeLast() }
    rest = Array(bytes[(units.count * 2)...])
    if units.first == 0xFEFF { units.removeFirst() }
    return String(decoding: units, as: UTF16.self)
  }
}
