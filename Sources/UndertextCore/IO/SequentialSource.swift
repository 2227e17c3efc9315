/// Bytes that come once, in order: a pipe, standard input, a network stream.
///
/// Not `Sendable`: one reader at a time.
package protocol SequentialSource: AnyObject {
    /// The name for messages: a path, a URL or `stdin`.
    var name: String { get }

    /// Reads the next bytes, at most `count`; an empty array is the end.
    ///
    /// Waits until at least one byte is available.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/io`` or ``UndertextError/Code/cancelled``.
    func read(upTo count: Int) throws(UndertextError) -> [UInt8]
}
