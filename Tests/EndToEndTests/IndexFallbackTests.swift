import TestSupport
import Testing
import Undertext
import UndertextCore

/// An index entry beside a block: blocks are walked over instead, without a visible difference.
@Suite struct IndexFallbackTests {
    /// The position of the wrong entry among those of its track.
    enum Entry: CaseIterable { case first, last }

    let folder = TemporaryDirectory()
    let intact = fixture("containers/movie.mkv")

    /// The path of a copy of the movie whose index has one wrong entry for a track.
    ///
    /// `number` is the track's number in the file: that of the stream plus one.
    func lying(_ number: UInt8, _ entry: Entry) throws -> String {
        var bytes = try fixtureBytes("containers/movie.mkv")
        let cues = try #require(positions(of: [0x1C, 0x53, 0xBB, 0x6B], in: bytes, from: 0).last)
        // CueTrack, then CueRelativePosition after the CueClusterPosition.
        let entries = positions(of: [0xF7, 0x81, number], in: bytes, from: cues)
        let start = try #require(entry == .first ? entries.first : entries.last)
        let element = try #require(bytes[(start + 3)...].firstIndex(of: 0xF0))
        try #require(element < start + 12)
        bytes[element + 1 + Int(bytes[element + 1] & 0x7F)] &+= 1
        return folder.write(bytes, to: "movie.mkv")
    }

    private func positions(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> [Int] {
        bytes.indices.dropLast(pattern.count - 1).filter {
            $0 >= start && bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
        }
    }

    @Test(arguments: [UInt8(3), 7, 8, 9], Entry.allCases)
    func outputsAreThoseOfTheIntactFile(_ number: UInt8, _ entry: Entry) throws {
        let liar = try lying(number, entry)
        let ours = folder.path + "/ours"
        let theirs = folder.path + "/theirs"
        let run = Command.reported(["extract", "--format", "native", "-o", ours, liar])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(
            Command.undertext("extract", "--format", "native", "-o", theirs, intact).status == 0)
        #expect(names(in: ours) == names(in: theirs))
        #expect(!names(in: ours).isEmpty)
        for name in names(in: theirs) {
            let isEqual = fileBytes(ours + "/" + name) == fileBytes(theirs + "/" + name)
            #expect(isEqual, "\(name)")
        }
        let io = run.inputs.first?["io"]
        #expect(io?["path"]?.text == "walk")
        let refused = io?["refused"]?.elements ?? []
        #expect(refused.map { $0["path"]?.text } == ["index"])
        #expect(refused.allSatisfy { $0["reason"]?.text != nil })
    }

    @Test(arguments: Entry.allCases)
    func aTrackOnStandardOutputIsThatOfTheIntactFile(_ entry: Entry) throws {
        let liar = try lying(4, entry)
        let ours = Command.undertext("extract", "-o", "-", "--tracks", "pt-BR", liar)
        let theirs = Command.undertext("extract", "-o", "-", "--tracks", "pt-BR", intact)
        #expect(ours.status == 0, "\(ours.stderr)")
        #expect(ours.text == theirs.text)
        #expect(ours.text.contains(" --> "))
    }

    @Test(arguments: [UInt8(3), 8], Entry.allCases)
    func recordsOnStandardOutputAreThoseOfTheIntactFile(_ number: UInt8, _ entry: Entry) throws {
        let ours = Command.undertext(
            "extract", "--format", "json", "-o", "-", try lying(number, entry))
        let theirs = Command.undertext("extract", "--format", "json", "-o", "-", intact)
        #expect(ours.status == 0, "\(ours.stderr)")
        let wanted = records(theirs.text)
        #expect(wanted.count == 7)
        #expect(records(ours.text) == wanted)
    }

    /// Tracks and cues in order, by track: how tracks are interleaved is the read path's affair.
    private func records(_ text: String) -> [String: [Substring]] {
        let lines = text.split(separator: "\n").filter {
            jsonValue("type", in: $0) == "track" || jsonValue("type", in: $0) == "cue"
        }
        return Dictionary(grouping: lines) { jsonValue("track", in: $0) ?? "" }
    }

    @Test(arguments: Entry.allCases)
    func theDeepProbeSucceeds(_ entry: Entry) throws {
        let result = Command.undertext("probe", "--deep", try lying(3, entry))
        #expect(result.status == 0, "\(result.stderr)")
    }

    @Test(arguments: [UInt8(3), 7, 8, 9], Entry.allCases)
    func theLibraryGivesTheSameCues(_ number: UInt8, _ entry: Entry) throws {
        let stream = Int(number) - 1
        let ours = try Media(try lying(number, entry)).subtitleTrack(id: stream).document().cues
        let theirs = try Media(intact).subtitleTrack(id: stream).document().cues
        #expect(!theirs.isEmpty)
        #expect(ours == theirs)
    }
}
