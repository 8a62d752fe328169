import Testing

/// Sessions with `ssoterm paths`.
@Suite struct PathsCommandTests {
  @Test func theFilesInUseAreNamedAndNoneIsMade() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm paths
      config        /home/ada/.config/ssoterm/config.yaml               not there
      store         /home/ada/.local/share/ssoterm/store.sqlite         not there
      key           /home/ada/.local/share/ssoterm/store.sqlite.key     not there
      certificates  /home/ada/.local/share/ssoterm/store.sqlite.ca.pem  not there
      $ ssoterm paths --store s.sqlite --json | head -n 6
      {
        "paths" : [
          {
            "isThere" : false,
            "name" : "config",
            "path" : "/home/ada/.config/ssoterm/config.yaml",
      $ ls
      samples
      """)
  }
}
