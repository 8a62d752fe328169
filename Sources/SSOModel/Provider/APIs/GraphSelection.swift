import SSOCore

/// The properties that a request to Microsoft Graph selects with `$select` (docs/behaviour/graph.md §2(4)).
struct GraphSelection {
  /// The selected properties as Graph spells them, or `nil` for the usual ones.
  private let names: [String]?

  /// Reads `$select` for an entity set.
  ///
  /// - Throws: `GraphProblem` for a property that the type does not have.
  init(_ request: HTTPRequest, of set: String) throws(GraphProblem) {
    let words = (request.query["$select"] ?? "").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    guard !words.isEmpty else {
      names = nil
      return
    }
    guard let (type, text) = Self.properties[set] else {
      names = words
      return
    }
    let known = text.split(separator: " ").map(String.init)
    var names: [String] = []
    for word in words {
      guard let name = known.first(where: { $0.lowercased() == word.lowercased() }) else {
        throw .propertyUnknown(word, of: type)
      }
      names.append(name)
    }
    self.names = names
  }

  /// The part of `@odata.context` behind the name of the entity set.
  var contextText: String { names.map { "(" + $0.joined(separator: ",") + ")" } ?? "" }

  /// Returns the selected properties of an object; the lab does not have a value for every property of Graph.
  func select(_ object: [String: JSONValue]) -> [String: JSONValue] {
    guard let names else { return object.filter { !Self.onlySelected.contains($0.key) } }
    let annotations = object.filter { $0.key.hasPrefix("@odata") }
    return names.reduce(into: annotations) { $0[$1] = object[$1] ?? .null }
  }

  /// The properties of a user that Graph returns only if they are selected.
  private static let onlySelected: Set = ["accountEnabled", "userType"]

  /// The type of an entity set, and the properties of Microsoft Graph 1.0's reference.
  private static let properties: [String: (type: String, names: String)] = [
    "users": (
      "user",
      """
      aboutMe accountEnabled ageGroup assignedLicenses assignedPlans authorizationInfo birthday businessPhones city \
      companyName consentProvidedForMinor country createdDateTime creationType customSecurityAttributes deletedDateTime \
      department displayName employeeHireDate employeeId employeeLeaveDateTime employeeOrgData employeeType \
      externalUserState externalUserStateChangeDateTime faxNumber givenName hireDate id identities imAddresses interests \
      isManagementRestricted isResourceAccount jobTitle lastPasswordChangeDateTime legalAgeGroupClassification \
      licenseAssignmentStates mail mailboxSettings mailNickname mobilePhone mySite officeLocation \
      onPremisesDistinguishedName onPremisesDomainName onPremisesExtensionAttributes onPremisesImmutableId \
      onPremisesLastSyncDateTime onPremisesProvisioningErrors onPremisesSamAccountName onPremisesSecurityIdentifier \
      onPremisesSyncEnabled onPremisesUserPrincipalName otherMails passwordPolicies passwordProfile pastProjects \
      postalCode preferredDataLocation preferredLanguage preferredName provisionedPlans proxyAddresses responsibilities \
      schools securityIdentifier serviceProvisioningErrors showInAddressList signInActivity \
      signInSessionsValidFromDateTime skills state streetAddress surname usageLocation userPrincipalName userType \
      manager directReports memberOf photo sponsors
      """
    ),
    "groups": (
      "group",
      """
      allowExternalSenders assignedLabels assignedLicenses autoSubscribeNewMembers classification createdDateTime \
      deletedDateTime description displayName expirationDateTime groupTypes hasMembersWithLicenseErrors \
      hideFromAddressLists hideFromOutlookClients id isArchived isAssignableToRole isManagementRestricted \
      isSubscribedByMail licenseProcessingState mail mailEnabled mailNickname membershipRule \
      membershipRuleProcessingState onPremisesDomainName onPremisesLastSyncDateTime onPremisesNetBiosName \
      onPremisesProvisioningErrors onPremisesSamAccountName onPremisesSecurityIdentifier onPremisesSyncEnabled \
      preferredDataLocation preferredLanguage proxyAddresses renewedDateTime resourceBehaviorOptions \
      resourceProvisioningOptions securityEnabled securityIdentifier serviceProvisioningErrors theme uniqueName \
      unseenCount visibility members memberOf owners
      """
    ),
    "organization": (
      "organization",
      """
      assignedPlans businessPhones city country countryLetterCode createdDateTime defaultUsageLocation deletedDateTime \
      displayName id marketingNotificationEmails mobileDeviceManagementAuthority onPremisesLastSyncDateTime \
      onPremisesSyncEnabled partnerTenantType postalCode preferredLanguage privacyProfile provisionedPlans \
      securityComplianceNotificationMails securityComplianceNotificationPhones state street technicalNotificationMails \
      tenantType verifiedDomains
      """
    ),
  ]
}

extension GraphProblem {
  /// A property that the type does not have (mguessan/davmail#488, microsoftgraph/msgraph-beta-sdk-dotnet#563).
  fileprivate static func propertyUnknown(_ name: String, of type: String) -> GraphProblem {
    GraphProblem(
      status: 400, code: "BadRequest",
      displayText:
        "Parsing OData Select and Expand failed: Could not find a property named '\(shortened(name))' on "
        + "type 'microsoft.graph.\(type)'.")
  }
}
