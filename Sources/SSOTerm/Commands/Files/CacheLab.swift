/// A lab in memory that holds what is in a cache file, and cannot be changed: the file is not written either.
func labShowing(cacheAt path: String) throws -> Lab {
  let (name, cache) = try readCache(path)
  let lab = Lab(store: try WorldStore.open(.memory, create: true)) { StandardStreams.now() }
  let device = Device(id: "device-1", name: "this machine", platform: .macOS)
  try lab.create(
    named: "file", seed: 0,
    LabWorld(device: device, tenants: [], people: [], registrations: [], apps: [], brokerAccounts: []))
  // Real caches have the client IDs of Microsoft's programs: these get their names.
  try lab.registerExternalClients()
  _ = try runUnattended(.importCache(name: name, cache), on: lab)
  return lab.readOnly()
}
