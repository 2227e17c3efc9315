internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The files of one track, or the standard output of the run.
///
/// Nothing is opened before ``open()``: a track without cues makes no file.
final class TrackFiles {
    /// The files, the main one first; empty for standard output.
    let paths: [String]
    let replacing: Bool
    let standardOutput: StandardOutput?
    /// Stops uploads.
    let cancellation: Cancellation
    private let format: SubtitleFormat
    private var files: [OutputFile] = []
    private(set) var isOpen = false

    init(
        _ paths: [String], as format: SubtitleFormat, replacing: Bool,
        standardOutput: StandardOutput?, cancellation: Cancellation? = nil
    ) {
        self.cancellation = cancellation ?? Cancellation()
        self.paths = paths
        self.format = format
        self.replacing = replacing
        self.standardOutput = standardOutput
    }

    /// Begins every file, unless that is done.
    func open() throws(UndertextError) {
        guard !isOpen else { return }
        if standardOutput == nil {
            guard !paths.isEmpty else {
                throw UndertextError(.io, "there is no path to write to", path: "output")
            }
            for path in paths {
                try makeFolder(of: path)
                files.append(try OutputFile(path: path, cancellation: cancellation))
            }
        }
        isOpen = true
    }

    /// Bytes that are worth a write.
    private static let chunk = 1 << 15

    /// Writes and empties buffers, one for each file, as soon as one holds enough.
    func gather(_ buffers: inout [[UInt8]]) throws(UndertextError) {
        guard standardOutput != nil || buffers.contains(where: { $0.count >= Self.chunk }) else {
            return
        }
        try write(&buffers)
    }

    /// Writes and empties the buffer of a file.
    ///
    /// Standard output gets the bytes at once, so that a reader can follow.
    func write(_ buffer: inout [UInt8], at index: Int = 0) throws(UndertextError) {
        guard !buffer.isEmpty else { return }
        try open()
        if let standardOutput {
            try standardOutput.write(buffer)
            try standardOutput.flush()
        } else {
            // trap: a writer has as many buffers as its format has files.
            try files[index].write(buffer)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes and empties buffers, one for each file.
    func write(_ buffers: inout [[UInt8]]) throws(UndertextError) {
        for index in buffers.indices { try write(&buffers[index], at: index) }
    }

    /// Renames the files to their final names; returns none if nothing was opened.
    func commit() throws(UndertextError) -> [OutputRecord] {
        guard isOpen else { return [] }
        if let standardOutput {
            try standardOutput.flush()
            return [
                OutputRecord(file: "-", format: format.name, bytes: standardOutput.bytesWritten)
            ]
        }
        var records: [OutputRecord] = []
        for file in files {
            try file.commit(replacing: replacing)
            records.append(
                OutputRecord(file: file.path, format: format.name, bytes: file.bytesWritten))
        }
        return records
    }

    /// Removes unfinished output.
    func abandon() { for file in files { file.abort() } }

    /// Makes the folder in which a file or folder is to be.
    func makeFolder(of path: String) throws(UndertextError) {
        try OutputStore.makeFolder(PathName.directoryName(path))
    }
}
