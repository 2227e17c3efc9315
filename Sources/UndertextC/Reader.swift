// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore

/// The object of an `undertext_reader`, with the diagnostics that were not taken yet.
private final class ReaderHandle {
    let reader: CueReader
    private let diagnostics = DiagnosticQueue()

    init(_ reader: CueReader) {
        self.reader = reader
    }

    /// Returns the next diagnostic as a line that is valid until the next call, or NULL if there is none.
    func nextDiagnostic() -> UnsafePointer<CChar>? {
        if diagnostics.isEmpty { diagnostics.add(reader.takeDiagnostics()) }
        return unsafe diagnostics.next()
    }
}

/// C: `undertext_reader_open`.
@c @implementation
public func undertext_reader_open(
    _ media: OpaquePointer?, _ stream: Int32, _ from: Int64, _ to: Int64,
    _ reader: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe reader?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let reader = unsafe reader else {
            throw .argument("the reader output pointer is NULL")
        }
        let file = try unsafe mediaFile(media)
        let window = TimeWindow(from: time(from), until: time(to))
        let opened = try attempt { () throws(UndertextError) in
            try file.subtitleTrack(id: Int(stream)).cueReader(in: window)
        }
        unsafe reader.pointee = owned(ReaderHandle(opened))
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_reader_next`.
@c @implementation
public func undertext_reader_next(
    _ reader: OpaquePointer?, _ cue: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe cue?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let handle = unsafe object(reader, ReaderHandle.self), let cue = unsafe cue else {
            throw .argument("the reader handle or the cue output pointer is NULL")
        }
        guard let next = try attempt({ () throws(UndertextError) in try handle.reader.next() })
        else {
            return UNDERTEXT_STATUS_END
        }
        unsafe cue.pointee = owned(CueValue(next))
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_reader_diagnostic`.
@c @implementation
public func undertext_reader_diagnostic(
    _ reader: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> undertext_status {
    unsafe message?.pointee = nil
    guard let handle = unsafe object(reader, ReaderHandle.self), let message = unsafe message
    else { return UNDERTEXT_STATUS_INVALID_ARGUMENT }
    unsafe message.pointee = unsafe handle.nextDiagnostic()
    return unsafe message.pointee == nil ? UNDERTEXT_STATUS_END : UNDERTEXT_STATUS_OK
}

/// C: `undertext_reader_free`.
@c @implementation
public func undertext_reader_free(_ reader: OpaquePointer?) {
    unsafe release(reader, ReaderHandle.self)
}
