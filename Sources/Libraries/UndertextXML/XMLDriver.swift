internal import CUndertextExpat

/// The state of expat's callbacks during one parse.
@safe
final class XMLDriver {
    private let parser: XML_Parser
    private let handler: any XMLHandler
    private let depthAtMost: Int
    private var depth = 0
    private var pending: [UInt8] = []
    /// The reason why the handler ended the parsing.
    private(set) var refusal: XMLError?
    /// `true` if the handler had enough.
    private(set) var hasStopped = false

    init(parser: XML_Parser, handler: any XMLHandler, depth: Int) {
        unsafe self.parser = unsafe parser
        self.handler = handler
        depthAtMost = depth
    }

    static func of(_ data: UnsafeMutableRawPointer?) -> XMLDriver? {
        unsafe data.map { unsafe Unmanaged<XMLDriver>.fromOpaque($0).takeUnretainedValue() }
    }

    func start(
        _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard goesOn else { return }
        flush()
        depth += 1
        guard depth <= depthAtMost else {
            refuse(XMLError(.depth, "elements are nested more than \(depthAtMost) deep"))
            return
        }
        var list: [XMLAttribute] = []
        var place = 0
        // Names and values in turn, a null pointer after the last one.
        while let attributes = unsafe attributes, let key = unsafe attributes[place],
            let value = unsafe attributes[place + 1]
        {
            unsafe list.append(XMLAttribute(String(cString: key), String(cString: value)))
            place += 2
        }
        unsafe handler.start(String(cString: name), attributes: list)
        stopIfDone()
    }

    func end(_ name: UnsafePointer<CChar>) {
        guard goesOn else { return }
        flush()
        depth -= 1
        unsafe handler.end(String(cString: name))
        stopIfDone()
    }

    func text(_ text: UnsafePointer<CChar>, _ count: Int32) {
        guard goesOn else { return }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
        unsafe pending.append(contentsOf: bytes)
    }

    /// Ends the reading with an error.
    func refuse(_ error: XMLError) {
        if refusal == nil { refusal = error }
        unsafe XML_StopParser(parser, 0)
    }

    /// Reports text that arrived in pieces.
    func flush() {
        guard !pending.isEmpty, goesOn else { return }
        handler.text(String(decoding: pending, as: UTF8.self))
        pending.removeAll(keepingCapacity: true)
    }

    private var goesOn: Bool { refusal == nil && !hasStopped }

    private func stopIfDone() {
        guard !handler.wantsMore, goesOn else { return }
        hasStopped = true
        unsafe XML_StopParser(parser, 0)
    }
}
