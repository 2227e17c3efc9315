import TestSupport
import Testing
import Undertext
import UndertextCore

/// Single flipped bits in what leads to blocks: no cue is lost without a word.
@Suite(.requires("ffmpeg", "mkvmerge")) struct MatroskaDamageTests {
    /// Files of the muxers that a proof knows, with more clusters than it looks into.
    private static let films: [(name: String, bytes: [UInt8])] = {
        let fixtures = ["movie.webm", "movie-ffmpeg.mkv", "movie.mkv"].compactMap { name in
            fileBytes(fixture("containers/" + name)).map { (name: name, bytes: $0) }
        }
        let folder = TemporaryDirectory()
        for track in 0..<4 { folder.write(subRip(track), to: "\(track).srt") }
        let ffmpeg =
            "-v error -f lavfi -i nullsrc=s=32x32:r=2:d=120 -i 0.srt -i 1.srt -i 2.srt -map 0 -map 1 "
            + "-map 2 -map 3 -g 8"
        let mkvmerge = "lavf.mkv -q --cluster-length 5000ms"
        let commands = [
            ("ffmpeg", "\(ffmpeg) -c:v libvpx -c:s webvtt", "lavf.webm"),
            ("ffmpeg", "\(ffmpeg) -c:v mpeg4 -c:s copy", "lavf.mkv"),
            ("ffmpeg", "\(ffmpeg) -c:v mpeg4 -c:s copy -write_crc32 0", "no-checksums.mkv"),
            ("mkvmerge", "\(mkvmerge) -o", "merged.mkv"),
            ("mkvmerge", "\(mkvmerge) --disable-track-statistics-tags -o", "no-statistics.mkv"),
        ]
        return fixtures
            + commands.compactMap { tool, arguments, name in
                let list = arguments.split(separator: " ").map { String($0) }
                let made = run(tool, list + [name], directory: folder.path)
                guard made.status == 0, let bytes = fileBytes(folder / name) else {
                    Issue.record("\(name): \(made.stderr)")
                    return nil
                }
                return (name, bytes)
            }
    }()

    /// A cue every three seconds; two at once now and then.
    private static func subRip(_ track: Int) -> String {
        func time(_ milliseconds: Int) -> String {
            let seconds = milliseconds / 1000
            return "00:0\(seconds / 60):\(String(seconds % 60 + 100).dropFirst()),"
                + "\(String(milliseconds % 1000 + 1000).dropFirst())"
        }
        var lines: [String] = []
        for place in 0..<36 {
            let start = place * 3000 + track * 400 + 100
            let count = place % 7 == 3 ? 2 : 1
            for copy in 0..<count {
                lines.append(
                    "\(lines.count + 1)\n\(time(start)) --> \(time(start + 1500 + 100 * copy))\n"
                        + "Track \(track) line \(place) \(copy)\n")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// `UNDERTEXT_DAMAGE_FACTOR=25` makes 5000 flips of them.
    @Test func noCueIsLostSilently() throws {
        FFmpegInfo.silenceLog()
        var total = FlipCount()
        for (place, film) in Self.films.enumerated() {
            let places = MatroskaPlaces(film.bytes)
            let input = MediaInput.bytes(film.bytes, name: film.name)
            let first = try #require(try Media(input).subtitleTracks.first).id
            let ranges: [(ranges: [Range<Int>], count: Int, single: Int?)] = [
                (places.index, 10, nil), (places.surroundings, 2, nil), (places.index, 5, first),
                (places.header, 4, nil), (places.clusterStarts, 4, nil),
            ]
            var count = FlipCount()
            for (kind, (ranges, times, single)) in ranges.enumerated() {
                count.flip(
                    film.name, film.bytes, in: ranges, count: times * damageFactor,
                    seed: UInt64(place) << 8 + UInt64(kind), single: single)
            }
            print(film.name, count)
            total += count
        }
        print("all", total)
        #expect(total.flips >= 3 * 25 * damageFactor)
        #expect(total.lost == [])
        #expect(total.vanished == [])
    }
}
