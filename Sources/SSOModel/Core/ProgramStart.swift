import CKernel
import Essentials

/// The command line of this process.
///
/// Swift's `CommandLine` reads `/proc/self/cmdline`, and has no arguments if `/proc` is not mounted.
package enum ProgramStart {
  /// The arguments of the command line, with the program's name first.
  package static let arguments: [String] = {
    let passed = (0..<ck_argument_count()).compactMap { ck_argument($0).map { String(cString: $0) } }
    return passed.isEmpty ? CommandLine.arguments : passed
  }()
}
