internal import ArgumentParser
internal import UndertextCore
internal import UndertextIO

/// Options for reading inputs, shared by several subcommands.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The minimum size of a read, e.g. 64K or 1M; 0 = as needed. (default: by transport)",
            valueName: "bytes"), completion: .list(["64K", "256K", "1M"]))
    var ioBlock: String?

    @Option(
        help: ArgumentHelp(
            "The maximum read rate in bytes per second over all connections, e.g. 10M.",
            valueName: "rate"), completion: .list(["10M", "50M"]))
    var maxReadRate: String?

    @Option(
        help: ArgumentHelp(
            "The I/O priority: normal, or idle to use only idle disk time.",
            valueName: "class"), completion: .list(["normal", "idle"]))
    var ioPriority = "normal"

    /// Larger blocks only take memory.
    private static let largestBlock: UInt64 = 64 << 20

    /// Validates the values.
    func check() throws {
        _ = try block()
        _ = try rate()
        guard ioPriority == "normal" || ioPriority == "idle" else {
            throw ValidationError("--io-priority: '\(ioPriority)' is not one of normal, idle")
        }
    }

    /// The minimum size of a read in bytes.
    func block() throws -> Int? {
        guard let ioBlock else { return nil }
        guard let size = Self.bytes(ioBlock), size <= Self.largestBlock else {
            throw ValidationError(
                "--io-block: '\(ioBlock)' is not a number of bytes up to 64M, such as 64K or 1M")
        }
        return Int(size)
    }

    /// The maximum read rate in bytes per second.
    func rate() throws -> UInt64? {
        guard let maxReadRate else { return nil }
        guard let rate = Self.bytes(maxReadRate), rate > 0 else {
            throw ValidationError(
                "--max-read-rate: '\(maxReadRate)' is not a number of bytes, such as 500K or 10M")
        }
        return rate
    }

    /// Sets the idle I/O priority if requested.
    func applyPriority(_ console: Console) {
        guard ioPriority == "idle", !IOPriority.becomeIdle() else { return }
        console.say("warning: idle I/O priority is not available; continuing with normal priority")
    }

    /// Parses a number of bytes with an optional suffix K, M or G for powers of 1024.
    static func bytes(_ text: String) -> UInt64? {
        let shifts: [Character: UInt64] = ["K": 10, "M": 20, "G": 30]
        var digits = text[...]
        var shift: UInt64 = 0
        if let last = text.uppercased().last, let found = shifts[last] {
            shift = found
            digits = digits.dropLast()
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt64(digits)
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
        return overflow ? nil : product
    }
}
