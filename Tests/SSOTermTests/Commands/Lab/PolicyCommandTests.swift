import Testing

/// Sessions with `ssoterm policy`.
@Suite struct PolicyCommandTests {
  @Test func aPolicyIsAddedListedChangedAndRemoved() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm policy add Compliance --require compliantDevice
      ✓ Policy “Compliance”: a compliant device.
      $ ssoterm policy list
      policies  Compliance: a compliant device
      device    not managed
                not registered
      $ ssoterm policy show Compliance
      name         Compliance       fixed
      requires     compliantDevice  registeredDevice, compliantDevice, approvedApp, appProtection, certificate, mfa, allowedExecutable, block, signInFrequency, joinedDevice, managedDevice, externalControl, tokenProtection, supportedPlatform, deviceAuthentication, securityDefaults
      tenantID     -
      username     -
      clientID     -
      flow         -                deviceCode
      hours        -
      executables  -
      $ ssoterm silent mytestapp1 --force-refresh
      ! ssoterm: The app needs sign-in (MSALErrorDomain -50002, invalid_grant, additional_action): the check “policy “Compliance”: compliant device” failed: expected a registered device that device management reports as compliant, found no device ID: only the broker sends one.
      !   try: ssoterm signin mytestapp1
      [4]
      $ ssoterm policy set Compliance requires=mfa
      ✓ Compliance: requires=mfa. Nothing else changes.
      $ ssoterm policy list --json
      {
        "isCompliant" : null,
        "policies" : [
          {
            "client" : null,
            "executables" : null,
            "flow" : null,
            "hours" : null,
            "name" : "Compliance",
            "person" : null,
            "requires" : "mfa",
            "tenant" : null
          }
        ],
        "registrations" : [

        ],
        "version" : 1
      }
      $ ssoterm policy remove Compliance
      ✓ Policy “Compliance” is removed.
      $ ssoterm policy remove Compliance
      ! ssoterm: There is no policy “Compliance”: this lab does not have any.
      !   try: ssoterm policy list
      [3]
      $ ssoterm policy add Wrong --require luck
      ! ssoterm: --require must be one of block, … (16 in all), not “luck”.
      !   try: ssoterm policy add Wrong --require registeredDevice
      !    or: ssoterm policy add --help
      [2]
      """)
  }
}
