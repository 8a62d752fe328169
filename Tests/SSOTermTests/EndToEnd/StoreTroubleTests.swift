import Foundation
import Testing

@testable import SSOCore
@testable import SSOStore

@Suite("Stores that cannot be used, through the built program", .serialized)
struct StoreTroubleTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  func run(_ arguments: String...) throws -> Run { try Program.run(arguments, in: folder) }

  @Test func aStoreOfANewerVersionIsRefusedAndLeftAsItIs() throws {
    let store = folder.path("s.sqlite")
    #expect(try run("status", "--create", "--store", store).status == .exit(0))
    // `user_version` stands at byte 60 of an SQLite file, in big-endian order.
    var file = try Data(contentsOf: URL(fileURLWithPath: store))
    file.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    try file.write(to: URL(fileURLWithPath: store))
    let refused = try run("status", "--store", store)
    #expect(refused.status == .exit(5))
    #expect(refused.err.contains("made by a newer ssoterm"))
    #expect(refused.err.contains("found version 99"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == file)
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func aReadOnlyDiskIsNamedAndNothingIsChanged() throws {
    let disk = try SmallDisk(in: folder, size: "4m")
    let store = disk.path + "/s.sqlite"
    #expect(try run("status", "--create", "--store", store).status == .exit(0))
    try disk.makeReadOnly()
    let refused = try run("clock", "+1h", "--store", store)
    #expect(refused.status == .exit(5))
    #expect(refused.err.contains("cannot be written"))
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func aFullDiskIsNamedAndWhatWasStoredStaysReadable() throws {
    let disk = try SmallDisk(in: folder, size: "1m")
    let store = disk.path + "/s.sqlite"
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    let cache = try folder.write(Self.cache(accounts: 3000), to: "large.json")
    let full = try run("import", cache, "--store", store)
    #expect(full.status == .exit(5))
    #expect(full.err.contains("is full"))
    let accounts = try run("accounts", "--store", store)
    #expect(accounts.status == .exit(0))
    #expect(accounts.out.contains("ada@contoso.com"))
    #expect(!accounts.out.contains("person"))
  }

  @Test func readonlyRefusesEveryChangeAndShowsTheRest() throws {
    let store = folder.path("s.sqlite")
    let missing = try run("status", "--readonly", "--store", store)
    #expect(missing.status == .exit(5))
    #expect(!FileManager.default.fileExists(atPath: store))
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    for command in [
      ["undo"], ["clock", "+1h"], ["silent", "mytestapp1"], ["forget", "ada@contoso.com", "--yes"],
    ] {
      let refused = try Program.run(command + ["--readonly", "--store", store], in: folder)
      #expect(refused.status == .exit(2), "\(command)")
      #expect(refused.err.contains("open for reading only"), "\(command)")
    }
    #expect(try run("accounts", "--readonly", "--store", store).out.contains("ada@contoso.com"))
  }

  /// Accounts with refresh tokens of a kilobyte each.
  static func cache(accounts: Int) -> String {
    let secret = String(repeating: "s", count: 1000)
    let entries = (0..<accounts).map { number in
      let home = "u\(number).t"
      return (
        account: """
        "\(home)-login.microsoftonline.com-t": {"home_account_id": "\(home)", "realm": "t",
        "environment": "login.microsoftonline.com", "local_account_id": "u\(number)",
        "authority_type": "MSSTS", "username": "person\(number)@example.com"}
        """,
        token: """
        "\(home)-login.microsoftonline.com-refreshtoken-c--": {"home_account_id": "\(home)", "client_id": "c",
        "environment": "login.microsoftonline.com", "credential_type": "RefreshToken", "secret": "\(secret)"}
        """
      )
    }
    let accounts = entries.map(\.account).joined(separator: ",")
    let tokens = entries.map(\.token).joined(separator: ",")
    return "{\"Account\": {\(accounts)}, \"RefreshToken\": {\(tokens)}}"
  }
}
