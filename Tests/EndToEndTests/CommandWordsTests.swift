import Testing
import Undertext
import UndertextCore

@testable import UndertextCLI

/// The command's wording of the library's outcomes and remedies.
@Suite struct CommandWordsTests {
    @Test func codesOfSeveralInputs() {
        let all: [(codes: [Int32], code: Int32)] = [
            ([0, 0], 0), ([0, 2], 0), ([2, 2], 2), ([1, 1], 1), ([0, 1], 3), ([2, 1], 3),
            ([3, 3], 3), ([0, 2, 3], 3), ([], 0),
        ]
        for (codes, code) in all { #expect(ExitStatus.combined(codes) == code, "\(codes)") }
    }

    @Test func codesOfOutcomes() {
        #expect(ExitStatus.code(of: .complete) == 0)
        #expect(ExitStatus.code(of: .failed) == 1)
        #expect(ExitStatus.code(of: .noTrack) == 2)
        #expect(ExitStatus.code(of: .incomplete) == 3)
    }

    /// Each command has its own names for options.
    @Test func remediesNameOptions() {
        let format = Remedy.set(.format, to: ["sup", "png"])
        #expect(RemedyText.hint(format, for: .extract) == "; use --format sup or png")
        #expect(RemedyText.hint(format, for: .convert) == "; use --to sup or png")
        let ignored = Remedy.omit([.frameRate, .scale])
        #expect(RemedyText.hint(ignored, for: .extract) == "; leave out --fps and --scale")
        let path = Remedy.omit([.readPath], value: "scan")
        #expect(RemedyText.hint(path, for: .extract) == "; leave out --io scan")
        #expect(
            RemedyText.hint(.set(.frameRate), for: .convert)
                == "; if times are wrong, state the frame rate of the video with --fps")
        #expect(RemedyText.hint(nil, for: .extract).isEmpty)
        #expect(RemedyText.hint(Remedy(name: "unknown"), for: .extract).isEmpty)
    }

    /// No remedy of the library is without words.
    @Test(arguments: [
        Remedy.replaceOutputs, .separateOutputs, .packageMedia, .set(.charset), .set(.destination),
        .set(.existing), .set(.mediaStart), .set(.recognition), .set(.tracks),
        .set(.tracks, to: ["3 (en, subrip)"]), .omit([.inputFormat]), .omit([.mediaStart]),
    ])
    func everyRemedyHasAText(_ remedy: Remedy) {
        for command in [RemedyText.Command.extract, .convert, .other] {
            let hint = RemedyText.hint(remedy, for: command)
            #expect(hint.hasPrefix("; ") && hint.contains("-"), "\(hint)")
        }
    }
}
