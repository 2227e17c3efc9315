package import UndertextCore

/// A source that reads no faster than a limiter allows.
package final class ThrottledSource: RandomAccessSource {
    private let source: any RandomAccessSource
    private let limiter: RateLimiter
    private let cancellation: Cancellation

    /// Reads through `source`.
    package init(
        _ source: any RandomAccessSource, limiter: RateLimiter, cancellation: Cancellation
    ) {
        self.source = source
        self.limiter = limiter
        self.cancellation = cancellation
    }

    /// What is read, for messages.
    package var name: String { source.name }
    /// The length in bytes; `nil` if it is not known.
    package var size: UInt64? { source.size }
    /// The position of the underlying source.
    package var readPosition: ReadPosition? { source.readPosition }
    /// What was asked of the source so far.
    package var statistics: ReadStatistics { source.statistics }

    /// Reads `count` bytes at `offset`, in parts that keep the rate.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let start = offset.addingReportingOverflow(UInt64(bytes.count))
            if start.overflow { break }
            let asked = min(limiter.chunk, count - bytes.count)
            // What lies behind the end costs nothing.
            let room = size.map { $0 > start.partialValue ? $0 - start.partialValue : 0 } ?? .max
            try limiter.wait(
                for: Int(clamping: min(UInt64(asked), room)), cancellation: cancellation,
                name: name)
            let part = try source.read(at: start.partialValue, count: asked)
            if bytes.isEmpty { bytes = part } else { bytes += part }
            if part.count < asked { break }
        }
        return bytes
    }
}

/// A stream that reads no faster than a limiter allows.
package final class ThrottledStream: SequentialSource {
    private let stream: any SequentialSource
    private let limiter: RateLimiter
    private let cancellation: Cancellation

    /// Reads through `stream`.
    package init(
        _ stream: any SequentialSource, limiter: RateLimiter, cancellation: Cancellation
    ) {
        self.stream = stream
        self.limiter = limiter
        self.cancellation = cancellation
    }

    /// What is read, for messages.
    package var name: String { stream.name }

    /// Reads the next bytes, at most `count`; an empty array is the end.
    package func read(upTo count: Int) throws(UndertextError) -> [UInt8] {
        let bytes = try stream.read(upTo: min(count, limiter.chunk))
        // How many come is only known now; the next read waits for them.
        try limiter.wait(for: bytes.count, cancellation: cancellation, name: name)
        return bytes
    }
}
