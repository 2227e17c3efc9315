/// A custom source of the bytes of an input, such as an archive member, a cache, a decrypted file or a server.
///
/// ```swift
/// final class Slice: ByteSource {
///     let name = "slice.mkv"
///     let bytes: [UInt8]
///     init(_ bytes: [UInt8]) { self.bytes = bytes }
///     var size: UInt64 { UInt64(bytes.count) }
///     func read(at offset: UInt64, count: Int) throws -> [UInt8] {
///         Array(bytes[Int(offset)...].prefix(count))
///     }
/// }
/// ```
///
/// **Threads.** An input reads its source from one thread at a time, but not always from the same one: asynchronous
/// functions read on a thread of the input, synchronous ones on the caller's. Two inputs over the same source may
/// read at once.
///
/// **Blocking.** ``read(at:count:)`` may block; it is never called on a thread of Swift's cooperative pool unless the
/// caller uses a synchronous function there. A cancelled task does not wait for it.
///
/// **Trust.** Results of a source are not trusted: a result that is too long is cut, and an end before ``size`` is an
/// error with the code ``UndertextError/Code/io``.
public protocol ByteSource: AnyObject, Sendable {
    /// The name in messages and of outputs, such as `movie.mkv`; nothing is opened by it.
    var name: String { get }

    /// The size in bytes; it is read once, when the input is opened.
    ///
    /// Input without a known size must be read from a pipe.
    var size: UInt64 { get }

    /// Reads bytes.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first byte, less than ``size``.
    ///   - count: The number of bytes, at least 1; the range ends within ``size``.
    /// - Returns: The bytes. If there are fewer, the rest is requested again; an empty array means that the source
    ///   ends here, before ``size``.
    /// - Throws: Any error, which ends the reading. An ``UndertextError`` is rethrown unchanged; other errors become
    ///   one with the code ``UndertextError/Code/io`` and the text of the error.
    func read(at offset: UInt64, count: Int) throws -> [UInt8]
}

/// The engine's view of a caller's source: counted, and checked so that no answer of it harms a reader.
package final class CheckedSource: RandomAccessSource {
    package let name: String
    package let size: UInt64?
    package private(set) var statistics = ReadStatistics()
    package let readPosition: ReadPosition? = ReadPosition()
    private let source: any ByteSource
    private let length: UInt64
    private let cancellation: Cancellation

    /// Reads `source`.
    package init(_ source: any ByteSource, cancellation: Cancellation = Cancellation()) {
        self.source = source
        self.cancellation = cancellation
        name = source.name
        length = source.size
        size = length
    }

    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        guard count > 0, offset < length else { return [] }
        let wanted = Int(clamping: min(UInt64(count), length - offset))
        var bytes: [UInt8] = []
        while bytes.count < wanted {
            let part = try part(at: offset + UInt64(bytes.count), count: wanted - bytes.count)
            if part.isEmpty { break }
            if bytes.isEmpty { bytes = part } else { bytes += part }
        }
        guard bytes.count == wanted else {
            throw UndertextError(
                .io, "the source ended before its size of \(length) bytes", path: name,
                byteOffset: offset + UInt64(bytes.count))
        }
        readPosition?.value = offset + UInt64(bytes.count)
        return bytes
    }

    /// Returns one result of the source, no longer than requested.
    private func part(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        if cancellation.isCancelled {
            throw UndertextError(.cancelled, "reading was stopped", path: name)
        }
        let answer: [UInt8]
        do {
            answer = try source.read(at: offset, count: count)
        } catch let error as UndertextError {
            throw error
        } catch {
            throw UndertextError(
                .io, "the source failed", path: name, byteOffset: offset, underlying: "\(error)")
        }
        statistics.requests += 1
        statistics.bytesRead += UInt64(min(answer.count, count))
        return answer.count > count ? Array(answer.prefix(count)) : answer
    }
}
