import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The names of the conformance set in `Fixtures/captions`.
let teletextConformanceNames = [
    "boxes", "attributes", "sizes", "national", "second_set", "enhancements", "colors",
    "supplementary", "transmission", "errors",
]

/// The conformance set, whose screens another decoder computed.
@Suite struct TeletextConformanceTests {
    @Test(arguments: teletextConformanceNames)
    func screens(_ name: String) throws {
        let lines = TeletextLines.split(try fixtureBytes("captions/teletext-\(name).t42"))
        let expected = try #require(fileText(fixture("captions/teletext-\(name).screens")))
        var found: [String] = []
        for screen in TransmittedScreen.all(in: lines) where screen.isChanged {
            found.append("@\(screen.last)" + (screen.text.isEmpty ? "" : "\n" + screen.text))
        }
        let blocks = expected.split(separator: "\n\n").map {
            $0.hasSuffix("\n") ? String($0.dropLast()) : String($0)
        }
        for (one, other) in zip(found, blocks) { #expect(one == other, "\(name)") }
        #expect(found.count == blocks.count, "\(name)")
    }
}

/// A screen of a page at the end of a transmission.
struct TransmittedScreen {
    var screen: TeletextScreen
    /// The number of its last line, from 1.
    var last: Int
    /// The number of lines before the one that ends it.
    var end: Int
    /// `true` if it differs from the one before.
    var isChanged: Bool
    var text: String { dump(screen) }

    static func all(
        in lines: [ArraySlice<UInt8>], page: String = "page888"
    ) -> [TransmittedScreen] {
        var receiver = TeletextReceiver(page: TeletextPageAddress(service: page))
        var found: [TransmittedScreen] = []
        var last = 0
        func take(_ end: Int) {
            let screen = receiver.screen().screen
            let isChanged = found.last.map { dump($0.screen) != dump(screen) } ?? true
            found.append(.init(screen: screen, last: last, end: end, isChanged: isChanged))
        }
        for (index, bytes) in lines.enumerated() {
            guard let line = TeletextLine(bytes) else { continue }
            if receiver.isEnded(by: line) { take(index) }
            if receiver.receive(line) { last = index + 1 }
        }
        if receiver.isReceiving { take(lines.count) }
        return found
    }
}
