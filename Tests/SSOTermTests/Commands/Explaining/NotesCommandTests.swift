import Testing

/// Sessions with `ssoterm notes`.
@Suite struct NotesCommandTests {
  @Test func withoutADemoThereIsNothingToFollow() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm notes
      No demo is running.
      Start one in another terminal: ssoterm demo two-vendors
      [3]
      $ ssoterm notes --json
      {
        "demo" : null,
        "version" : 1
      }
      [3]
      """)
  }
}
