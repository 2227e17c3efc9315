import TestSupport
import Testing
import UndertextCore

/// JSON from anybody (RFC 8259).
@Suite struct JSONParsingTests {
    private func parse(_ text: String) throws(UndertextError) -> JSON {
        try JSON(parsing: text.utf8)
    }

    @Test func readsValues() throws {
        #expect(try parse("null") == .null)
        #expect(try parse(" [true, false ,null] ") == .array([.bool(true), .bool(false), .null]))
        #expect(try parse("{}") == .object([]))
        #expect(try parse("[]") == .array([]))
        #expect(try parse("\u{FEFF}0") == .number("0"))
        for number in ["0", "-0", "12", "-1.50", "1e5", "1E+5", "0.1e-7"] {
            #expect(try parse(number) == .number(number))
        }
        #expect(
            try parse(#"{"a":1,"b":{"a":[2]},"a":3}"#)
                == .object([
                    .init("a", .number("1")),
                    .init("b", .object([.init("a", .array([.number("2")]))])),
                    .init("a", .number("3")),
                ]))
    }

    @Test func readsStrings() throws {
        #expect(
            try parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#)
                == .string("\"\\/\u{8}\u{C}\n\r\té😀é"))
        // Halves of a pair, and bytes that are no UTF-8.
        #expect(try parse(#""\ud83dx\ude00\ud83d\u0041""#) == .string("\u{FFFD}x\u{FFFD}\u{FFFD}A"))
        #expect(try JSON(parsing: [0x22, 0xFF, 0x41, 0x22]) == .string("\u{FFFD}A"))
    }

    @Test(arguments: [
        "", " ", "nul", "truefalse", "1 2", "01", "-", "1.", ".5", "1e", "+1", "NaN", "'a'", "\"a",
        "\"\n\"", #""\x""#, #""\u12g4""#, "[1,]", "[1 2]", "[", "{", "{a:1}", #"{"a"}"#,
        #"{"a":1,}"#,
        #"{"a":1 "b":2}"#, "]", "[}", "\u{A0}1", "//x\n1",
    ])
    func refuses(_ text: String) {
        #expect(throws: UndertextError.self) { try parse(text) }
    }

    @Test func keepsItsLimits() throws {
        let deep = [UInt8](repeating: 0x5B, count: 100_000)
        #expect(throws: UndertextError(.malformed, "it is nested too deeply", byteOffset: 64)) {
            try JSON(parsing: deep)
        }
        #expect(try JSON(parsing: "[[1]]".utf8, depth: 2) == .array([.array([.number("1")])]))
        #expect(throws: UndertextError.self) { try JSON(parsing: "[[1]]".utf8, depth: 1) }
        #expect(throws: UndertextError.self) { try JSON(parsing: "[1,2,3]".utf8, values: 3) }
        #expect(try JSON(parsing: "[1,2]".utf8, values: 3).elements.count == 2)
    }

    @Test func writtenFilesAreRead() throws {
        let value = JSON.object([
            .init("text", .string("a\"\\\n\u{1}é😀")), .init("list", .array([.integer(5), .null])),
            .init("", .bool(false)),
        ])
        #expect(try JSON(parsing: value.compact) == value)
        #expect(try JSON(parsing: value.pretty) == value)
    }

    @Test func valuesAreReadLeniently() throws {
        let value = try parse(
            #"{"n":5,"s":"6","d":7.0,"f":7.5,"t":true,"o":1,"z":"0","e":"","big":1e300,"x":null}"#)
        #expect(value["n"]?.wholeNumber == 5)
        #expect(value["s"]?.wholeNumber == 6)
        #expect(value["d"]?.wholeNumber == 7)
        #expect(value["f"]?.wholeNumber == nil)
        #expect(value["f"]?.fraction == 7.5)
        #expect(value["big"]?.wholeNumber == nil)
        #expect(value["t"]?.flag == true)
        #expect(value["o"]?.flag == true)
        #expect(value["z"]?.flag == false)
        #expect(value["e"]?.text == nil)
        #expect(value["n"]?.identifier == "5")
        #expect(value["s"]?.identifier == "6")
        #expect(value["x"]?.text == nil)
        #expect(value["y"] == nil)
        #expect(value["n"]?["y"] == nil)
        #expect(value.elements.isEmpty)
        #expect(value["n"]?.members.isEmpty == true)
    }

    /// Values that follow one another, token by token.
    @Test func tokens() throws {
        var parser = JSONParser(
            Array("{\"a\\n\": [1.5e3, \"x\", []], \"b\": {}}\n true null".utf8))
        var tokens: [JSONParser.Token] = []
        var texts: [String] = []
        var deepest = 0
        while let token = try parser.next() {
            tokens.append(token)
            if [.name, .string, .number].contains(token) { texts.append(parser.text) }
            deepest = max(deepest, parser.depth)
        }
        #expect(
            tokens == [
                .objectStart, .name, .arrayStart, .number, .string, .arrayStart, .arrayEnd,
                .arrayEnd, .name, .objectStart, .objectEnd, .objectEnd, .bool(true), .null,
            ])
        #expect(texts == ["a\n", "1.5e3", "x", "b"])
        #expect(deepest == 3 && parser.depth == 0)
        #expect(try parser.next() == nil)
    }

    @Test func damageIsAnErrorOrAValue() {
        let bytes = Array(
            #"{"data":[{"id":"1","attributes":{"files":[{"file_id":10}],"x":"\ud83d\ude00é"}}],"n":-1.5e3}"#
                .utf8)
        for damaged in truncations(of: bytes) {
            #expect(throws: UndertextError.self) { try JSON(parsing: damaged) }
        }
        var errors = 0
        for damaged in bitFlips(of: bytes, count: 2000) {
            do { _ = try JSON(parsing: damaged) } catch {
                errors += 1
                #expect(error.byteOffset.map { $0 <= damaged.count } == true)
            }
        }
        #expect(errors > 100)
    }
}
