import Testing

/// Sessions with `ssoterm key`.
@Suite struct LabKeyCommandTests {
  @Test func aKeyIsExportedInTwoParts() throws {
    try transcript(
      """
      $ ssoterm key export -o key.txt
      ✓ key.txt
      Code: CODE
      ! ssoterm: send the code separately from the key, then: ssoterm key import FILE
      $ ssoterm key export | head -n 1
      -----BEGIN SSOTERM LAB KEY-----
      ! Code: CODE
      ! ssoterm: send the code separately from the key, then: ssoterm key import FILE
      $ ssoterm key import key.txt
      ! ssoterm: An answer is needed: the code of the key: there is no terminal to ask on, and no option answers it.
      !   try: ssoterm key import key.txt --code-stdin
      [4]
      """)
  }
}
