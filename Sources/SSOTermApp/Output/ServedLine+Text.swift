extension ServedLine {
  package var text: String {
    [method, path, client.isEmpty ? "" : "(\(client))", result].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
