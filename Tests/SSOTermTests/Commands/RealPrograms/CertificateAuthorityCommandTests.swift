import Testing

/// Sessions with `ssoterm ca`.
@Suite struct CertificateAuthorityCommandTests {
  @Test func theAuthorityIsShownAndExported() throws {
    try transcript(
      """
      $ ssoterm ca show
      subject     CN=SSOTerm lab CA NUMBER,O=SSOTerm
      valid       2026-03-01 to 2036-02-28
      only for    localhost, 127.0.0.1, ::1
      SHA-256     FINGERPRINT
      file        /home/ada/.local/share/ssoterm/store.sqlite.ca.pem
      $ ssoterm ca export -o ca.pem
      ✓ ca.pem
      $ head -n 1 ca.pem
      -----BEGIN CERTIFICATE-----
      $ ssoterm ca export -o .
      ! ssoterm: . cannot be written: Is a directory.
      !   try: ssoterm ca export -o OTHER.pem
      [2]
      """)
  }
}
