internal import UndertextContainers
internal import UndertextIO

/// A pair .idx and .sub, or a .sub file alone, read by our own reader.
struct VobSubInput {
    let file: VobSubFile
    /// The other file of the pair, which is read besides the one that the user named.
    let companion: (any ByteSource)?
    /// Whether the user named the .idx file: then nothing is to be asked of libavformat.
    let isIndex: Bool
    /// What was wrong with either file.
    let diagnostics: [Diagnostic]

    private init(
        _ file: VobSubFile, companion: (any ByteSource)?, isIndex: Bool, notes: [Diagnostic] = []
    ) {
        self.file = file
        self.companion = companion
        self.isIndex = isIndex
        diagnostics = notes + file.diagnostics
    }

    /// Opens what the user named, as a pair where the other file is there.
    ///
    /// - Returns: `nil` where it is neither of both.
    /// - Throws: `UndertextError`: an .idx file without its .sub file, or reading failed.
    static func open(
        _ path: String?, _ access: InputAccess, _ options: MediaFile.Options
    ) throws(UndertextError) -> VobSubInput? {
        guard let path, let source = access.source else { return nil }
        let head = try source.read(at: 0, count: 32)
        if VobSubFile.isIndex(head) {
            guard let name = SiblingFile.path(beside: path, extension: "sub") else {
                throw UndertextError(
                    .notFound, "the .sub file beside it is missing: it holds the images",
                    path: path)
            }
            let units = try access.companion(name)
            let file = try VobSubFile(
                index: source, units: units, limits: options.limits,
                cancellation: options.cancellation)
            return VobSubInput(file, companion: units, isIndex: true)
        }
        guard VobSubFile.isProgramStream(head),
            PathName.fileExtension(path).lowercased() == "sub"
        else { return nil }
        var index: (any ByteSource)?
        var notes: [Diagnostic] = []
        if let name = SiblingFile.path(beside: path, extension: "idx") {
            do throws(UndertextError) {
                index = try access.companion(name)
            } catch {
                notes.append(try VobSubFile.diagnostic(ofIndex: error))
            }
        }
        do throws(UndertextError) {
            let file = try VobSubFile(
                units: source, index: index, limits: options.limits,
                cancellation: options.cancellation)
            return VobSubInput(file, companion: index, isIndex: false, notes: notes)
        } catch {
            guard error.code == .notMedia else { throw error }
            return nil
        }
    }
}
