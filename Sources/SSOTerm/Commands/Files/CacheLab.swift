/// Creates a read-only lab in memory with the contents of a cache file, which is never written.
func labShowing(cacheAt path: String) throws -> Lab {
  let (name, cache) = try readCache(path)
  let lab = Lab(store: try WorldStore.open(.memory, create: true)) { StandardStreams.now() }
  let device = Device(id: "device-1", name: "this machine", platform: .macOS)
  try lab.create(
    named: "file", seed: 0,
    LabWorld(device: device, tenants: [], people: [], registrations: [], apps: [], brokerAccounts: []))
  // Real caches contain the client IDs of Microsoft's programs, so register these programs for their names.
  try lab.registerExternalClients()
  _ = try runUnattended(ImportCache(name: name, cache), on: lab)
  return lab.readOnly()
}
