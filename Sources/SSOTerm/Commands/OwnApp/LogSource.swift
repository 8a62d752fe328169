import ArgumentParser
import SSOReading
import SafeText

/// A platform whose SDK writes a log, with the command that prints it for `ssoterm read -`.
enum LogSource: String, CaseIterable, ExpressibleByArgument {
  case iosSimulator = "ios-sim"
  case ios, android, mac, az, python, dotnet, windows, browser, linux

  /// The command whose output `read` reads, with capitals in place of names.
  var command: String {
    switch self {
    case .iosSimulator:
      "xcrun simctl spawn booted log stream --level debug --style compact --predicate 'process == \"MyApp\"' | ssoterm read -"
    case .ios: "idevicesyslog -p MyApp --no-colors | ssoterm read -"
    case .android: "adb logcat -v threadtime -T 1 | ssoterm read -"
    case .mac: "log stream --level debug --style compact --predicate 'process == \"MyApp\"' | ssoterm read -"
    case .az: "az login --debug 2>&1 | ssoterm read -"
    case .python: "python app.py 2>&1 | ssoterm read -"
    case .dotnet: "dotnet run 2>&1 | ssoterm read -"
    case .windows:
      "wevtutil qe Microsoft-Windows-AAD/Operational /c:50 /rd:true /f:text > aad.log; dsregcmd /status >> aad.log; ssoterm read aad.log"
    case .browser: "ssoterm read console.log"
    case .linux: "journalctl --user -f -u microsoft-identity-broker | ssoterm read -"
    }
  }

  /// The step that makes the SDK write a log, without which it is silent.
  var switchOn: String {
    switch self {
    case .iosSimulator, .ios, .mac:
      "MSAL writes nothing without a callback: MSALGlobalConfig.loggerConfig.setLogCallback { level, message, _ in print(message ?? \"\") } and logLevel = .verbose, before the first call. <private> in a line means that the system hid the text: run under Xcode, or print it."
    case .android:
      "MSAL writes nothing to logcat by default: \"logging\": {\"logcat_enabled\": true, \"log_level\": \"VERBOSE\", \"pii_enabled\": false} in the configuration file. The broker's own lines are only in the Authenticator's “Send logs”."
    case .az:
      "--debug is the switch; in ~/.azure/config, [logging] enable_log_file = yes keeps it in ~/.azure/logs."
    case .python: "logging.basicConfig(level=logging.DEBUG) before the first call."
    case .dotnet:
      "WithLogging((level, message, pii) => Console.WriteLine(message), LogLevel.Verbose) on the application's builder; in ASP.NET Core \"Microsoft.Identity\": \"Debug\" under Logging:LogLevel."
    case .windows:
      "The event log is on; a broken device registration is in dsregcmd /status, run as the user and not elevated."
    case .browser:
      "system: { loggerOptions: { logLevel: LogLevel.Verbose, loggerCallback: (level, message) => console.log(message) } } in the configuration; then “Save as…” in the console of the browser. Its network tab saves a recording (.har), which read explains as well."
    case .linux:
      "This is the broker's own log; the device's own service is microsoft-identity-device-broker, without --user."
    }
  }

  /// Returns the platform that the lines are from, or `nil` if they do not show it.
  static func guess(_ lines: [UnknownLine]) -> LogSource? {
    let marks: [(LogSource, [String])] = [
      (
        .android,
        ["AndroidRuntime", "beginning of main", "System.err", "logcat", "I/flutter", "I/System.out"]
      ),
      (
        .iosSimulator,
        ["Error Domain=", "NSLocalizedDescription", "<private>", "UIApplication", "CoreSimulator"]
      ),
      (.az, ["cli.azure.cli", "az login", "azure/cli"]),
      (.python, ["Traceback (most recent call last)", ".py\", line"]),
      (.dotnet, ["   at System.", ".cs:line", "Unhandled exception.", "Microsoft.AspNetCore"]),
      (.linux, ["microsoft-identity", "intune-portal"]),
      (.windows, ["dsregcmd", "Event ID", "EventID"]),
      (.browser, ["Uncaught ", ".js:", "chunk-", "zone.js"]),
    ]
    return marks.first { _, words in
      lines.contains { line in words.contains { line.text.contains($0) } }
    }?.0
  }
}
