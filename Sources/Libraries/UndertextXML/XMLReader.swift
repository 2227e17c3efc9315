internal import CUndertextExpat

/// Receives the elements and texts of an XML document, in order.
package protocol XMLHandler: AnyObject {
    /// An element begins.
    func start(_ name: String, attributes: [XMLAttribute])
    /// An element ends.
    func end(_ name: String)
    /// Text within an element, whole up to the next tag.
    func text(_ text: String)
    /// Asked after each of these: `false` ends the reading without an error.
    var wantsMore: Bool { get }
}

extension XMLHandler {
    /// Reads to the end.
    package var wantsMore: Bool { true }
}

/// An attribute of an element: names as they are written, prefixes included.
package struct XMLAttribute: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The value, references resolved.
    package var value: String

    /// Creates an attribute.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Reads XML 1.0; C: expat.
///
/// A document type declaration is refused where it begins: it is what entity bombs and references to
/// other files are made of. UTF-8, UTF-16, ISO 8859-1 and US-ASCII are read.
package enum XMLReader {
    /// Parses a complete document.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - handler: receives its elements and texts.
    ///   - depth: the maximum nesting of elements.
    /// - Throws: ``XMLError``; everything before the error has been reported.
    package static func read(
        _ bytes: [UInt8], handler: any XMLHandler, depth: Int = 256
    ) throws(XMLError) {
        guard let parser = unsafe XML_ParserCreate(nil) else {
            throw XMLError(.memory, "there is not enough memory to read XML")
        }
        defer { unsafe XML_ParserFree(parser) }
        let driver = unsafe XMLDriver(parser: parser, handler: handler, depth: depth)
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(driver).toOpaque())
        unsafe install(in: parser)
        let result = withExtendedLifetime(driver) { unsafe feed(bytes, to: parser) }
        driver.flush()
        if let refusal = driver.refusal {
            throw unsafe located(refusal, parser)
        }
        guard !driver.hasStopped, result == XML_STATUS_ERROR else { return }
        let code = unsafe XML_GetErrorCode(parser)
        let said = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
        throw unsafe located(XMLError(.malformed, "it is not XML: \(said ?? "damaged")"), parser)
    }

    /// Bytes that one call takes, whose number is an `int`.
    private static let partSize = 1 << 20

    private static func feed(_ bytes: [UInt8], to parser: XML_Parser) -> XML_Status {
        unsafe bytes.withUnsafeBytes { buffer in
            var start = 0
            repeat {
                let count = min(partSize, buffer.count - start)
                let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<start + count])
                let isLast: Int32 = start + count == buffer.count ? 1 : 0
                let status = unsafe XML_Parse(
                    parser, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count),
                    isLast)
                guard status == XML_STATUS_OK else { return status }
                start += count
            } while start < buffer.count
            return XML_STATUS_OK
        }
    }

    private static func install(in parser: XML_Parser) {
        unsafe XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let name = unsafe name else { return }
                unsafe XMLDriver.of(data)?.start(name, attributes)
            },
            { data, name in
                guard let name = unsafe name else { return }
                unsafe XMLDriver.of(data)?.end(name)
            })
        unsafe XML_SetCharacterDataHandler(parser) { data, text, count in
            guard let text = unsafe text else { return }
            unsafe XMLDriver.of(data)?.text(text, count)
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            unsafe XMLDriver.of(data)?.refuse(
                XMLError(.doctype, "a document type declaration is not read"))
        }
    }

    private static func located(_ error: XMLError, _ parser: XML_Parser) -> XMLError {
        var error = error
        error.line = unsafe Int(clamping: XML_GetCurrentLineNumber(parser))
        error.byteOffset = unsafe Int(clamping: XML_GetCurrentByteIndex(parser))
        return error
    }
}
