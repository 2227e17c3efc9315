/// What is done with some input: nothing may trap, leak, hang or take memory without bound.
typealias FuzzTarget = @Sendable (_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt

/// All targets by the names under which the one program is linked.
private let targets: [String: FuzzTarget] = [
    "ASSFileFuzz": assFileFuzz,
    "ASSFuzz": assFuzz,
    "BDNFuzz": bdnFuzz,
    "CharsetFuzz": charsetFuzz,
    "DVBFuzz": dvbFuzz,
    "DeflateFuzz": deflateFuzz,
    "JSONFuzz": jsonFuzz,
    "MP4HeaderFuzz": mp4HeaderFuzz,
    "MP4SamplesFuzz": mp4SamplesFuzz,
    "ManifestFuzz": manifestFuzz,
    "MatroskaFuzz": matroskaFuzz,
    "MatroskaWalkFuzz": matroskaWalkFuzz,
    "MovTextFuzz": movTextFuzz,
    "NativeWritersFuzz": nativeWritersFuzz,
    "OnlineFuzz": onlineFuzz,
    "PGSFuzz": pgsFuzz,
    "PNGFuzz": pngFuzz,
    "PathNameFuzz": pathNameFuzz,
    "PictureWritersFuzz": pictureWritersFuzz,
    "PlaylistFuzz": playlistFuzz,
    "PresentationFuzz": presentationFuzz,
    "SAMIFuzz": samiFuzz,
    "SPUFuzz": spuFuzz,
    "SUPFuzz": supFuzz,
    "SegmentedWebVTTFuzz": segmentedWebVTTFuzz,
    "SidecarNameFuzz": sidecarNameFuzz,
    "SubRipFileFuzz": subRipFileFuzz,
    "SubRipFuzz": subRipFuzz,
    "TTMLFuzz": ttmlFuzz,
    "TransportStreamFuzz": transportStreamFuzz,
    "USFFuzz": usfFuzz,
    "VobSubFileFuzz": vobSubFileFuzz,
    "WVTTFuzz": wvttFuzz,
    "WebVTTFileFuzz": webVTTFileFuzz,
    "WebVTTFuzz": webVTTFuzz,
    "XSUBFuzz": xsubFuzz,
]

/// The target that the program is called by.
private let chosen: FuzzTarget = {
    let name = CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? ""
    guard let target = targets[name] else {
        preconditionFailure("'\(name)' is none of \(targets.keys.sorted())")
    }
    return target
}()

/// C: `LLVMFuzzerTestOneInput` of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt { chosen(start, count) }
