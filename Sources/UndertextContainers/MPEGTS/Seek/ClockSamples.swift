internal import UndertextCore

/// The clock of a program at places all over a file.
///
/// Between two samples nothing is known: a segment with an earlier clock that lies wholly between
/// them, as where recordings were put together, is not seen, and a seek may leave out its packets.
struct ClockSamples {
    let file: TransportStreamFile
    let clockPID: Int
    let reference: PTSWrapReference

    /// Places over the whole file, then between those around the time.
    private static let coarse: UInt64 = 64
    private static let fine: UInt64 = 16
    /// Closer together than this, reading costs no more than looking for the clock.
    private static let leastDistance: UInt64 = 32 << 10
    private static let blockLength = 32 << 10
    /// A clock is sent every 0.1 s; if none occurs in this number of bytes, there is none.
    private static let reach: UInt64 = 4 << 20

    private struct Sample {
        let place: UInt64
        let clock: Int64
    }

    /// Ascending places, the last one before `target` by more than the distance to the next one.
    ///
    /// `nil` where the clock does not run forward, is missing, or the file is short.
    func places(before target: Int64) throws(UndertextError) -> [UInt64]? {
        guard let size = file.source.size,
            var samples = try self.samples(from: 0, to: size, count: Self.coarse)
        else { return nil }
        if let last = Self.last(samples, before: target), last > 1 {
            let start = samples[last - 1].place
            let end = last + 1 < samples.count ? samples[last + 1].place : size
            if let between = try self.samples(from: start, to: end, count: Self.fine) {
                // Sample `last - 1` is the first of both.
                samples = Array(samples[..<last]) + between.dropFirst()
            } else if end - start >= Self.fine * Self.leastDistance {
                return nil
            }
        }
        guard let last = Self.last(samples, before: target), last > 1 else { return nil }
        return samples[..<last].map(\.place)
    }

    /// The last sample before the target.
    private static func last(_ samples: [Sample], before target: Int64) -> Int? {
        samples.lastIndex { $0.clock <= target }
    }

    /// The clock at `count` equidistant offsets; `nil` unless it runs forward.
    private func samples(
        from start: UInt64, to end: UInt64, count: UInt64
    ) throws(UndertextError) -> [Sample]? {
        guard start < end else { return nil }
        let number = min(count, (end - start) / Self.leastDistance)
        guard number > 3 else { return nil }
        let distance = (end - start) / number
        var samples: [Sample] = []
        for index in 0..<number {
            let place = self.place(atOrBefore: start + index * distance)
            guard let clock = try clock(from: place) else {
                // After the last clock of the file there is none any more.
                guard index + 1 == number else { return nil }
                break
            }
            guard samples.last.map({ $0.clock < clock }) ?? true else { return nil }
            samples.append(Sample(place: place, clock: clock))
        }
        return samples
    }

    /// The sync byte of a packet, as they lie from the beginning on.
    private func place(atOrBefore offset: UInt64) -> UInt64 {
        let distance = UInt64(file.layout.distance)
        return offset / distance * distance + UInt64(file.layout.lead)
    }

    private func clock(from place: UInt64) throws(UndertextError) -> Int64? {
        var scanner = PacketScanner(
            file.source, layout: file.layout, at: place, blockLength: Self.blockLength,
            cancellation: file.cancellation)
        scanner.setInterest(PacketScanner.Interest.clock, for: [clockPID])
        while scanner.position < place + Self.reach {
            switch try scanner.advance() {
            case .packet(let header, _, _):
                if let clock = header.clock { return reference.unwrapped(clock) }
            case .block, .garbage: continue
            case .end: return nil
            }
        }
        return nil
    }
}
