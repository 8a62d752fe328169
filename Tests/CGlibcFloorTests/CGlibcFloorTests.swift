#if canImport(Glibc)
  import CGlibcFloor
  import Glibc
  import Testing

  @Suite("Functions that glibc 2.34 lacks") struct CGlibcFloorTests {
    private typealias Lookup = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32

    @Test func findTheFramesThatGlibcFinds() throws {
      let libc = try #require(dlopen("libc.so.6", RTLD_NOW))
      let libm = try #require(dlopen("libm.so.6", RTLD_NOW))
      let heap = try #require(malloc(1))
      defer { free(heap) }
      let code = try #require(dlsym(libc, "qsort"))
      let data = try #require(dlsym(libc, "stdout"))
      let other = try #require(dlsym(libm, "sin"))
      #expect(gf_frames(code) == gf_frames(data))
      #expect(gf_frames(code) != gf_frames(other))
      #expect(gf_frames(heap) == nil)

      let theirs = dlsym(libc, "_dl_find_object").map { unsafeBitCast($0, to: Lookup.self) }
      guard let theirs else { return }  // glibc before 2.35
      for address in [code, data, other, heap] {
        // The fields of struct dl_find_object are flags, start, end, link map, frames, and some more.
        var result = [UnsafeMutableRawPointer?](repeating: nil, count: 16)
        let status = result.withUnsafeMutableBytes { theirs(address, $0.baseAddress ?? heap) }
        #expect((status == 0 ? result[4] : nil) == gf_frames(address))
      }
    }

    @Test func hypotenusesAreThoseOfGlibc() {
      let values: [Float] = [
        0, -0.0, 1, -3, 4, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-30, 123.456, .infinity,
        -.infinity, .nan,
      ]
      for x in values {
        for y in values {
          let own = gf_hypotf(x, y)
          let theirs = Float(hypot(Double(x), Double(y)))
          #expect(own == theirs || own.isNaN && theirs.isNaN, "\(x), \(y)")
        }
      }
    }
  }
#endif
