/// The program's version, for `--version` and reports.
package let programVersion = "0.1.0"
