import UndertextIO

/// Counts by name, from any thread.
final class Counter: Sendable {
    private let counts = Monitor([String: Int]())

    func add(_ name: String) { counts.with { $0[name, default: 0] += 1 } }

    subscript(_ name: String) -> Int { counts.with { $0[name] ?? 0 } }
}
