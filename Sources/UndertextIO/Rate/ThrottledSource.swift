package import UndertextCore

/// A source that reads no faster than a limiter allows.
package final class ThrottledSource: RandomAccessSource {
    private let source: any RandomAccessSource
    private let limiter: RateLimiter
    private let cancellation: Cancellation

    /// Creates a throttled source that reads through `source`.
    package init(
        _ source: any RandomAccessSource, limiter: RateLimiter, cancellation: Cancellation
    ) {
        self.source = source
        self.limiter = limiter
        self.cancellation = cancellation
    }

    /// The name of the underlying source, for messages.
    package var name: String { source.name }
    /// The length in bytes; `nil` if unknown.
    package var size: UInt64? { source.size }
    /// The position of the underlying source.
    package var readPosition: ReadPosition? { source.readPosition }
    /// The requests to the underlying source so far.
    package var statistics: ReadStatistics { source.statistics }

    /// Reads `count` bytes at `offset`, split into chunks that maintain the rate.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let start = offset.addingReportingOverflow(UInt64(bytes.count))
            if start.overflow { break }
            let requested = min(limiter.chunk, count - bytes.count)
            // Bytes after the end of the source cost nothing.
            let room = size.map { $0 > start.partialValue ? $0 - start.partialValue : 0 } ?? .max
            try limiter.wait(
                for: Int(clamping: min(UInt64(requested), room)), cancellation: cancellation,
                name: name)
            let part = try source.read(at: start.partialValue, count: requested)
            if bytes.isEmpty { bytes = part } else { bytes += part }
            if part.count < requested { break }
        }
        return bytes
    }
}

/// A stream that reads no faster than a limiter allows.
package final class ThrottledStream: SequentialSource {
    private let stream: any SequentialSource
    private let limiter: RateLimiter
    private let cancellation: Cancellation

    /// Creates a throttled stream that reads through `stream`.
    package init(
        _ stream: any SequentialSource, limiter: RateLimiter, cancellation: Cancellation
    ) {
        self.stream = stream
        self.limiter = limiter
        self.cancellation = cancellation
    }

    /// The name of the underlying source, for messages.
    package var name: String { stream.name }

    /// Reads the next bytes, at most `count`; an empty array is the end.
    package func read(upTo count: Int) throws(UndertextError) -> [UInt8] {
        let bytes = try stream.read(upTo: min(count, limiter.chunk))
        // The number of bytes is known only after the read, so the next read pays for them.
        try limiter.wait(for: bytes.count, cancellation: cancellation, name: name)
        return bytes
    }
}
