/// Processes an input: it must not trap, leak, hang or take unlimited memory.
public typealias FuzzTarget = @Sendable (_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt

/// All targets by their names, which are those of their folders of seeds, too.
public let fuzzTargets: [String: FuzzTarget] = [
    "ASSFileFuzz": assFileFuzz,
    "ASSFuzz": assFuzz,
    "BDNFuzz": bdnFuzz,
    "CEA608Fuzz": cea608Fuzz,
    "CEA708Fuzz": cea708Fuzz,
    "CaptionFuzz": captionFuzz,
    "CaptionSegmentFuzz": captionSegmentFuzz,
    "CharsetFuzz": charsetFuzz,
    "DVBFuzz": dvbFuzz,
    "DeflateFuzz": deflateFuzz,
    "JSONFuzz": jsonFuzz,
    "MP4HeaderFuzz": mp4HeaderFuzz,
    "MP4SamplesFuzz": mp4SamplesFuzz,
    "ManifestFuzz": manifestFuzz,
    "MatroskaFuzz": matroskaFuzz,
    "MatroskaWalkFuzz": matroskaWalkFuzz,
    "TX3GFuzz": movTextFuzz,
    "NativeWritersFuzz": nativeWritersFuzz,
    "OnlineFuzz": onlineFuzz,
    "PGSFuzz": pgsFuzz,
    "PNGFuzz": pngFuzz,
    "PathNameFuzz": pathNameFuzz,
    "ImageWritersFuzz": imageWritersFuzz,
    "PlaylistFuzz": playlistFuzz,
    "PresentationFuzz": presentationFuzz,
    "RenderingFuzz": renderingFuzz,
    "SAMIFuzz": samiFuzz,
    "SPUFuzz": spuFuzz,
    "SUPFuzz": supFuzz,
    "SegmentedWebVTTFuzz": segmentedWebVTTFuzz,
    "SidecarNameFuzz": sidecarNameFuzz,
    "SpeechFuzz": speechFuzz,
    "SubRipFileFuzz": subRipFileFuzz,
    "SubRipFuzz": subRipFuzz,
    "TTMLFuzz": ttmlFuzz,
    "TeletextFuzz": teletextFuzz,
    "TimedTextFuzz": timedTextFuzz,
    "TransportStreamFuzz": transportStreamFuzz,
    "USFFuzz": usfFuzz,
    "VobSubFileFuzz": vobSubFileFuzz,
    "WVTTFuzz": wvttFuzz,
    "WebVTTFileFuzz": webVTTFileFuzz,
    "WebVTTFuzz": webVTTFuzz,
    "XSUBFuzz": xsubFuzz,
]

/// The names of all targets, sorted.
public let fuzzTargetNames: [String] = fuzzTargets.keys.sorted()

/// Sends some input through a target; what the target answers, `nil` if none has that name.
public func send(_ input: [UInt8], toFuzzTarget name: String) -> CInt? {
    input.withUnsafeBufferPointer { fuzzTargets[name]?($0.baseAddress, $0.count) }
}
