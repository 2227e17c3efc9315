internal import ArgumentParser
internal import UndertextAlignment
internal import UndertextCore

/// Arguments for the search of an alignment.
struct AlignmentArguments: ParsableArguments {
    @Flag(help: "One offset for all cues, even if advertisements or cuts suggest several.")
    var noBreaks = false

    @Option(
        help: ArgumentHelp(
            "The largest offset, in seconds or [H:]MM:SS; up to 24 hours.", valueName: "time"))
    var maxOffset = "600"

    @Option(
        help: ArgumentHelp(
            "The change of speed: auto (usual frame rates, otherwise any), none, or two frame rates such as "
                + "25:23.976, of the subtitle and of the reference.",
            valueName: "a:b"),
        completion: .list(["auto", "none", "25:23.976", "25:24", "24:25", "23.976:25"]))
    var speed = "auto"

    @Option(
        help: ArgumentHelp(
            "The confidence from which on an output is written, from 0 to 1.", valueName: "p"))
    var minConfidence = 0.8

    /// The options of the search.
    func options() throws -> AlignmentOptions {
        var options = AlignmentOptions()
        options.allowsBreaks = !noBreaks
        guard let largest = Timestamp(clock: maxOffset), largest > .zero,
            largest <= .seconds(86_400)
        else {
            throw ValidationError(
                "--max-offset: '\(escapedForTerminal(maxOffset))' is not a time up to 24 hours, such as 90 or 10:00"
            )
        }
        options.largestOffset = Timestamp.zero.duration(to: largest)
        switch speed {
        case "auto": break
        case "none": options.speeds = .fixed(TimeBase(1, 1))
        default:
            do throws(UndertextError) {
                options.speeds = .fixed(try Retiming.speed(parsing: speed))
            } catch {
                throw ValidationError(
                    "--speed: '\(escapedForTerminal(speed))': \(escapedForTerminal(error.description)); use "
                        + "auto, none, or two frame rates such as 25:23.976")
            }
        }
        guard (0...1).contains(minConfidence) else {
            throw ValidationError(
                "--min-confidence: '\(minConfidence)' is not a number from 0 to 1")
        }
        return options
    }
}
