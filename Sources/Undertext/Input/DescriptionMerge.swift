internal import UndertextContainers

/// Adds to libavformat's description what it ignores: BCP 47 languages and codecs it has no name for.
enum DescriptionMerge {
    /// Adds to libavformat's description of a .sub file what the files beside it say.
    static func corrected(
        _ description: ContainerDescription, programStream own: ContainerDescription
    ) -> ContainerDescription {
        var merged = description
        for (index, stream) in merged.streams.enumerated() {
            guard let same = own.streams.first(where: { $0.id == stream.id }) else { continue }
            merged.streams[index].language = same.language
            merged.streams[index].title = same.title
            merged.streams[index].codecPrivate = same.codecPrivate
        }
        return merged
    }

    static func corrected(
        _ description: ContainerDescription, source: (any ByteSource)?,
        matroska: ContainerDescription? = nil, mp4: MP4File? = nil,
        limits: Limits = Limits(), isWhole: Bool = true
    ) -> ContainerDescription {
        var merged = description
        // The beginning of a pipe always looks cut off; only a file can be.
        if let matroska, isWhole {
            merged.isIndexDamaged = matroska.isIndexDamaged
        }
        if let matroska, matroska.streams.count == description.streams.count {
            for (index, own) in matroska.streams.enumerated() {
                merged.streams[index].language = own.language
                merged.streams[index].codec = own.codec
                merged.streams[index].kind = own.kind
                merged.streams[index].codecPrivate = own.codecPrivate
                merged.streams[index].packetCount = own.packetCount
            }
        }
        if let source, description.formatName.hasPrefix("mov,") {
            let header = MP4Header(source: source)
            if isWhole { merged.isIndexDamaged = header.isCutOff }
            for (index, stream) in merged.streams.enumerated() {
                guard let id = stream.id, let language = header.byTrackID[id] else { continue }
                merged.streams[index].language = language
            }
        }
        if description.formatName.hasPrefix("mov,") {
            MP4Merge.complete(&merged, mp4, limits: limits)
        }
        return merged
    }
}
