import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// MP4 files that are described in full without libavformat are described as by libavformat.
@Suite struct MP4ProbeTests {
    @Test func folder() {
        guard let folder = environment("UNDERTEXT_PROBE_FILES") else { return }
        let paths = files(below: folder)
        let native = MP4Probe.compare(paths)
        print("native \(native.count) of \(paths.count)")
        for path in paths where !native.contains(String(path.split(separator: "/").last ?? "")) { print("other: \(path)") }
    }
}

/// Compares the report of a probe without libavformat with the one through libavformat.
enum MP4Probe {
    /// Both reports; `nil` if the file is not described natively.
    static func reports(of input: MediaInput) throws -> (native: JSON, other: JSON)? {
        // Otherwise damage fills the output of the tests.
        Media.silenceFFmpeg()
        let media = try Media(input)
        guard let demuxer = media.demuxer as? MP4Demuxer, demuxer.describer == nil else {
            return nil
        }
        var options = Media.Options()
        options.io = .scan
        let reference = try Media(input, options: options)
        #expect((reference.demuxer as? MP4Demuxer)?.describer != nil)
        return (try media.probe().json, try reference.probe().json)
    }

    /// Compares files; returns the names of those that are described natively.
    @discardableResult
    static func compare(_ paths: [String]) -> Set<String> {
        var native: Set<String> = []
        for path in paths {
            guard let reports = try? reports(of: .file(path)) else { continue }
            native.insert(String(path.split(separator: "/").last ?? ""))
            guard reports.native != reports.other else { continue }
            let differences = contractDifferences(reports.native, reports.other)
            Issue.record("\(path): \(differences)\n\(String(decoding: reports.native.compact, as: UTF8.self))\n\(String(decoding: reports.other.compact, as: UTF8.self))")
        }
        return native
    }
}
