#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A search for a run of bytes, which scans for one of them with the C library and then compares the rest.
///
/// `memmem` would be simpler, but the Glibc module does not export it.
package enum ByteSearch {
  /// Returns the first offset of `wanted` at or after `start`, or `nil` if it does not occur or is empty.
  package static func offset(
    of wanted: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer, from start: Int = 0
  ) -> Int? {
    guard let base = bytes.baseAddress, let pin = wanted.baseAddress, !wanted.isEmpty, start >= 0 else {
      return nil
    }
    // Capitals and punctuation are rarer than lowercase letters, so fewer places have to be compared.
    let anchor =
      wanted.firstIndex { !($0 == 0x20 || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)) } ?? 0
    var position = start + anchor
    let end = bytes.count - wanted.count + anchor
    while position <= end, let hit = memchr(base + position, Int32(wanted[anchor]), end - position + 1) {
      let place = UnsafeRawPointer(hit) - base
      if memcmp(base + place - anchor, pin, wanted.count) == 0 { return place - anchor }
      position = place + 1
    }
    return nil
  }
}
