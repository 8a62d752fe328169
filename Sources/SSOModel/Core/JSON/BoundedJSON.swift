import Essentials

extension JSONValue {
  /// Creates a value from untrusted JSON, or returns `nil` if it is too long, nested too deeply, or not valid JSON.
  package init?(bounded data: some DataProtocol, maximumBytes: Int = 65_536, maximumDepth: Int = 16) {
    guard data.count <= maximumBytes,
      let value = try? JSONParser.parse(Data(data), depthLimit: maximumDepth)
    else { return nil }
    self = value
  }
}
