import FuzzReaders

/// The function that libFuzzer calls with each input.
///
/// The environment specifies the reader (see `Scripts/fuzz`).
@_cdecl("LLVMFuzzerTestOneInput")
package func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen.read(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

private let chosen = FuzzReader.named
