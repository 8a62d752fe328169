import Testing

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
