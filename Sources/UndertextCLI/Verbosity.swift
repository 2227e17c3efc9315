internal import ArgumentParser
internal import UndertextCore

/// The options for the amount of messages on standard error.
struct Verbosity: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print only errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print all diagnostics and how the input was read.")
    var verbose = false

    func validate() throws {
        guard !(quiet && verbose) else {
            throw ValidationError("--quiet and --verbose cannot be combined")
        }
    }
}
