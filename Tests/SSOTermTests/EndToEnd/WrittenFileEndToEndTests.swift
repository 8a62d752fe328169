import Foundation
import Glibc
import Testing

@Suite("The built program writes files", .serialized)
struct WrittenFileEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// The commands that write a file named by the user, with FILE for its name.
  private static let writers = [
    "scenario run contoso-suite --report markdown FILE", "scenario run contoso-suite --report junit FILE",
    "run --report junit FILE -- true", "ca export -o FILE", "demo two-vendors --record FILE",
  ]

  @Test(arguments: writers) func aPipeADeviceAndALinkAreNotReplaced(_ command: String) throws {
    try folder.write("old", to: "target")
    let script = """
      mkfifo pipe; ln -s target link; ln -s none dangling
      (cat pipe >read) & ssoterm \(command.replacing("FILE", with: "pipe")) >out1 2>&1; echo $?; wait
      ssoterm \(command.replacing("FILE", with: "/dev/null")) >out2 2>&1; echo $?
      ssoterm \(command.replacing("FILE", with: "link")) >out3 2>&1; echo $?
      ssoterm \(command.replacing("FILE", with: "dangling")) >out4 2>&1; echo $?
      ssoterm \(command.replacing("FILE", with: "/dev/full")) >out5 2>&1; echo $?
      test -p pipe && test -c /dev/null && test -L link && test -L dangling && ! test -e none && echo kept
      ls | grep '~' || true
      """
    let ended = try Program.shell(script, in: folder)
    #expect(ended.out == "0\n0\n0\n2\n7\nkept\n", "\(folder.text("out1"))\(folder.text("out3"))")
    #expect(folder.text("read").count > 100)
    #expect(folder.text("target").count > 100)
  }

  /// Mode of everything that is written, with a umask that forbids nothing and one that forbids much.
  @Test(arguments: ["000", "077"]) func theUmaskNeverOpensASecret(_ umask: String) throws {
    let script = """
      umask \(umask); export SSOTERM_STORE=$PWD/made/s.sqlite
      ssoterm signin com.contoso.mytestapp1 --account ada@contoso.com --password-stdin --accept-consent <password
      ssoterm export -o cache.json
      ssoterm key export -o lab.key
      ssoterm ca export -o ca.pem
      ssoterm scenario run contoso-suite --report junit report.xml
      ssoterm demo two-vendors --record demo.cast
      ssoterm run -- sh -c 'cp -p "$SSOTERM_CA" own.pem'
      ssoterm read --redact clean.har \(Program.repository)/Tests/Fuzz/Seeds/recording/refresh.har
      """
    try folder.write(Program.password + "\n", to: "password")
    _ = try Program.shell("(\(script)) >log 2>&1; true", in: folder)
    let list = "stat -c '%n %a' made made/* *.json *.key *.pem *.xml *.cast *.har"
    let modes = Set(try Program.shell(list, in: folder).out.split(separator: "\n").map(String.init))
    let open = umask == "000"
    let expected: Set = [
      "made 700", "made/s.sqlite 600", "made/s.sqlite.key 600", "cache.json 600", "lab.key 600",
      "clean.har 600", open ? "ca.pem 644" : "ca.pem 600", open ? "own.pem 644" : "own.pem 600",
      open ? "report.xml 666" : "report.xml 600", open ? "demo.cast 666" : "demo.cast 600",
    ]
    let ofSQLite: Set = ["made/s.sqlite-shm 600", "made/s.sqlite-wal 600"]
    #expect(modes.subtracting(ofSQLite) == expected, "\(folder.text("log"))")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root may mount a disk"))
  func aFullDiskLeavesTheOldFileAndNoHalfOfALab() throws {
    let disk = try SmallDisk(in: folder, size: "16k")
    let script = """
      echo old >disk/file; echo old >disk/cache.json
      ssoterm demo two-vendors --record disk/file; echo $?
      ssoterm scenario run --all --report markdown disk/file >/dev/null; echo $?
      cat disk/file
      ssoterm lab create two --store disk/one.sqlite; echo $?
      ls disk
      mount -o remount,size=8m disk
      ssoterm lab create two --store disk/one.sqlite >/dev/null; echo $?
      """
    let ended = try Program.shell("(\(script)) 2>errors", in: folder)
    withExtendedLifetime(disk) {
      #expect(ended.out == "7\n7\nold\n5\ncache.json\nfile\n0\n", "\(folder.text("errors"))")
    }
  }
}
