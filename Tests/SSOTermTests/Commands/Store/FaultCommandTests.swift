import Testing

/// Sessions with `ssoterm fault`.
@Suite struct FaultCommandTests {
  @Test func aFaultIsAddedListedMetAndCleared() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm fault add token 503 --times 2
      ✓ The provider answers token: 503, 2 more.
      $ ssoterm fault add token invalid_grant:bad_token --client 'Contoso Suite'
      ✓ The provider answers token: invalid_grant:bad_token, client b6c69a37-df96-4db0-9088-2ab96e1d8215.
      $ ssoterm fault list
      ENDPOINT\tKIND\tCLIENT\tLEFT
      token\t503\tany\t2
      token\tinvalid_grant:bad_token\tb6c69a37-df96-4db0-9088-2ab96e1d8215\tuntil cleared
      $ ssoterm silent mytestapp1 --force-refresh
      ! ssoterm: service unavailable (MSALErrorDomain -50000, -42007): a fault is set: expected none, found token: 503, 1 more.
      !   try: ssoterm trace show 4
      [7]
      $ ssoterm fault list --json
      {
        "faults" : [
          {
            "clientID" : "b6c69a37-df96-4db0-9088-2ab96e1d8215",
            "endpoint" : "token",
            "kind" : "invalid_grant:bad_token",
            "remaining" : null
          }
        ],
        "version" : 1
      }
      $ ssoterm fault clear 1
      ✓ Cleared: token: invalid_grant:bad_token, client b6c69a37-df96-4db0-9088-2ab96e1d8215.
      $ ssoterm fault clear 9
      ! ssoterm: There is no fault 9: no fault is set.
      !   try: ssoterm fault list
      [3]
      $ ssoterm fault clear
      ✓ 0 faults are cleared.
      $ ssoterm fault list
      No faults are set.
      $ ssoterm fault add token 999
      ! ssoterm: There is no fault “999”: expected one of 19 kinds.
      !   try: ssoterm fault add token 503
      [2]
      $ ssoterm fault add nowhere 503
      ! ssoterm: There is no endpoint “nowhere”: expected one of 27 endpoints, such as token.
      !   try: ssoterm fault add token 503
      [2]
      $ ssoterm fault add token 503 --client nobody
      ✓ The provider answers token: 503, client nobody.
      """)
  }

  /// The error has the choices, and a command that works.
  @Test func anUnknownFaultIsAnsweredWithTheChoices() throws {
    try transcript(
      """
      $ ssoterm fault add token banana
      ! ssoterm: There is no fault “banana”: expected one of 19 kinds.
      !   try: ssoterm fault add token 503
      [2]
      $ ssoterm fault add tokn 503
      ! ssoterm: There is no endpoint “tokn”: expected one of token, … (27 in all).
      !   try: ssoterm fault add token 503
      [2]
      $ ssoterm fault add banana
      ! ssoterm: There is no endpoint “banana”: expected one of 27 endpoints, such as token.
      !   try: ssoterm fault add token 503:2
      [2]
      $ ssoterm fault add banana 503
      ! ssoterm: There is no endpoint “banana”: expected one of 27 endpoints, such as token.
      !   try: ssoterm fault add token 503
      [2]
      $ ssoterm fault add broker:getAccounts banana
      ! ssoterm: There is no fault “banana”: expected one of 19 kinds.
      !   try: ssoterm fault add broker:getAccounts 2
      [2]
      """)
  }
}
