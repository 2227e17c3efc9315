import TestSupport
import Testing
import UndertextCore
import UndertextFormats
import UndertextIO
import UndertextPNG

@testable import Undertext

/// What a folder of pictures may ask for, and how writing is stopped.
@Suite struct PictureInputTests {
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

    private func shown(_ sides: [Int], limit: Int) throws -> (sides: [Int], told: [Diagnostic]) {
        let folder = try folder(sides)
        var options = MediaFile.Options()
        options.limits.canvas = limit
        var told: [Diagnostic] = []
        let cues = try MediaFile(folder.path, options: options).cues(ofStream: 0) {
            told.append($0)
        }
        let found = cues.flatMap { cue -> [Int] in
            guard case .pictures(let content) = cue.content else { return [] }
            return content.pictures.map(\.bitmap.width)
        }
        return (found, told)
    }

    /// The pictures of an event have no more pixels together than the largest canvas.
    @Test func eventsAreBounded() throws {
        let fitting = try shown([32, 32, 32, 32], limit: 64)
        #expect(fitting.sides == [32, 32, 32, 32] && fitting.told.isEmpty)
        let many = try shown([48, 48, 32, 64], limit: 64)
        #expect(many.sides == [48, 32])
        #expect(many.told.map(\.code) == ["limit-exceeded", "limit-exceeded"])
        #expect(many.told.first?.message.states("1.png") == true)
    }

    @Test func packetsKeepWhatTheyAreGiven() {
        let pictures = [
            PictureFolderPacket.Picture(name: "ä.png", x: -5, y: 70_000, bytes: [1, 2, 3]),
            PictureFolderPacket.Picture(name: "", x: 0, y: 0, bytes: []),
        ]
        var packet = PictureFolderPacket(isForced: true)
        for picture in pictures { packet.add(picture) }
        #expect(packet.count == 2)
        let parts = PictureFolderPacket.parts(of: packet.bytes)
        #expect(parts.isForced && parts.pictures == pictures)
        for cut in truncations(of: packet.bytes) {
            let found = PictureFolderPacket.parts(of: cut).pictures
            #expect(found == Array(pictures.prefix(found.count)))
        }
    }

    /// Times of an index of ours count only where it lists the same pictures at nearly those times.
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
            PictureTimes(Array(index.utf8), of: xml).applied(to: xml)?.flatMap {
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
    private struct StoppedWriter: PictureCueWriter {
        let cancellation: Cancellation
        let fileExtensions = ["sup"]
        let losses = LossLedger()
        var screenCount = 0

        mutating func write(_ cue: Cue, into output: inout [[UInt8]]) {
            cancellation.cancel()
            screenCount += 1
            output[0].append(1)
        }

        mutating func finish(into output: inout [[UInt8]]) {}

        mutating func takeDiagnostics() -> [Diagnostic] { [] }
    }

    /// A sink whose writer stops `cancellation`, and the folder of its file.
    private func sink(
        canvas: PixelSize, stopping cancellation: Cancellation, isCancelledBy: Cancellation?
    ) -> (PictureFileSink, TemporaryDirectory) {
        let folder = TemporaryDirectory()
        let sink = PictureFileSink(
            writer: StoppedWriter(cancellation: cancellation), format: .sup,
            targets: OutputTargets(
                paths: [folder / "a.sup"], replacing: false, standardOutput: nil),
            transform: PictureTransform(PictureOptions(), canvas: canvas, limits: Limits()),
            cancellation: isCancelledBy)
        return (sink, folder)
    }

    /// A white picture that is shown for a second.
    private func cue(second: Int64, canvas: PixelSize, size: PixelSize) throws -> Cue {
        let bitmap = try #require(
            IndexedBitmap(
                width: size.width, height: size.height,
                indices: [UInt8](repeating: 0, count: size.width * size.height), palette: [.white]))
        let pictures = CuePictures(
            canvas: canvas, pictures: [PlacedBitmap(x: 0, y: 0, bitmap: bitmap)])
        return Cue(
            order: Int(second), start: .seconds(second), end: .seconds(second + 1),
            content: .pictures(pictures))
    }

    @Test func writingOfPicturesIsStoppedBetweenThem() throws {
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
        let error = #expect(throws: OutputError.self) { try sink.finish(report) }
        #expect(error?.code == .cancelled)
        sink.abandon()
        #expect(folder.names.isEmpty)
    }

    /// Cues wait to be put in order, but not by the gigabyte.
    @Test func fewHugePicturesAreHeld() throws {
        let cancellation = Cancellation()
        let canvas = PixelSize(width: 4096, height: 4096)
        let (sink, folder) = sink(canvas: canvas, stopping: cancellation, isCancelledBy: nil)
        for second in 0..<2 as Range<Int64> {
            #expect(!cancellation.isCancelled)
            try sink.write(
                cue(second: second, canvas: canvas, size: PixelSize(width: 4096, height: 3000)))
        }
        // The first one was handed on, as two of them are more than may wait.
        #expect(cancellation.isCancelled)
        sink.abandon()
        #expect(folder.names.isEmpty)
    }
}
