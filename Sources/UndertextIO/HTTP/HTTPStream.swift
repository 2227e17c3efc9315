package import UndertextCore

/// A response of a server that supports no ranges, read once and in order.
package final class HTTPStream: SequentialSource {
    /// The address as the user wrote it.
    package let name: String
    /// The length in bytes; `nil` if the server does not say.
    package let size: UInt64?
    /// The bytes received so far.
    package private(set) var statistics = ReadStatistics(requests: 1)

    private let connection: HTTPConnection
    private static let largestRead = 1 << 20

    init(name: String, size: UInt64?, connection: HTTPConnection) {
        self.name = name
        self.size = size
        self.connection = connection
    }

    /// Reads the next bytes, at most `count`; an empty array is the end.
    ///
    /// Waits until at least one byte has arrived. A lost connection cannot be resumed.
    package func read(upTo count: Int) throws(UndertextError) -> [UInt8] {
        guard count > 0 else { return [] }
        do throws(HTTPFailure) {
            let bytes = try connection.body(min(count, Self.largestRead), least: 1)
            statistics.bytesRead += UInt64(bytes.count)
            return bytes
        } catch {
            var thrown = error.error
            thrown.byteOffset = statistics.bytesRead
            throw thrown
        }
    }
}
