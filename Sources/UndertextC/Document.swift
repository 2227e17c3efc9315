// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// The object of an `undertext_document`.
@safe final class DocumentHandle {
    var document: SubtitleDocument
    let fonts: [AttachedFont]
    private let diagnostics = DiagnosticQueue()

    init(
        _ document: SubtitleDocument, fonts: [AttachedFont] = [], diagnostics: [Diagnostic] = []
    ) {
        self.document = document
        self.fonts = fonts
        self.diagnostics.add(diagnostics)
    }

    /// Encodes the document in the format with a name, or that of files with an extension.
    func encoded(as name: String) throws(UndertextError) -> EncodedDocument {
        let implied = SubtitleFormat(name: name) ?? SubtitleFormat(path: "subtitles.\(name)")
        let format = try SubtitleFormat.output(named: implied?.name ?? name)
        let encoded: EncodedDocument? =
            switch document {
            case .text(let text): TextFormat(format).map(text.encoded)
            case .bitmap(let images):
                if let target = BitmapFormat(format) {
                    try images.encoded(as: target)
                } else {
                    nil
                }
            }
        guard let encoded else {
            throw UndertextError(
                .unsupported, "\(kind) cannot be encoded as \(format.name) in memory",
                remedy: .set(.format, to: formats))
        }
        diagnostics.add(encoded.diagnostics)
        return encoded
    }

    /// The name of the document's kind in messages.
    private var kind: String {
        if case .text = document { "text" } else { "images" }
    }

    /// The names of the formats that the document can be encoded in.
    private var formats: [String] {
        let isText = if case .text = document { true } else { false }
        return SubtitleFormat.outputs
            .filter { isText ? TextFormat($0) != nil : BitmapFormat($0) != nil }.map(\.name)
    }

    /// Returns the next diagnostic as a line that is valid until the next call, or NULL if there is none.
    func nextDiagnostic() -> UnsafePointer<CChar>? { unsafe diagnostics.next() }
}

/// The object of an `undertext_encoding`.
///
/// It never changes after its creation, so any thread may read it.
@safe private final class EncodingHandle: @unchecked Sendable {
    let losses: UnsafePointer<CChar>?
    let files: [undertext_output]
    private let texts = CTexts()
    private let blocks: [UnsafeMutablePointer<UInt8>]

    init(_ encoded: EncodedDocument) {
        var blocks: [UnsafeMutablePointer<UInt8>] = unsafe []
        var files: [undertext_output] = unsafe []
        for file in encoded.files {
            let block = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, file.bytes.count))
            unsafe block.initialize(from: file.bytes, count: file.bytes.count)
            var output = unsafe undertext_output()
            unsafe output.extension = unsafe texts.keep(file.fileExtension)
            unsafe output.bytes = unsafe UnsafePointer(block)
            unsafe output.length = file.bytes.count
            unsafe blocks.append(block)
            unsafe files.append(output)
        }
        unsafe self.blocks = unsafe blocks
        unsafe self.files = unsafe files
        let json = ReportJSON.losses(encoded.losses)
        unsafe losses = unsafe texts.keep(String(decoding: json.compact, as: UTF8.self))
    }

    deinit {
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }
}

/// Returns the object of a handle.
func documentHandle(_ document: OpaquePointer?) throws(Failure) -> DocumentHandle {
    guard let handle = unsafe object(document, DocumentHandle.self) else {
        throw .argument("the document handle is NULL")
    }
    return handle
}

/// C: `undertext_document_create`.
@c @implementation
public func undertext_document_create() -> OpaquePointer? {
    unsafe owned(DocumentHandle(SubtitleDocument()))
}

