import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Everything that a reader has to give.
func drain(_ reader: some PacketReader) throws -> [Packet] {
    var packets: [Packet] = []
    while let packet = try reader.nextPacket() { packets.append(packet) }
    return packets
}

/// The subtitle streams of a file.
func subtitleStreams(_ file: MatroskaFile) -> Set<Int> {
    Set(file.description.streams.filter { $0.kind.isSubtitle }.map(\.index))
}

/// Opens a file in memory.
func open(_ bytes: [UInt8], limits: Limits = Limits()) throws -> MatroskaFile {
    try MatroskaFile(source: MemorySource(bytes), limits: limits)
}

/// The Matroska files of the independent test data, or none without them.
func corpusFiles() -> [String] {
    let names = [
        "androidx-media/mkv/sample_with_overlapping_srt.mkv",
        "androidx-media/mkv/sample_with_srt.mkv",
        "androidx-media/mkv/sample_with_ssa_subtitles.mkv",
        "androidx-media/mkv/sample_with_vobsub.mkv",
        "c0bra5-pgs/sample/sample.mkv",
        "matroska-demuxer/data/multi_seekhead.mkv",
        "matroska-demuxer/data/no_cluster_position.mkv",
        "matroska-demuxer/data/subtitles.mkv",
        "subtitleedit/tests/libse/Files/sample_MKV_SRT.mkv",
        "subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv",
        "subtitleedit/tests/libse/Files/sample_MKV_chapters.mkv",
    ]
    return names.compactMap { corpusPath($0) }
}
