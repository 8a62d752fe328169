import Foundation
import TerminalUI
import Testing

@testable import SSOCore
@testable import SSOScenarios
@testable import SSOTermApp

struct ClipboardRouteTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var route = ClipboardRoute.auto
    var variables: [String: String] = [:]
    var programs: Set<String> = []
    var expected: String
  }

  @Test(arguments: [
    Row(testDescription: "nothing known: the terminal", expected: "terminal"),
    Row(
      testDescription: "a Wayland desktop", variables: ["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"],
      programs: ["wl-copy", "xclip"], expected: "wl-copy"),
    Row(
      testDescription: "X11 without wl-copy", variables: ["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"],
      programs: ["xclip"], expected: "xclip"),
    Row(testDescription: "a program without a display", programs: ["xclip"], expected: "terminal"),
    Row(
      testDescription: "over ssh the desktop's clipboard is another machine's",
      variables: ["DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"], programs: ["xclip"], expected: "terminal"),
    Row(
      testDescription: "tmux over ssh", variables: ["TMUX": "x", "SSH_TTY": "/dev/pts/1"], programs: ["tmux"],
      expected: "tmux"),
    Row(
      testDescription: "asked for OSC 52", route: .osc52, variables: ["DISPLAY": ":0"], programs: ["xclip"],
      expected: "terminal"),
    Row(testDescription: "asked for a program that is not there", route: .native, expected: "off"),
    Row(testDescription: "off", route: .off, variables: ["TMUX": "x"], programs: ["tmux"], expected: "off"),
  ])
  func aClipboardIsChosen(_ row: Row) {
    let way = row.route.way(variable: { row.variables[$0] }, isInstalled: { row.programs.contains($0) })
    let name =
      switch way {
      case .program(let program): program.name
      case .terminal: "terminal"
      case .off: "off"
      }
    #expect(name == row.expected)
  }
}

/// `demo --record`: a demo that runs automatically, as an asciicast.
struct DemoRecordingTests {
  @Test func theRecordingIsTheSameEachTimeAndGoesOnByThePace() throws {
    let file = try ScenarioLibrary().scenario("two-vendors")
    let size = Size(width: 100, height: 30)
    let recording = try DemoRecording(file, size: size, pace: 1500)
    #expect(try recording == DemoRecording(file, size: size, pace: 1500))
    let cast = recording.text
    let lines = cast.split(separator: "\n").map { try? JSONParser.parse(Data($0.utf8)) }
    #expect(lines[0]?["version"]?.integer == 2 && lines[0]?["width"]?.integer == 100)
    #expect(lines[0]?["title"]?.string == file.title)
    let times = lines.dropFirst().compactMap { line -> Double? in
      guard case .number(let time)? = line?.array?.first else { return nil }
      return time
    }
    #expect(times.last == Double(recording.milliseconds) / 1000)
    #expect(times.count > file.steps.count && times == times.sorted())
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1.49 })
    #expect(cast.contains("Choose an account") && !cast.contains("analytical-engine"))
  }

  @Test func aTitleReachesThePlayersTerminalWithoutControls() throws {
    let title = "a\u{1B}]0;b\u{7}\u{202E}c\u{200B}"
    let head = try JSONParser.parse(
      Data(Asciicast(size: Size(width: 40, height: 12), title: title).text.utf8))
    #expect(head["title"]?.string == "a<U+001B>]0;b<U+0007><U+202E>c<U+200B>")
  }

  @Test func onlyWhatChangesIsWrittenAgain() {
    var old = Grid(width: 10, height: 2)
    old.put("one", at: 0, 0)
    var new = old
    new.put("ONE", at: 4, 1, style: .good)
    #expect(TerminalOutput().text(of: new, over: old) == "\u{1B}[2;5H\u{1B}[0;38;5;114mONE\u{1B}[0m")
    #expect(TerminalOutput().text(of: new, over: new) == "")
    #expect(TerminalOutput().text(of: new, over: nil).hasPrefix("\u{1B}[?25l\u{1B}[2J"))
  }
}
