import Essentials

extension JSONValue {
  /// Reads untrusted JSON: nil if it is longer or nested deeper than allowed, or not JSON.
  package init?(bounded data: some DataProtocol, maximumBytes: Int = 65_536, maximumDepth: Int = 16) {
    guard data.count <= maximumBytes,
      let value = try? JSONParser.parse(Data(data), depthLimit: maximumDepth)
    else { return nil }
    self = value
  }
}
