import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

/// Folders of images: what programs that read BDN XML find in them, and how much reading one costs.
@Suite struct ImageFolderTests {
    private func extract(
        _ path: String, to folder: TemporaryDirectory,
        _ change: (inout ExtractionOptions) -> Void = { _ in }
    ) throws -> String {
        var options = ExtractionOptions()
        options.format = FormatRequest(text: .webVTT, bitmap: .bdn)
        options.destination = .directory(folder.path)
        change(&options)
        let report = try Extractor(options: options).extract(path)
        #expect(report.outcome == .complete)
        return try #require(report.tracks.first?.outputs.first?.file)
    }

    /// BDSup2Sub keeps only the last graphic of an event: each event has one, with all that is shown.
    @Test(arguments: ["bitmap/pgs/many-objects.sup", "bitmap/pgs/forced-apart.sup"])
    func eachEventHasOneImage(_ name: String) throws {
        let folder = TemporaryDirectory()
        let original = try Media(fixture(name)).subtitleTrack(id: 0).document().cues
        let images = original.compactMap { cue -> Raster? in
            guard case .images(let content) = cue.content else { return nil }
            return Raster(drawing: content.images)
        }
        let path = try extract(fixture(name), to: folder)
        let xml = try BDNReader.read(try #require(fileBytes(path + "/index.xml")))
        #expect(xml.events.count == original.count)
        #expect(xml.events.allSatisfy { $0.graphics.count == 1 })
        let listed = try ImageIndex.ownNames(in: path).filter { $0.hasSuffix(".png") }
        #expect(listed == xml.events.flatMap { $0.graphics.map(\.file) })
        let back = try Media(path).subtitleTrack(id: 0).document().cues
        #expect(back.map(\.start) == original.map(\.start))
        #expect(back.map(\.isForced) == original.map(\.isForced))
        for (cue, image) in zip(back, images) {
            guard case .images(let content) = cue.content else { continue }
            let found = try #require(content.images.first)
            #expect(content.images.count == 1)
            #expect([found.x, found.y] == [image.x, image.y])
            let pixels = Raster(found).pixels.map { $0.alpha == 0 ? .clear : $0 }
            #expect(pixels == image.pixels.map { $0.alpha == 0 ? .clear : $0 })
        }
    }

    @Test func imagesMayStayApart() throws {
        let folder = TemporaryDirectory()
        let path = try extract(fixture("bitmap/pgs/many-objects.sup"), to: folder) {
            $0.images.joinsImages = false
        }
        #expect(try ImageIndex.ownNames(in: path).contains("0001-2.png"))
    }

    private func document(_ names: [String]) throws -> BDNDocument {
        let events = names.enumerated().map { number, name in
            "<Event InTC=\"00:00:0\(number):00\" OutTC=\"00:00:0\(number):12\">"
                + "<Graphic X=\"0\" Y=\"0\">\(name)</Graphic></Event>"
        }
        return try BDNReader.read(
            Array(
                ("<BDN><Description><Format VideoFormat=\"1080p\" FrameRate=\"25\"/></Description>"
                    + "<Events>\(events.joined())</Events></BDN>").utf8))
    }

    private func record(_ name: String, _ start: String, _ end: String) -> String {
        "{\"type\":\"cue\",\"track\":0,\"start\":\(start),\"end\":\(end),"
            + "\"images\":[{\"file\":\"\(name)\"}]}"
    }

    /// An index counts whether its records are lines or members of one document.
    @Test(arguments: ["\n", ",", ",\n"]) func recordsOfAnIndex(_ separator: String) throws {
        func index(_ records: [String]) -> [UInt8] {
            let text = records.joined(separator: separator)
            return Array((separator == "\n" ? text : "{\"cues\":[\(text)]}").utf8)
        }
        let xml = try document(["0001.png", "0002.png"])
        let records = [record("0001.png", "0.001", "0.47"), record("0002.png", "1.002", "1.48")]
        let times = ImageTimes(index(records), of: xml)
        #expect(times.applied(to: xml)?.map(\.start) == [.milliseconds(1), .milliseconds(1002)])
        // An index that lists other images belongs to another folder.
        let more = records + [record("0003.png", "2", "2.5")]
        let foreign = ImageTimes(index(more), of: xml)
        #expect(foreign.applied(to: xml) == nil)
        let fewer = ImageTimes(index([records[0]]), of: xml)
        #expect(fewer.applied(to: xml) == nil)
    }

    /// Only files of events on screen in a window are opened.
    @Test func windowsReadNoOtherFiles() throws {
        let folder = TemporaryDirectory()
        let path = try extract(fixture("subtitles/bitmaps.sup"), to: folder)
        let file = try Media(path)
        let cue = try #require(try file.subtitleTrack(id: 0).document().cues.first)
        for name in names(in: path) where name.hasSuffix(".png") && name != "0001.png" {
            writeFile([1, 2, 3], to: path + "/" + name)
        }
        var codes: [String] = []
        let window = TimeWindow(from: cue.start, until: cue.start.advanced(by: .milliseconds(1)))
        let found = try Media(path).subtitleTrack(id: 0).document(in: window) {
            codes.append($0.code)
        }.cues
        #expect(found.map(\.content) == [cue.content])
        #expect(codes.isEmpty)
    }
}
