internal import UndertextIO

/// Where one track's bytes go: its files, or the run's standard output.
struct OutputTargets {
    /// The files, the main one first; empty for standard output.
    let paths: [String]
    let replacing: Bool
    let standardOutput: StandardOutput?

    /// Begins every file.
    func open() throws(UndertextError) -> [OutputTarget] {
        if let standardOutput { return [.standardOutput(standardOutput)] }
        var targets: [OutputTarget] = []
        for path in paths {
            try makeFolder(of: path)
            targets.append(.file(try OutputFile(path: path)))
        }
        return targets
    }

    /// Begins the only file.
    func openFirst() throws(UndertextError) -> OutputTarget {
        guard let first = try open().first else {
            throw UndertextError(.io, "there is no path to write to", path: "output")
        }
        return first
    }

    /// Puts complete files in place and tells what they are.
    func commit(
        _ targets: [OutputTarget], format: SubtitleFormat
    ) throws(UndertextError) -> [OutputRecord] {
        var records: [OutputRecord] = []
        for target in targets {
            switch target {
            case .standardOutput(let output):
                try output.flush()
                records.append(
                    OutputRecord(file: "-", format: format.name, bytes: output.bytesWritten))
            case .file(let file):
                try file.commit(replacing: replacing)
                records.append(
                    OutputRecord(file: file.path, format: format.name, bytes: file.bytesWritten)
                )
            }
        }
        return records
    }

    func makeFolder(of path: String) throws(UndertextError) {
        let folder = PathName.directoryName(path)
        if !FileSystem.isDirectory(folder) { _ = try FileSystem.createDirectory(folder) }
    }
}

/// One place that bytes go to.
enum OutputTarget {
    case file(OutputFile)
    case standardOutput(StandardOutput)

    /// Takes bytes; standard output gets them at once, so that a reader can follow.
    func write(_ bytes: [UInt8]) throws(UndertextError) {
        switch self {
        case .file(let file): try file.write(bytes)
        case .standardOutput(let output):
            try output.write(bytes)
            try output.flush()
        }
    }

    /// Removes what was begun.
    func abandon() {
        if case .file(let file) = self { file.abort() }
    }
}