/// C: `undertext_document_read`.
@c @implementation
public func undertext_document_read(
    _ media: OpaquePointer?, _ stream: Int32, _ from: Int64, _ to: Int64,
    _ document: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe document?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let document = unsafe document else {
            throw .argument("the document output pointer is NULL")
        }
        let file = try unsafe mediaFile(media)
        let window = TimeWindow(from: time(from), until: time(to))
        let handle = try attempt { () throws(UndertextError) in
            let track = try file.subtitleTrack(id: Int(stream))
            var found = file.diagnostics
            let read = try track.document(in: window) { found.append($0) }
            // Only scripts name fonts.
            let fonts =
                track.codec == .ass || track.codec == .ssa
                ? try file.fonts { found.append($0) } : []
            return DocumentHandle(read, fonts: fonts, diagnostics: found)
        }
        unsafe document.pointee = owned(handle)
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_document_count`.
@c @implementation
public func undertext_document_count(_ document: OpaquePointer?) -> Int {
    unsafe object(document, DocumentHandle.self)?.document.cues.count ?? 0
}

/// C: `undertext_document_cue`.
@c @implementation
public func undertext_document_cue(_ document: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    guard let handle = unsafe object(document, DocumentHandle.self),
        handle.document.cues.indices.contains(index)
    else { return nil }
    return unsafe owned(CueValue(handle.document.cues[index]))
}

/// C: `undertext_document_set_cues`.
@c @implementation
public func undertext_document_set_cues(
    _ document: OpaquePointer?, _ cues: UnsafePointer<OpaquePointer?>?, _ count: Int
) {
    guard let handle = unsafe object(document, DocumentHandle.self) else { return }
    var taken: [Cue] = []
    if let cues = unsafe cues {
        for index in 0..<max(0, count) {
            guard let value = unsafe object(cues[index], CueValue.self) else { continue }
            taken.append(value.cue)
        }
    }
    // The order of cues that start together is that of the array.
    taken = taken.enumerated().sorted {
        ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }
    .map(\.element)
    for index in taken.indices { taken[index].order = index }
    if handle.document.cues.isEmpty {
        handle.document = SubtitleDocument(header: handle.document.header, cues: taken)
    } else {
        handle.document.cues = taken
    }
}

/// C: `undertext_document_diagnostic`.
@c @implementation
public func undertext_document_diagnostic(
    _ document: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> undertext_status {
    unsafe message?.pointee = nil
    guard let handle = unsafe object(document, DocumentHandle.self), let message = unsafe message
    else { return UNDERTEXT_STATUS_INVALID_ARGUMENT }
    unsafe message.pointee = unsafe handle.nextDiagnostic()
    return unsafe message.pointee == nil ? UNDERTEXT_STATUS_END : UNDERTEXT_STATUS_OK
}

/// C: `undertext_document_free`.
@c @implementation
public func undertext_document_free(_ document: OpaquePointer?) {
    unsafe release(document, DocumentHandle.self)
}

/// C: `undertext_document_encode`.
@c @implementation
public func undertext_document_encode(
    _ document: OpaquePointer?, _ format: UnsafePointer<CChar>?,
    _ encoding: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe encoding?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let encoding = unsafe encoding else {
            throw .argument("the encoding output pointer is NULL")
        }
        let handle = try unsafe documentHandle(document)
        guard let name = unsafe text(format) else { throw .argument("the format is NULL") }
        let encoded = try attempt { () throws(UndertextError) in try handle.encoded(as: name) }
        unsafe encoding.pointee = owned(EncodingHandle(encoded))
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_encoding_get`.
@c @implementation
public func undertext_encoding_get(
    _ encoding: OpaquePointer?, _ index: Int, _ output: UnsafeMutablePointer<undertext_output>?
) -> undertext_status {
    guard let handle = unsafe object(encoding, EncodingHandle.self) else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    guard unsafe handle.files.indices.contains(index) else { return UNDERTEXT_STATUS_NOT_FOUND }
    return unsafe write(handle.files[index], to: output)
}

/// C: `undertext_encoding_losses`.
@c @implementation
public func undertext_encoding_losses(_ encoding: OpaquePointer?) -> UnsafePointer<CChar>? {
    unsafe object(encoding, EncodingHandle.self).flatMap { unsafe $0.losses }
}

/// C: `undertext_encoding_free`.
@c @implementation
public func undertext_encoding_free(_ encoding: OpaquePointer?) {
    unsafe release(encoding, EncodingHandle.self)
}
