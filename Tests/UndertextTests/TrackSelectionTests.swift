import Testing
import UndertextCore

@testable import Undertext

@Suite struct TrackSelectionTests {
    static let streams = [
        StreamDescription(index: 0, kind: .video, codec: CodecID(rawValue: "h264")),
        StreamDescription(
            index: 1, kind: .text, codec: .subRip, language: LanguageTag("eng"),
            disposition: [.default]),
        StreamDescription(
            index: 2, kind: .text, codec: .subRip, language: LanguageTag("fre"),
            disposition: [.forced]),
        StreamDescription(index: 3, kind: .bitmap, codec: .pgs, language: LanguageTag("en-US")),
        StreamDescription(
            index: 4, kind: .bitmap, codec: .pgs, disposition: [.hearingImpaired]),
    ]

    func indices(_ text: String) throws -> [Int] {
        let selection = try TrackSelection(parsing: text)
        return Self.streams.filter(selection.takes).map(\.index)
    }

    @Test(arguments: [
        ("all", [1, 2, 3, 4]), ("en", [1, 3]), ("eng", [1, 3]), ("en-US", [3]), ("ger", []),
        ("fra", [2]), ("text", [1, 2]), ("bitmap", [3, 4]), ("forced", [2]), ("sdh", [4]),
        ("en+text", [1]), ("en+text,fr+forced", [1, 2]), ("3", [3]), ("0", []), ("und", [4]),
        ("EN+Bitmap", [3]), ("fr+sdh", []),
    ])
    func takes(_ text: String, _ expected: [Int]) throws {
        #expect(try indices(text) == expected)
    }

    /// Of a stream that was not opened it is not known whether it is text.
    @Test(arguments: [
        ("all", [1, 2, 3, 4]), ("en", [1, 3]), ("en+bitmap", [1, 3]), ("bitmap", [1, 2, 3, 4]),
        ("fr+text,sdh", [2, 4]), ("3", [3]), ("0", []), ("ger", []),
    ])
    func mayTake(_ text: String, _ expected: [Int]) throws {
        let selection = try TrackSelection(parsing: text)
        #expect(Self.streams.filter(selection.mayTake).map(\.index) == expected)
    }

    @Test(arguments: ["", ",", "en,", "en++text", "e n", "99999999999999999999", "-1", "en/../x"])
    func refuses(_ text: String) {
        #expect(throws: UndertextError.self) { try TrackSelection(parsing: text) }
    }

    /// Services of video, and tracks that are the first one.
    @Test(arguments: [
        ("cc", [1, 2, 3, 4, 5]), ("cc1", [1, 4]), ("CC3", [2]), ("service1", [5]),
        ("service63", []),
        ("Service2", [3]), ("page888", [6]), ("cc1+en", [1]), ("t1", []),
    ])
    func takesServices(_ text: String, _ expected: [Int]) throws {
        func stream(_ index: Int, _ codec: CodecID, _ service: String?) -> StreamDescription {
            var stream = StreamDescription(index: index, kind: .text, codec: codec)
            stream.service = service
            if index == 1 { stream.language = LanguageTag("en") }
            return stream
        }
        let streams = [
            stream(1, .cea608, "CC1"), stream(2, .cea608, "CC3"), stream(3, .cea708, "SERVICE2"),
            stream(4, .cea608, nil), stream(5, .cea708, nil), stream(6, .teletext, "page888"),
            stream(7, .subRip, nil),
        ]
        let selection = try TrackSelection(parsing: text)
        #expect(streams.filter(selection.takes).map(\.index) == expected)
    }

    @Test(arguments: ["cc0", "cc5", "service0", "service64", "service01", "page99", "page900"])
    func refusesServicesThatCannotBe(_ text: String) {
        // Some of them are well-formed language tags.
        guard let selection = try? TrackSelection(parsing: text) else { return }
        #expect(selection.services.isEmpty && !selection.namesCaptions(besides: 1))
    }

    @Test func namingIsMoreThanAll() throws {
        #expect(!TrackSelection.all.names(Self.streams[1]))
        #expect(try TrackSelection(parsing: "all,3").names(Self.streams[3]))
        #expect(try !TrackSelection(parsing: "all,3").names(Self.streams[4]))
        #expect(try TrackSelection(parsing: "bitmap").names(Self.streams[4]))
    }

    @Test(arguments: [
        ("frced", "forced"), ("Bitmpa", "bitmap"), ("teletxt", "teletext"), ("servic1", "service1"),
    ])
    func mistypedWordsAreSuggested(_ term: String, _ word: String) {
        let error = #expect(throws: UndertextError.self) { try TrackSelection(parsing: term) }
        #expect(error?.message.hasSuffix("; did you mean '\(word)'?") == true, "\(error as Any)")
    }
}
