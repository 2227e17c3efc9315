internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextFormats

/// An input that is being opened, with the findings of the demuxers tried so far.
final class InputCandidate {
    let access: InputAccess
    /// The input or the beginning of a pipe, for native demuxers; `nil` if only libavformat can read it.
    let header: (any RandomAccessSource)?
    /// The input if it can be read only once.
    let pipe: HeaderTee?
    /// The first bytes.
    let head: [UInt8]
    /// The text formats that were tried, and why none of them takes the input.
    var textRefusals: [SubtitleFormat.Refusal] = []
    /// The reason why a native demuxer that should read the input cannot.
    var refusal: String?

    /// The input for libavformat if it has no source.
    private let stream: DemuxInput?
    /// Enough to recognize a manifest, comments before it included.
    private static let headSize = 4096

    init(_ access: InputAccess) throws(UndertextError) {
        self.access = access
        refusal = access.refusal
        if let source = access.source {
            (header, stream, pipe) = (source, nil, nil)
        } else {
            let (input, beginning) = try access.demuxInput()
            (header, stream) = (beginning, input)
            if case .stream(let reader) = input { pipe = reader as? HeaderTee } else { pipe = nil }
        }
        head = try header?.read(at: 0, count: Self.headSize) ?? []
    }

    /// The input for libavformat.
    func demuxInput() throws(UndertextError) -> DemuxInput {
        if let stream { return stream }
        return try access.demuxInput().0
    }

    /// Opens the input with the first demuxer that recognizes it.
    func demuxer() throws(UndertextError) -> any Demuxer {
        if let found = try PresentationDemuxer.open(self) { return found }
        if let found = try ImageFolder.open(self) { return found }
        if let found = try MatroskaDemuxer.open(self) { return found }
        if let found = try VobSubDemuxer.open(self) { return found }
        if let found = try SUPDemuxer.open(self) { return found }
        if let found = try TextFileDemuxer.open(self) { return found }
        // libavformat takes time to load, so it is tried last.
        return try ScanningDemuxer.describe(self)
    }
}
