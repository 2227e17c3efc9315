import Testing
import UndertextCore

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

@Test func jsonKeepsOrderAndEscapes() {
    let value = JSON.object([
        .init("b", .string("a\"\\\n\r\t\u{1}\u{7F}é")), .init("a", .array([.integer(1), .null])),
        .init("c", .bool(true)), .init("d", .object([])), .init("e", .array([])),
    ])
    #expect(
        text(value.compact)
            == #"{"b":"a\"\\\n\r\t\u0001\u007fé","a":[1,null],"c":true,"d":{},"e":[]}"#)
}

@Test func jsonIndentation() {
    let value = JSON.object([
        .init("a", .array([.integer(1), .integer(2)])), .init("b", .object([])),
    ])
    #expect(
        text(value.pretty) == "{\n    \"a\": [\n        1,\n        2\n    ],\n    \"b\": {}\n}")
}

@Test func secondsAreExact() {
    #expect(decimalSeconds(.zero) == "0.0")
    #expect(decimalSeconds(.milliseconds(1001)) == "1.001")
    #expect(decimalSeconds(Timestamp(nanoseconds: 1)) == "0.000000001")
    #expect(decimalSeconds(.milliseconds(-1500)) == "-1.5")
    #expect(decimalSeconds(.distantFuture) == "9223372036.854775807")
    #expect(decimalSeconds(Timestamp(nanoseconds: .min)) == "-9223372036.854775808")
}

@Test func decimalsAreShort() {
    #expect(text(JSON.decimal(100).compact) == "100")
    #expect(text(JSON.decimal(12.5).compact) == "12.5")
    #expect(text(JSON.decimal(-0.1).compact) == "-0.1")
    #expect(text(JSON.decimal(1.0 / 3).compact) == "0.333333")
    #expect(text(JSON.decimal(.nan).compact) == "null")
    #expect(text(JSON.decimal(.infinity).compact) == "null")
    #expect(text(JSON.decimal(1e300).compact) == "1e+300")
    #expect(text(JSON.decimal(-98_765_432_109_876).compact) == "-98765432109876")
    #expect(text(JSON.decimal(98_765_432_109.5).compact) == "98765432109.5")
    #expect(text(JSON.optional(nil).compact) == "null")
}
