import TestSupport
import Testing
import UndertextXML

/// Writes down what it gets.
private final class Recorder: XMLHandler {
    var events: [String] = []
    var limit = Int.max
    var wantsMore: Bool { events.count < limit }

    func start(_ name: String, attributes: [XMLAttribute]) {
        events.append("<\(name)\(attributes.map { " \($0.name)=\($0.value)" }.joined())>")
    }

    func end(_ name: String) { events.append("</\(name)>") }

    func text(_ text: String) { events.append(text) }
}

@Suite struct XMLReaderTests {
    private func events(_ text: String, depth: Int = 256) throws(XMLError) -> [String] {
        let recorder = Recorder()
        try XMLReader.read(Array(text.utf8), handler: recorder, depth: depth)
        return recorder.events
    }

    private func code(_ text: String, depth: Int = 256) -> XMLError.Code? {
        do throws(XMLError) {
            _ = try events(text, depth: depth)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func elementsAttributesAndText() throws {
        let found = try events(
            "<?xml version=\"1.0\"?><a x=\"1&lt;2\" y='ü'>one &amp; <b/>two<![CDATA[<3>]]></a>")
        #expect(found == ["<a x=1<2 y=ü>", "one & ", "<b>", "</b>", "two<3>", "</a>"])
    }

    @Test func doctypesAreRefused() {
        #expect(code("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>") == .doctype)
        #expect(code("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>") == .doctype)
        #expect(code("<a>&b;</a>") == .malformed)
    }

    @Test func depthIsLimited() {
        let deep = String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300)
        #expect(code(deep) == .depth)
        #expect(code(deep, depth: 300) == nil)
    }

    @Test func errorsSayWhere() {
        do throws(XMLError) {
            _ = try events("<a>\n<b></a>")
            Issue.record("it was read")
        } catch {
            #expect(error.line == 2 && error.code == .malformed)
        }
        #expect(code("") == .malformed)
        #expect(code("<a/><b/>") == .malformed)
        #expect(code("<a>\u{1}</a>") == .malformed)
    }

    @Test func aHandlerMayHaveEnough() throws {
        let recorder = Recorder()
        recorder.limit = 2
        try XMLReader.read(Array("<a><b/><c/>".utf8), handler: recorder)
        #expect(recorder.events == ["<a>", "<b>"])
    }

    @Test func otherEncodings() throws {
        let recorder = Recorder()
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>ü</a>"
        var bytes: [UInt8] = [0xFE, 0xFF]
        for unit in text.utf16 { bytes += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        try XMLReader.read(bytes, handler: recorder)
        #expect(recorder.events == ["<a>", "ü", "</a>"])
    }

    @Test func damage() {
        let text = "<?xml version=\"1.0\"?><a x=\"1\"><b>text &amp; more</b><c y='2'/></a>"
        for bytes in truncations(of: Array(text.utf8)) {
            #expect(throws: XMLError.self) { try XMLReader.read(bytes, handler: Recorder()) }
        }
        for bytes in bitFlips(of: Array(text.utf8), count: 2000) {
            let recorder = Recorder()
            try? XMLReader.read(bytes, handler: recorder)
            #expect(recorder.events.count <= text.utf8.count)
        }
    }

    @Test func textLongerThanAPart() throws {
        let long = String(repeating: "abc ", count: 700_000)
        #expect(try events("<a>\(long)</a>") == ["<a>", long, "</a>"])
    }
}
