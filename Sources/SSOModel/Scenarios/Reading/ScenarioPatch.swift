/// A type that applies one scenario to another.
///
/// Keys of the child replace the parent's. `patch:` changes individual keys of elements in the parent's world (a map,
/// by name; a name without a value removes the element) or adds entire elements (a list).
///
/// It works on trees, so that a value keeps the file and line at which it was written, and errors specify the correct
/// file.
struct ScenarioPatch {
  /// The key that identifies an element of each list that can be patched.
  private static let identities = [
    "tenants": "id", "people": "username", "registrations": "clientID", "apps": "bundleID",
    "brokerAccounts": "person", "policies": "name", "programs": "name",
  ]

  static func lay(_ child: ScenarioTree, over parent: ScenarioTree) throws(ScenarioError) -> ScenarioTree {
    guard case .map(let entries) = child.value else { return child }
    var merged = parent
    for entry in entries where !["inherit", "patch"].contains(entry.key) { merged = merged.setting(entry) }
    merged.place = child.place
    guard let patch = child["patch"] else { return merged }
    let allowed = identities.keys.sorted() + ["broker", "device"]
    let kinds = try ScenarioFields(patch, named: "patch", allowed: allowed)
    guard var world = merged["world"] else { return merged }
    for kind in allowed {
      guard let changes = kinds[kind] else { continue }
      let empty = ScenarioTree(value: identities[kind] == nil ? .map([]) : .list([]), place: changes.place)
      let after = try patched(world[kind] ?? empty, with: changes, kind: kind)
      world = world.setting(ScenarioTree.Entry(key: kind, keyPlace: changes.place, value: after))
    }
    return merged.setting(ScenarioTree.Entry(key: "world", keyPlace: world.place, value: world))
  }

  private static func patched(
    _ before: ScenarioTree, with changes: ScenarioTree, kind: String
  ) throws(ScenarioError) -> ScenarioTree {
    if identities[kind] != nil, case .list(let added) = changes.value, case .list(let elements) = before.value
    {
      return ScenarioTree(value: .list(elements + added), place: before.place)
    }
    guard case .map(let entries) = changes.value else {
      throw changes.wrongType(kind, wanted: "a map with keys")
    }
    guard let identity = identities[kind], case .list(var elements) = before.value else {
      return entries.reduce(before) { $0.setting($1) }
    }
    let names = elements.map { element in element.scalar(under: identity) ?? "" }
    var removed: Set<Int> = []
    for entry in entries {
      guard let index = names.firstIndex(of: entry.key) else {
        throw entry.keyPlace.error(
          entry.key, "is not among the \(kind) to patch", found: entry.key, among: names)
      }
      if case .null = entry.value.value {
        removed.insert(index)
        continue
      }
      guard case .map(let values) = entry.value.value else {
        throw entry.value.wrongType(entry.key, wanted: "a map with keys")
      }
      elements[index] = values.reduce(elements[index]) { $0.setting($1) }
    }
    let kept = elements.indices.filter { !removed.contains($0) }.map { elements[$0] }
    return ScenarioTree(value: .list(kept), place: before.place)
  }
}

extension ScenarioTree {
  fileprivate func scalar(under key: String) -> String? {
    guard case .scalar(let text, _)? = self[key]?.value else { return nil }
    return text
  }
}
