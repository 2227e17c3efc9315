import TestSupport
import Testing
import UndertextCore
import UndertextFormats
import UndertextIO
import UndertextPNG

@testable import Undertext

/// Limits for image folders, and cancellation of writing.
@Suite struct ImageInputTests {
    /// A folder whose one event shows white squares with these sides.
    private func folder(_ sides: [Int]) throws -> TemporaryDirectory {
        let folder = TemporaryDirectory()
        var graphics = ""
        for (number, side) in sides.enumerated() {
            let png = try PNGEncoder.encode(
                width: side, height: side, indices: [UInt8](repeating: 0, count: side * side),
                palette: [0xFFFF_FFFF])
            folder.write(png, to: "\(number).png")
            graphics += "<Graphic X=\"\(number * 40)\" Y=\"0\">\(number).png</Graphic>"
        }
        folder.write(
            "<BDN><Description><Format VideoFormat=\"1080p\" FrameRate=\"24\"/></Description><Events>"
                + "<Event InTC=\"00:00:01:00\" OutTC=\"00:00:02:00\" Forced=\"False\">\(graphics)"
                + "</Event></Events></BDN>", to: "index.xml")
        return folder
    }

    private func shown(_ sides: [Int], limit: Int) throws -> (sides: [Int], reported: [Diagnostic])
    {
        let folder = try folder(sides)
        var options = Media.Options()
        options.limits.canvas = limit
        var reported: [Diagnostic] = []
        let cues = try Media(folder.path, options: options).subtitleTrack(id: 0).document {
            reported.append($0)
        }.cues
        let found = cues.flatMap { cue -> [Int] in
            guard case .images(let content) = cue.content else { return [] }
            return content.images.map(\.bitmap.width)
        }
        return (found, reported)
    }

    /// The images of an event have no more pixels together than the largest canvas.
    @Test func eventsAreBounded() throws {
        let fitting = try shown([32, 32, 32, 32], limit: 64)
        #expect(fitting.sides == [32, 32, 32, 32] && fitting.reported.isEmpty)
        let many = try shown([48, 48, 32, 64], limit: 64)
        #expect(many.sides == [48, 32])
        #expect(many.reported.map(\.code) == ["limit-exceeded", "limit-exceeded"])
        #expect(many.reported.first?.message.states("1.png") == true)
    }

    @Test func packetsKeepWhatTheyAreGiven() {
        let images = [
            BDNPacket.Image(name: "ä.png", x: -5, y: 70_000, bytes: [1, 2, 3]),
            BDNPacket.Image(name: "", x: 0, y: 0, bytes: []),
        ]
        var packet = BDNPacket(isForced: true)
        for image in images { packet.add(image) }
        #expect(packet.count == 2)
        let parts = BDNPacket.parts(of: packet.bytes)
        #expect(parts.isForced && parts.images == images)
        for cut in truncations(of: packet.bytes) {
            let found = BDNPacket.parts(of: cut).images
            #expect(found == Array(images.prefix(found.count)))
        }
    }

    /// Times of a generated index are used only if it lists the same images at nearly the same times.
    @Test func timesOfAnIndex() throws {
        let text =
            "<BDN><Description><Format VideoFormat=\"1080p\" FrameRate=\"23.976\"/></Description>"
            + "<Events><Event InTC=\"00:00:01:00\" OutTC=\"00:00:02:00\" Forced=\"False\">"
            + "<Graphic X=\"0\" Y=\"0\">0001.png</Graphic></Event></Events></BDN>"
        let xml = try BDNReader.read(Array(text.utf8))
        func line(_ name: String, _ start: String, _ end: String, id: String = "") -> String {
            "{\"type\":\"cue\",\"track\":0,\"id\":\"\(id)\",\"start\":\(start),\"end\":\(end),"
                + "\"images\":[{\"file\":\"\(name)\",\"x\":0}]}\n"
        }
        func applied(_ index: String) -> [Timestamp]? {
            ImageTimes(Array(index.utf8), of: xml).applied(to: xml)?.flatMap {
                [$0.start, $0.end]
            }
        }
        let exact = line("0001.png", "1.000000001", "2.01")
        #expect(applied(exact) == [.init(nanoseconds: 1_000_000_001), .milliseconds(2010)])
        // A text that looks like a time is none.
        let odd = line("0001.png", "1.000000001", "2.01", id: ",\\\"start\\\":5,\\\"end\\\":6")
        #expect(applied(odd) == applied(exact))
        for other in [
            "", line("0002.png", "1.0", "2.0"), exact + line("0002.png", "3", "4"),
            line("0001.png", "1.1", "2.01"), line("0001.png", "1.0", "2.2"),
            line("0001.png", "1.0", "0.9"), line("0001.png", "-1.0", "2.0"),
            line("0001.png", "x", "2.0"),
        ] {
            #expect(applied(other) == nil, "\(other)")
        }
    }

