/// A large value behind one reference.
///
/// A copy of the model retains one reference for each of these values, and not each text and list in them; the code that
/// copies and destroys a model is smaller by as much. A value is copied when it changes while another model has it.
@propertyWrapper
struct Boxed<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The value, in an array of one element, because arrays share their storage until one of them changes.
  private var storage: [Value]

  init(wrappedValue: Value) { storage = [wrappedValue] }

  var wrappedValue: Value {
    get { storage[0] }
    _modify { yield &storage[0] }
  }
}
