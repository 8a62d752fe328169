/// The JSON keys of a credential that this version knows (docs/behaviour/msal-cache.md §2).
package enum CredentialField: String, CaseIterable, Sendable {
  case credentialType = "credential_type"
  case clientID = "client_id"
  case secret
  case homeAccountID = "home_account_id"
  case environment
  case realm
  case target
  case expiresOn = "expires_on"
  case extendedExpiresOn = "extended_expires_on"
  case refreshOn = "refresh_on"
  case cachedAt = "cached_at"
  case familyID = "family_id"
  case enrollmentID = "enrollment_id"
  case speInfo = "spe_info"
  case applicationCacheIdentifier = "application_cache_identifier"
  case tokenType = "token_type"
  case keyID = "kid"
  case requestedClaims = "requested_claims"
  case redirectURI = "redirect_uri"
  case expiresIn = "expires_in"
  case recoveryAttemptedAt = "recovery_attempted_at"
  case recoveryAttemptCount = "recovery_attempt_count"
  case lastRecoveryAttemptFailed = "last_recovery_attempt_failed"
  case lastModificationTime = "last_modification_time"
  case lastModificationApp = "last_modification_app"
  case sessionKey = "session_key"
  case deviceID = "device_id"
  case prtProtocolVersion = "prt_protocol_version"
  case externalKeyType = "external_key_type"
  case boundDeviceID = "bound_device_id"
}

/// The JSON keys of an account that this version knows (docs/behaviour/msal-cache.md §3).
package enum AccountField: String, CaseIterable, Sendable {
  case authorityType = "authority_type"
  case homeAccountID = "home_account_id"
  case localAccountID = "local_account_id"
  case username
  case givenName = "given_name"
  case middleName = "middle_name"
  case familyName = "family_name"
  case name
  case environment
  case realm
  case clientInfo = "client_info"
  case alternativeAccountID = "alternative_account_id"
  case lastModificationTime = "last_modification_time"
  case lastModificationApp = "last_modification_app"
}
