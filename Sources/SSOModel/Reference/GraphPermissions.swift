import Assets

/// The delegated permissions of Microsoft Graph (github.com/microsoftgraph/microsoft-graph-devx-content,
/// `permissions/new/permissions.json`).
package enum GraphPermissions {
  /// The names in lowercase.
  package static let delegated = Set(
    (Asset("reference/graph-permissions.txt")?.text ?? "").lowercased().split(separator: "\n").map(
      String.init))
}
