internal import UndertextCore
internal import UndertextIO

/// Writes the files inside a file: fonts and covers.
struct AttachmentWriter {
    let directory: String
    let existing: ExtractionOptions.Existing
    let outputs: OutputStore
    let cancellation: Cancellation?

    /// The written attachments and the diagnostics of writing them.
    struct Result {
        var records: [OutputRecord] = []
        var diagnostics: [Diagnostic] = []
    }

    func write(from file: Media) throws(UndertextError) -> Result {
        var result = Result()
        let names = AttachmentNames.safe(file.description.attachments)
        for (attachment, name) in zip(file.description.attachments, names) {
            let path = PathName.joining(directory, name)
            do throws(UndertextError) {
                if existing != .replace, try outputs.exists(path) {
                    result.diagnostics.append(
                        Diagnostic(
                            existing == .skip ? .info : .error, "attachment-exists",
                            "'\(path)' exists already and was left",
                            streamIndex: attachment.streamIndex, remedy: .replaceOutputs))
                    continue
                }
                let bytes = try file.data(of: attachment)
                result.records.append(try store(bytes, at: path))
            } catch {
                if error.code == .cancelled { throw error }
                result.diagnostics.append(
                    Diagnostic(
                        .error, "attachment-lost", error.description,
                        streamIndex: attachment.streamIndex, byteOffset: attachment.position))
            }
        }
        return result
    }

    /// Writes one file.
    private func store(_ bytes: [UInt8], at path: String) throws(UndertextError) -> OutputRecord {
        try OutputStore.makeFolder(directory)
        let output = try OutputFile(path: path, cancellation: cancellation ?? Cancellation())
        try output.write(bytes)
        try output.commit(replacing: existing == .replace)
        return OutputRecord(file: path, format: "attachment", bytes: output.bytesWritten)
    }
}

/// Safe names for what a file says its attachments are called.
enum AttachmentNames {
    /// One name for each attachment: no folders, no control characters, none twice.
    static func safe(_ attachments: [Attachment]) -> [String] {
        var taken: Set<String> = []
        return attachments.enumerated().map { index, attachment in
            let name =
                PathName.sanitised(PathName.baseName(attachment.fileName))
                ?? "attachment-\(index + 1)"
            var candidate = name
            var number = 1
            while !taken.insert(candidate.lowercased()).inserted {
                number += 1
                candidate = numbered(name, number)
            }
            return candidate
        }
    }

    private static func numbered(_ name: String, _ number: Int) -> String {
        let bytes = Array(name.utf8)
        guard let dot = bytes.lastIndex(of: 0x2E), dot > 0 else { return "\(name)-\(number)" }
        let stem = String(decoding: bytes[..<dot], as: UTF8.self)
        return "\(stem)-\(number)" + String(decoding: bytes[dot...], as: UTF8.self)
    }
}
