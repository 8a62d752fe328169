import Essentials

/// A user whose data Intune protects in an app, as the Intune SDK stores it in the app's defaults.
///
/// See docs/behaviour/broker.md §11.
package struct IntuneEnrollment: Codable, Hashable {
  var tenantID: String
  var objectID: String
  var homeAccountID: String
  var userID: String
  var enrollmentID: String

  package init(
    tenantID: String, objectID: String, homeAccountID: String, userID: String, enrollmentID: String
  ) {
    self.tenantID = tenantID
    self.objectID = objectID
    self.homeAccountID = homeAccountID
    self.userID = userID
    self.enrollmentID = enrollmentID
  }

  private enum CodingKeys: String, CodingKey {
    case tenantID = "tid"
    case objectID = "oid"
    case homeAccountID = "home_account_id"
    case userID = "user_id"
    case enrollmentID = "enrollment_id"
  }
}

extension AppDefaults {
  private static let intuneKey = "intune_app_protection_enrollment_id_V1"
  private var documentKey: String { key + "/" + Self.intuneKey }

  func enrollments() throws -> [IntuneEnrollment] {
    try documents.read([String: [IntuneEnrollment]].self, .appDefaults, documentKey)?["enrollment_ids"] ?? []
  }

  /// Adds an enrollment, or replaces the enrollment of the same account.
  package func enroll(_ enrollment: IntuneEnrollment) throws {
    let others = try enrollments().filter { $0.homeAccountID != enrollment.homeAccountID }
    try documents.write(["enrollment_ids": others + [enrollment]], .appDefaults, documentKey)
  }

  func enrollmentID(homeAccountID: String) throws -> String? {
    try enrollments().first { normalized($0.homeAccountID) == normalized(homeAccountID) }?.enrollmentID
  }

  /// Removes everything that the app stores in its defaults.
  package func clear() throws {
    try setResumeState(nil)
    try documents.delete(.appDefaults, documentKey)
  }

  /// Returns the parameter `intune_enrollment_ids`, the JSON of the default, or `nil` if there are no enrollments.
  func enrollmentsParameter() throws -> String? {
    let enrollments = try enrollments()
    guard !enrollments.isEmpty else { return nil }
    return String(decoding: try encodeJSON(["enrollment_ids": enrollments]), as: UTF8.self)
  }

  /// Returns one user's enrollment ID in that parameter, or `nil` if there is none.
  static func enrollmentID(in parameter: String?, homeAccountID: String) -> String? {
    guard let list = parameter.flatMap({ JSONValue(bounded: Array($0.utf8)) })?["enrollment_ids"]?.array
    else {
      return nil
    }
    return list.first { $0["home_account_id"]?.string?.lowercased() == homeAccountID.lowercased() }?[
      "enrollment_id"]?.string
  }
}
