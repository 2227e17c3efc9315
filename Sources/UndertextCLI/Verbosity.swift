internal import ArgumentParser

/// How much is said on standard error.
struct Verbosity: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say what was read, how, and every diagnostic.")
    var verbose = false

    func validate() throws {
        guard !(quiet && verbose) else {
            throw ValidationError("--quiet and --verbose exclude each other; use one")
        }
    }
}
