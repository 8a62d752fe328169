import ArgumentParser
import SSOModel

@main
struct Main: ParsableCommand {
}
