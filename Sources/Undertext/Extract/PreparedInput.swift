internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// An input that was opened to plan its outputs, before anything is written.
struct PreparedInput {
    let input: MediaInput
    let plan: ExtractionPlan?
    /// The error of opening it.
    let failure: UndertextError?
    /// The open file; `nil` if it is to be opened again when its turn comes.
    private(set) var file: Media?
    /// The reason why none of its outputs can be written; other inputs are not affected.
    private(set) var refusal: UndertextError?
    private let options: Media.Options
    private let attachmentNames: [String]

    /// Opens an input.
    init(_ input: MediaInput, extractor: Extractor) {
        if case .file(let path) = input { InputFiles.note(path) }
        if case .url(let url) = input, S3Location.isLocation(url) { InputFiles.note(url) }
        self.init(input, extractor) { options throws(UndertextError) in
            try Media(input, options: options)
        }
    }

    /// Creates the preparation of an open input.
    init(_ media: Media, extractor: Extractor) {
        self.init(media.input, extractor) { _ in media }
    }

    private init(
        _ input: MediaInput, _ extractor: Extractor,
        open: (Media.Options) throws(UndertextError) -> Media
    ) {
        self.input = input
        options = extractor.fileOptions
        do throws(UndertextError) {
            let opened = try open(options)
            if let wanted = extractor.options.reading.inputFormat,
                !wanted.isContainer(named: opened.description.formatName)
            {
                throw UndertextError(
                    .unsupported,
                    "the format is \(opened.description.formatName), not \(wanted.name)",
                    path: input.argument, remedy: .omit([.inputFormat]))
            }
            file = opened
            attachmentNames = AttachmentNames.safe(opened.description.attachments)
            plan = ExtractionPlan(
                input: input, stem: opened.outputStem,
                fileFormat: SubtitleFormat.inputs.first {
                    $0.isContainer(named: opened.description.formatName)
                },
                streams: opened.streams(for: extractor.options.tracks), options: extractor.options)
            failure = nil
        } catch {
            file = nil
            attachmentNames = []
            plan = nil
            failure = error
        }
    }

    /// Keeps it from being read and written.
    mutating func refuse(_ error: UndertextError) {
        guard refusal == nil else { return }
        var error = error
        error.path = input.argument
        refusal = error
    }

    /// Every path that this input makes, attachments included.
    func plannedPaths(_ options: ExtractionOptions) -> [String] {
        if refusal != nil { return [] }
        let folder = options.attachments
        return (plan?.paths ?? [])
            + (folder.map { folder in
                attachmentNames.map { PathName.joining(folder, $0) }
            } ?? [])
    }

    /// Returns the open file, or throws the error of reopening it.
    func opened() throws(UndertextError) -> Media {
        if let failure { throw failure }
        if let file { return file }
        return try Media(input, options: options)
    }

    /// Closes a file that can be opened again, so that not all inputs stay open.
    mutating func close() {
        if case .file = input { file = nil }
    }
}
