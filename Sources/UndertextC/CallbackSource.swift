internal import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// A source that functions of the caller read.
@safe final class CallbackSource: ByteSource, @unchecked Sendable {
    // Unchecked: the functions are called with `position` locked only, by one thread at a time.
    let name: String
    let size: UInt64
    private let io: undertext_io
    /// The position of the caller's input, or `nil` if a failure left it anywhere.
    private let position = Monitor<UInt64?>(0)

    /// Creates a source.
    ///
    /// - Throws: `Failure` with `UNDERTEXT_STATUS_INVALID_ARGUMENT` if functions are missing; otherwise the source
    ///   owns the input and closes it, also if its size is unknown.
    init(_ io: UnsafePointer<undertext_io>?) throws(Failure) {
        guard let io = unsafe UndertextC.read(io) else {
            throw .argument("io is NULL, or its size member is not set")
        }
        guard unsafe io.read != nil, unsafe io.seek != nil, let getSize = unsafe io.get_size else {
            throw .argument("io lacks read, seek or get_size")
        }
        unsafe self.io = unsafe io
        name = unsafe text(io.name) ?? "source"
        let stated = unsafe getSize(io.context)
        size = UInt64(clamping: stated)
        guard stated >= 0 else {
            throw Failure(
                UNDERTEXT_STATUS_UNSUPPORTED, "\(name): inputs of unknown size cannot be opened")
        }
    }

    deinit {
        unsafe io.close?(io.context)
    }

    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        try position.with { position -> Result<[UInt8], UndertextError> in
            Result { () throws(UndertextError) in
                try self.read(at: offset, count: count, &position)
            }
        }.get()
    }

    private func read(
        at offset: UInt64, count: Int, _ position: inout UInt64?
    ) throws(UndertextError) -> [UInt8] {
        if position != offset {
            position = nil
            let reached = unsafe io.seek?(io.context, Int64(clamping: offset)) ?? -1
            guard reached == Int64(clamping: offset) else {
                throw failure("seeking to byte \(offset)", reached)
            }
            position = offset
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let received = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe io.read?(io.context, buffer.baseAddress, buffer.count) ?? -1
        }
        guard (0...Int64(count)).contains(received) else {
            position = nil
            throw failure("reading at byte \(offset)", received)
        }
        position = offset + UInt64(received)
        bytes.removeLast(count - Int(received))
        return bytes
    }

    private func failure(_ action: String, _ result: Int64) -> UndertextError {
        let isCancelled = result == Int64(UNDERTEXT_STATUS_CANCELLED.rawValue)
        return UndertextError(
            isCancelled ? .cancelled : .io, "\(action) failed: the caller returned \(result)",
            path: name)
    }
}
