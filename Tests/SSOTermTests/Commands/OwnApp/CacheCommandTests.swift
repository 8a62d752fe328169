import Testing

/// Sessions with `ssoterm cache`.
@Suite struct CacheCommandTests {
  @Test func expiredEntriesAreNoFault() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm cache check samples/caches/az_msal_token_cache.json
      samples/caches/az_msal_token_cache.json: 0 findings
      family 1: 04b07795-8ddb-461a-bbee-02f9e1bf7b46
      SDK\tOWN KEYS\tFOREIGN KEYS
      MSAL Python\t7\t0
      MSAL.NET\t6\t1
      MSAL Node\t0\t7
      MSAL Java\t6\t1
      MSAL Go\t3\t4
      $ ssoterm cache check samples/caches/msal_python_cache.json
      samples/caches/msal_python_cache.json: 0 findings
      no family: 33333333-cccc-4ccc-8ccc-333333333333, 44444444-dddd-4ddd-8ddd-444444444444
      family 1: 04b07795-8ddb-461a-bbee-02f9e1bf7b46, 1950a258-227b-4e31-a9cf-717495945fc2
      SDK\tOWN KEYS\tFOREIGN KEYS
      MSAL Python\t18\t0
      MSAL.NET\t15\t3
      MSAL Node\t0\t18
      MSAL Java\t15\t3
      MSAL Go\t8\t10
      $ ssoterm cache check nothing.json
      ! ssoterm: nothing.json cannot be read: No such file or directory.
      !   try: ls
      [2]
      """)
  }
}
