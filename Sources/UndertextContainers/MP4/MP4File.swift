package import UndertextCore

/// The tracks of an MP4 or QuickTime file, and readers for the samples of some of them.
///
/// Only the headers of boxes and what the tracks say of themselves are read; the lists of samples
/// are read of those tracks that packets are wanted of. ISO/IEC 14496-12.
package struct MP4File {
    /// The extensions of the names of such files.
    package static let fileExtensions: Set<String> = ["mp4", "m4v", "m4a", "m4b", "mov"]

    /// The tracks in the order of the file, those that could be read.
    package private(set) var tracks: [MP4Track] = []
    /// `true` if samples are listed fragment by fragment.
    package private(set) var isFragmented = false
    /// `true` if `moov` is not whole: of a pipe only the beginning is known.
    package private(set) var isCut = false
    /// The diagnostics.
    package private(set) var diagnostics: [Diagnostic] = []

    /// The protection of the samples; `nil` if none is stated.
    package private(set) var drmInfo: DRMInfo?

    let boxes: MP4BoxReader
    let limits: Limits
    let cancellation: Cancellation?
    var source: any RandomAccessSource { boxes.window.source }
    /// The default values of fragments by track.
    private(set) var defaults: [Int64: MP4FragmentDefaults] = [:]
    /// The offset of the box after `moov`.
    private(set) var behindMovie: UInt64 = 0

    /// Boxes before `moov` at most: media data in pieces.
    private static let boxesAtMost = 100_000
    /// The most that is read of the header of a track.
    private static let headerSize = 1 << 20

    /// Reads the headers of a file.
    ///
    /// - Throws: `UndertextError`: `notMedia` where there are no tracks, otherwise what the source throws.
    package init(
        source: any RandomAccessSource, limits: Limits = Limits(), cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        self.limits = limits
        self.cancellation = cancellation
        boxes = MP4BoxReader(window: SourceWindow(source, cancellation: cancellation))
        guard let size = source.size else { throw Self.noTracks(source) }
        var offset: UInt64 = 0
        for _ in 0..<Self.boxesAtMost {
            guard let box = try boxes.box(at: offset, before: size) else { break }
            offset = box.end
            guard box.type == "moov" else { continue }
            isCut = box.isCut
            try readMovie(box)
            behindMovie = box.end
            break
        }
        guard !tracks.isEmpty else { throw Self.noTracks(source) }
    }

    private static func noTracks(_ source: any RandomAccessSource) -> UndertextError {
        UndertextError(.notMedia, "it has no list of tracks (moov)", path: source.name)
    }

    private mutating func readMovie(_ movie: MP4Box) throws(UndertextError) {
        var scale = TimeBase(0, 0)
        var lists: [(track: Int, edits: EditBox)] = []
        var systems: [DRMInfo.System] = []
        for box in try boxes.boxes(in: movie.content) {
            switch box.type {
            case "pssh":
                guard systems.count < Self.systemsAtMost else { continue }
                let head = try boxes.head(of: box, Self.systemSize)
                if let system = DRMInfo.System(protectionHeader: head) { systems.append(system) }
            case "mvhd": scale = try timeBase(of: box)
            case "mvex":
                isFragmented = true
                for child in try boxes.boxes(in: box.content) where child.type == "trex" {
                    let reader = try boxes.head(of: child, 24)
                    guard let (id, values) = MP4FragmentDefaults.parse(reader.restOfHead) else {
                        continue
                    }
                    defaults[id] = values
                }
            case "trak":
                guard tracks.count < limits.streams else { continue }
                let (track, edits) = try track(in: box)
                guard let track else { continue }
                if let edits { lists.append((tracks.count, edits)) }
                tracks.append(track)
            default: break
            }
        }
        for (index, edits) in lists { setEdits(edits, ofTrack: index, scale) }
        placeTracks()
        let scheme = tracks.lazy.flatMap(\.entries).compactMap(\.protectionScheme).first
        if scheme != nil || !systems.isEmpty { drmInfo = DRMInfo(scheme: scheme, systems: systems) }
    }

    /// Systems that are kept.
    private static let systemsAtMost = 64
    /// Bytes of the header of a system, which some fill with a license.
    private static let systemSize = 1 << 20

    /// The beginning of an edit list.
    private struct EditBox {
        let content: [UInt8]
        let isCut: Bool
        /// The number of bytes to read: more edits than are applied.
        static let length = 4096
    }

    private mutating func setEdits(_ box: EditBox, ofTrack index: Int, _ scale: TimeBase) {
        let edits = MP4EditList(
            box.content[...], movie: scale, media: tracks[index].timeBase, isCut: box.isCut)
        tracks[index].edits = edits
        tracks[index].hasEdits = true
        guard tracks[index].isText else { return }
        let id = tracks[index].id
        if !scale.isValid {
            diagnostics.append(
                Diagnostic(
                    .warning, "no-time-unit",
                    "the movie header (mvhd) has no time scale, so the edit list of track \(id) is "
                        + "ignored"))
        } else if edits.isCut {
            diagnostics.append(
                Diagnostic(
                    .error, "too-many-edits",
                    "only the beginning of the edit list of track \(id) is applied"))
        }
    }

    /// Sets the presentation size of the tracks.
    private mutating func placeTracks() {
        let films = tracks.filter { $0.handler == "vide" }.compactMap(\.geometry)
        guard let film = films.first, film.width > 0, film.height > 0 else { return }
        let screen = PixelSize(width: film.width, height: film.height)
        for index in tracks.indices {
            guard let own = tracks[index].geometry else { continue }
            tracks[index].area = TrackArea(
                x: own.x - film.x, y: own.y - film.y, width: own.width, height: own.height,
                screen: screen)
        }
    }

    /// A track without its edits, and their box.
    private func track(in box: MP4Box) throws(UndertextError) -> (MP4Track?, edits: EditBox?) {
        var track = MP4Track()
        var edits: EditBox?
        var hasHeader = false
        for child in try boxes.boxes(in: box.content) {
            switch child.type {
            case "tkhd":
                var reader = try boxes.head(of: child, 104)
                guard let version = reader.uint8(), reader.skip(3 + (version == 1 ? 16 : 8)),
                    let id = reader.uint32()
                else { continue }
                hasHeader = true
                track.id = Int64(id)
                // Reserved, length, reserved, layer, group, volume, reserved.
                if reader.skip(4 + (version == 1 ? 8 : 4) + 16) {
                    track.geometry = MP4TrackGeometry(&reader)
                }
            case "edts":
                for leaf in try boxes.boxes(in: child.content) where leaf.type == "elst" {
                    var head = try boxes.head(of: leaf, EditBox.length)
                    edits = EditBox(
                        content: Array(head.rest()),
                        isCut: leaf.end - leaf.content.lowerBound > UInt64(EditBox.length))
                }
            case "mdia": try readMedia(child, into: &track)
            default: break
            }
        }
        return (hasHeader ? track : nil, edits)
    }

    private func readMedia(_ media: MP4Box, into track: inout MP4Track) throws(UndertextError) {
        for box in try boxes.boxes(in: media.content) {
            switch box.type {
            case "mdhd": track.timeBase = try timeBase(of: box)
            case "hdlr":
                var reader = try boxes.head(of: box, 12)
                if reader.skip(8), let name = reader.slice(4) {
                    track.handler = String(decoding: name, as: UTF8.self)
                }
            case "minf":
                for child in try boxes.boxes(in: box.content) {
                    if child.type == "dinf" {
                        track.isSelfContained = try isSelfContained(child)
                    }
                    if child.type == "stbl" { try readTable(child, into: &track) }
                }
            default: break
            }
        }
    }

    private func readTable(_ table: MP4Box, into track: inout MP4Track) throws(UndertextError) {
        for box in try boxes.boxes(in: table.content) {
            if box.type == "stsd" {
                // Sample descriptions of video may be large and are not needed.
                let length = box.content.upperBound - box.content.lowerBound
                guard track.isText, length <= UInt64(Self.headerSize) else { continue }
                let content = try boxes.all(of: box.content, limit: Self.headerSize, "stsd")
                track.entries = MP4SampleEntry.parse(content[...])
            } else {
                track.tables[box.type] = box.content
            }
        }
    }

    /// `mvhd` and `mdhd`: version, flags, two times, then the ticks of a second.
    private func timeBase(of box: MP4Box) throws(UndertextError) -> TimeBase {
        var reader = try boxes.head(of: box, 32)
        guard let version = reader.uint8(), reader.skip(3 + (version == 1 ? 16 : 8)),
            let ticks = reader.uint32(), let scale = Int32(exactly: ticks)
        else { return TimeBase(0, 0) }
        return TimeBase(1, scale)
    }

    /// `true` if no data reference of a track names another file.
    private func isSelfContained(_ information: MP4Box) throws(UndertextError) -> Bool {
        for box in try boxes.boxes(in: information.content) where box.type == "dref" {
            let content = try boxes.all(of: box.content, limit: Self.headerSize, "dref")
            var entries = MP4MemoryBoxes(content.dropFirst(8))
            while let (_, content) = entries.next() {
                if content.count >= 4, content[content.startIndex + 3] & 1 == 0 { return false }
            }
        }
        return true
    }

    /// The reason why the samples of a track cannot be read; `nil` if they can.
    package func refusal(ofTrack id: Int64) -> String? {
        guard let track = tracks.first(where: { $0.id == id }) else {
            return "track \(id) was not found"
        }
        guard track.timeBase.isValid else {
            return "track \(id) does not state the unit of its times"
        }
        guard track.isSelfContained else { return "the media of track \(id) are in another file" }
        return nil
    }
}

extension ByteReader {
    /// The remaining bytes of the beginning.
    fileprivate var restOfHead: ArraySlice<UInt8> {
        var reader = self
        return reader.rest()
    }
}
