#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A search for a run of bytes, which scans for the first byte with the C library and then compares the rest.
///
/// `memmem` would be simpler, but the Glibc module does not export it.
enum ByteSearch {
  /// Returns the first offset of `needle` in `hay` at or after `start`.
  static func offset(
    of needle: UnsafeRawBufferPointer, in hay: UnsafeRawBufferPointer, from start: Int = 0
  ) -> Int? {
    guard let base = hay.baseAddress, let pin = needle.baseAddress else { return nil }
    let first = Int32(needle[0])
    let last = hay.count - needle.count
    var position = start
    while position <= last {
      guard let hit = memchr(base + position, first, last - position + 1) else { return nil }
      if memcmp(hit, pin, needle.count) == 0 { return UnsafeRawPointer(hit) - base }
      position = UnsafeRawPointer(hit) - base + 1
    }
    return nil
  }
}
