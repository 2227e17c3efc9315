/// Prints a line for each figure: its name, the least and the middle of the nanoseconds it took, and counts.
///
/// Words are separated by tabs; player.py beside this package makes a table of them. With the name of a file, it parses that
/// file once; with `--seek` and an input, it seeks in it.
@main
struct PlayerBenchmark {
    static func main() async throws {
        if CommandLine.arguments.dropFirst().first == "--seek" {
            return try await SeekCase.run(CommandLine.arguments[2])
        }
        if let path = CommandLine.arguments.dropFirst().first { return try DocumentCase.run(path) }
        LookupCase.run()
        try OverlayCase.run()
    }
}

/// Repeated timings of the same work: other processes only add to them, so the minimum is the best estimate.
struct Timings {
    private let clock = ContinuousClock()
    private var nanoseconds: [Double] = []

    /// The least one.
    var least: Double { nanoseconds.min() ?? 0 }
    /// The one in the middle.
    var median: Double { nanoseconds.isEmpty ? 0 : nanoseconds.sorted()[nanoseconds.count / 2] }

    /// Measures work that is done `count` times, as the time of one.
    mutating func measure(of count: Int = 1, _ work: () throws -> Void) rethrows {
        let spent = try clock.measure(work)
        let whole = spent.components
        nanoseconds.append(
            (Double(whole.seconds) * 1e9 + Double(whole.attoseconds) / 1e9) / Double(count))
    }

    /// Prints them with a name, followed by counts.
    func tell(_ name: String, _ counts: Double...) {
        let figures = ([least, median] + counts).map { String(($0 * 10).rounded() / 10) }
        print(([name] + figures).joined(separator: "\t"))
    }
}
