/// An element of an XML document with what is in it, and the line at which it begins.
struct XMLElement: Hashable {
  struct Attribute: Hashable {
    /// As written, prefix included: `android:scheme`.
    var name: String
    var value: String
    var line: Int?
  }

  var name: String
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The text directly in it.
  var text = ""
  var line: Int?

  subscript(attribute: String) -> Attribute? { attributes.first { $0.name == attribute } }

  func elements(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
