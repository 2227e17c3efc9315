internal import Undertext
internal import UndertextAlignment
internal import UndertextCore
internal import UndertextIO
internal import UndertextProviders

/// The result of one download.
struct SearchDownload {
    /// A file that was written.
    struct Output {
        let path: String
        let size: Int
    }

    let number: Int
    let subtitle: OnlineSubtitle
    var outputs: [Output] = []
    var leftOut: [String] = []
    var quota: OnlineQuota?
    var error: UndertextError?
    /// The change of its times; `nil` if they are as downloaded.
    var alignment: Alignment?
    /// The times with which it was aligned; `nil` if it was not.
    var reference: ReferenceTimes?
    /// `true` if its times should have been aligned, and could not be.
    var isUnaligned = false
}

/// Downloads the chosen results and writes them as `STEM[.N].LANG[.forced][.sdh].EXT`.
struct SearchDownloads {
    let command: SearchCommand
    let console: Console
    let search: OnlineSearch
    let query: OnlineQuery
    /// Aligns downloads; `nil` if they stay as they are.
    var alignment: DownloadAlignment?

    /// Downloads the results one after another.
    ///
    /// - Throws: `UndertextError` before any download if an output file already exists.
    func perform(_ picks: [SearchRun.Numbered]) throws(UndertextError) -> [SearchDownload] {
        let bases = bases(of: picks.map(\.subtitle))
        if !command.force {
            for (base, pick) in zip(bases, picks) {
                let path = "\(base).\(expectedExtension(pick.subtitle))"
                guard !FileSystem.exists(path) else { throw outputExists(path) }
            }
        }
        if let folder = command.output {
            do throws(UndertextError) {
                try FileSystem.createDirectory(folder)
            } catch {
                throw UndertextError(.refused, error.description)
            }
        }
        var downloads: [SearchDownload] = []
        for (base, pick) in zip(bases, picks) where !console.cancellation.isCancelled {
            var download = SearchDownload(number: pick.number, subtitle: pick.subtitle)
            do throws(UndertextError) {
                try fetch(&download, to: base)
            } catch {
                download.error = error
                console.fail("\(pick.subtitle.name): \(error.description)")
            }
            downloads.append(download)
        }
        return downloads
    }

    private func fetch(_ download: inout SearchDownload, to base: String) throws(UndertextError) {
        let fetched = try search.download(
            download.subtitle, for: query, cancellation: console.cancellation)
        download.leftOut = fetched.leftOut
        download.quota = fetched.quota
        for file in fetched.files {
            let path = "\(base).\(file.fileExtension)"
            do throws(UndertextError) {
                if let alignment, fetched.files.count == 1,
                    let written = try alignment.write(
                        file.bytes, to: path, replacing: command.force, &download)
                {
                    download.outputs.append(.init(path: path, size: written))
                    continue
                }
                let output = try OutputFile(path: path)
                try output.write(file.bytes[...])
                try output.commit(replacing: command.force)
            } catch {
                throw error.code == .outputExists
                    ? outputExists(path) : UndertextError(.refused, error.description)
            }
            download.outputs.append(.init(path: path, size: file.bytes.count))
        }
        writeNotes(about: download)
    }

    private func writeNotes(about download: SearchDownload) {
        guard !command.verbosity.quiet else { return }
        if let delay = download.subtitle.delay, let file = download.outputs.first {
            let seconds = JSON.decimal(SearchText.seconds(delay))
            console.say(
                "\(file.path): the service recommends a shift: undertext convert --shift "
                    + String(decoding: seconds.compact, as: UTF8.self))
        }
        if !download.leftOut.isEmpty {
            let names = download.leftOut.prefix(5).joined(separator: ", ")
            console.say(
                "\(download.leftOut.count) other files of the archive were skipped: \(names)"
                    + (download.leftOut.count > 5 ? ", …" : ""))
        }
        if let left = download.quota?.remaining {
            let reset = download.quota?.reset.map { " until \($0)" } ?? ""
            console.say("\(download.subtitle.provider): \(left) downloads remain\(reset)")
        }
    }

    private func outputExists(_ path: String) -> UndertextError {
        UndertextError(.refused, "it already exists; use --force to replace it", path: path)
    }

    /// The file extension to expect before the download.
    private func expectedExtension(_ subtitle: OnlineSubtitle) -> String {
        let ending = PathName.fileExtension(subtitle.fileName ?? "").lowercased()
        return ["ass", "ssa", "vtt", "sub", "smi"].contains(ending) ? ending : "srt"
    }

    /// The output paths without extension; a second equal path becomes `STEM.2.LANG`.
    private func bases(of subtitles: [OnlineSubtitle]) -> [String] {
        let target = SearchTarget(command.what, output: command.output)
        var seen: [String: Int] = [:]
        return subtitles.map { subtitle in
            let stem =
                target.stem ?? PathName.sanitised(subtitle.release ?? subtitle.title ?? "")
                ?? "subtitles"
            var tail = ".\(subtitle.language?.rawValue ?? "und")"
            if subtitle.isForced { tail += ".forced" }
            if subtitle.isHearingImpaired { tail += ".sdh" }
            let number = (seen[stem + tail] ?? 0) + 1
            seen[stem + tail] = number
            let name = stem + (number > 1 ? ".\(number)" : "") + tail
            return PathName.joining(target.folder, name)
        }
    }
}
