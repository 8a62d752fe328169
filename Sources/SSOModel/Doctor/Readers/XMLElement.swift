/// An element of an XML document with its contents, and the line at which it begins.
struct XMLElement: Hashable {
  struct Attribute: Hashable {
    /// The name as written, including the prefix, such as `android:scheme`.
    var name: String
    var value: String
    var line: Int?
  }

  var name: String
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The text directly inside the element.
  var text = ""
  var line: Int?

  subscript(attribute: String) -> Attribute? { attributes.first { $0.name == attribute } }

  func elements(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
