import Essentials

/// One person for whom Intune protects an app, as the Intune SDK leaves it in the app's defaults (docs/behaviour/broker.md §11).
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

  /// Adds an enrolment, or replaces the one of the same account.
  package func enroll(_ enrollment: IntuneEnrollment) throws {
    let others = try enrollments().filter { $0.homeAccountID != enrollment.homeAccountID }
    try documents.write(["enrollment_ids": others + [enrollment]], .appDefaults, documentKey)
  }

  func enrollmentID(homeAccountID: String) throws -> String? {
    try enrollments().first { normalized($0.homeAccountID) == normalized(homeAccountID) }?.enrollmentID
  }

  /// All the app keeps in its defaults.
  package func clear() throws {
    try setResumeState(nil)
    try documents.delete(.appDefaults, documentKey)
  }

  /// The parameter `intune_enrollment_ids`: the JSON of the default; nil if there is none.
  func enrollmentsParameter() throws -> String? {
    let enrollments = try enrollments()
    guard !enrollments.isEmpty else { return nil }
    return String(decoding: try encodeJSON(["enrollment_ids": enrollments]), as: UTF8.self)
  }

  /// The enrolment ID of one person in that parameter.
  static func enrollmentID(in parameter: String?, homeAccountID: String) -> String? {
    guard let list = parameter.flatMap({ JSONValue(bounded: Array($0.utf8)) })?["enrollment_ids"]?.array
    else {
      return nil
    }
    return list.first { $0["home_account_id"]?.string?.lowercased() == homeAccountID.lowercased() }?[
      "enrollment_id"]?.string
  }
}