    /// A writer in whose first call somebody stops the job.
    private struct StoppedWriter: ImageCueWriter {
        let cancellation: Cancellation
        let fileExtensions = ["sup"]
        let losses = ConversionLosses()
        var screenCount = 0

        mutating func write(_ cue: Cue, into output: inout [[UInt8]]) {
            cancellation.cancel()
            screenCount += 1
            output[0].append(1)
        }

        mutating func finish(into output: inout [[UInt8]]) {}

        let diagnostics = DiagnosticSink()
    }

    /// A sink whose writer stops `cancellation`, and the folder of its file.
    private func sink(
        canvas: PixelSize, stopping cancellation: Cancellation, isCancelledBy: Cancellation?
    ) -> (ImageFileSink, TemporaryDirectory) {
        let folder = TemporaryDirectory()
        let sink = ImageFileSink(
            writer: StoppedWriter(cancellation: cancellation),
            files: TrackFiles(
                [folder / "a.sup"], as: .pgs, replacing: false, standardOutput: nil),
            transform: ImageTransform(ImageOptions(), canvas: canvas, limits: Limits()),
            cancellation: isCancelledBy)
        return (sink, folder)
    }

    /// A white image that is shown for a second.
    private func cue(second: Int64, canvas: PixelSize, size: PixelSize) throws -> Cue {
        let bitmap = try #require(
            IndexedBitmap(
                width: size.width, height: size.height,
                indices: [UInt8](repeating: 0, count: size.width * size.height), palette: [.white]))
        let images = CueImages(
            canvas: canvas, images: [PlacedBitmap(x: 0, y: 0, bitmap: bitmap)])
        return Cue(
            order: Int(second), start: .seconds(second), end: .seconds(second + 1),
            content: .images(images))
    }

    @Test func writingOfImagesIsStoppedBetweenThem() throws {
        let cancellation = Cancellation()
        let canvas = PixelSize(width: 8, height: 8)
        let (sink, folder) = sink(
            canvas: canvas, stopping: cancellation, isCancelledBy: cancellation)
        for second in 0..<3 as Range<Int64> {
            try sink.write(
                cue(second: second, canvas: canvas, size: PixelSize(width: 1, height: 1)))
        }
        let stream = StreamDescription(index: 0, kind: .bitmap, codec: .pgs)
        let report = TrackReport(stream: stream, status: .empty, wasNamed: false)
        let error = #expect(throws: UndertextError.self) { try sink.finish(report) }
        #expect(error?.code == .cancelled)
        sink.abandon()
        #expect(folder.names.isEmpty)
    }

    /// Cues wait to be put in order, but not by the gigabyte.
    @Test func fewHugeImagesAreHeld() throws {
        let cancellation = Cancellation()
        let canvas = PixelSize(width: 4096, height: 4096)
        let (sink, folder) = sink(canvas: canvas, stopping: cancellation, isCancelledBy: nil)
        for second in 0..<2 as Range<Int64> {
            #expect(!cancellation.isCancelled)
            try sink.write(
                cue(second: second, canvas: canvas, size: PixelSize(width: 4096, height: 3000)))
        }
        // The first image was passed on, because two of them exceed the limit for waiting ones.
        #expect(cancellation.isCancelled)
        sink.abandon()
        #expect(folder.names.isEmpty)
    }
}
