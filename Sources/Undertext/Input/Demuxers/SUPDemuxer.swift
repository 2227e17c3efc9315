internal import UndertextContainers
internal import UndertextCore
internal import UndertextFFmpeg

/// A file of presentation graphics (.sup), which is read as a whole.
final class SUPDemuxer: ScanningDemuxer {
    private let file: SUPFile

    private init(_ file: SUPFile, _ access: InputAccess) throws(UndertextError) {
        self.file = file
        try super.init(Found(access: access, description: file.description))
    }

    /// Opens a .sup file.
    static func open(_ candidate: InputCandidate) throws(UndertextError) -> (any Demuxer)? {
        let access = candidate.access
        guard let source = access.source else { return nil }
        let file: SUPFile
        do throws(UndertextError) {
            file = try SUPFile(
                source: source, limits: access.options.limits,
                cancellation: access.options.cancellation)
        } catch {
            guard error.code == .notMedia else { throw error }
            return nil
        }
        return try SUPDemuxer(file, access)
    }

    override var isSubtitleFile: Bool { true }

    override func addScan(to plan: inout ReadPlan) {
        guard plan.preference == .auto else { return super.addScan(to: &plan) }
        plan.add(.file) { [file] _, diagnostics in file.packetReader(diagnostics: diagnostics) }
    }

    /// libavformat takes the file for another format where the first object is large.
    override func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription {
        let depth = deep ? DemuxerOptions.ProbeDepth.full : .headers
        if let found = try? access.demuxer(depth: depth).description, found.formatName == "sup" {
            return found
        }
        return try access.demuxer(depth: depth, format: "sup").description
    }
}
