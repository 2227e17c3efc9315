internal import Undertext
internal import UndertextIO

/// The executable under the name of a program of FFmpeg.
///
/// Undertext does what it can do completely and equally; everything else is the real program's.
enum FFmpegStandIn {
    /// Runs the program that the executable is named after; returns if that is `undertext`.
    static func runIfNamed() {
        guard let name = Arguments.name, let program = FFmpegProgram(name: name) else { return }
        let arguments = Arguments.all()
        FFmpegInfo.silenceLog()
        if program == .ffmpeg, let command = FFmpegArguments(arguments), isUnobserved,
            let job = FFmpegJob(command)
        {
            if job.perform() { SignalWatcher.endProcess(0) }
        }
        SignalWatcher.endProcess(program.replaceProcess(arguments))
    }

    /// `false` if the caller wants a log that only the real program writes.
    private static var isUnobserved: Bool { SystemEnvironment.value(of: "FFREPORT") == nil }
}
