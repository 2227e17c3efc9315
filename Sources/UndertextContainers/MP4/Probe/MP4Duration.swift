internal import UndertextCore

/// The duration of a file as libavformat computes it from its streams.
///
/// libavformat 59 takes that of `mvhd`, which is rounded, usually to milliseconds.
struct MP4Duration {
    /// The first version that computes the duration, as far as known.
    static let firstVersion = 60

    /// The streams of one kind, in microseconds.
    private struct Part {
        var start: Int64?
        var end: Int64?
        var duration: Int64?

        mutating func add(start: Int64?, duration: Int64) {
            self.duration = max(self.duration ?? duration, duration)
            guard let start else { return }
            self.start = min(self.start ?? start, start)
            end = max(end ?? start + duration, start + duration)
        }
    }

    private var media = Part()
    private var text = Part()
    /// The text, if libavformat has read a packet of each track.
    private var textAfterReading = Part()

    /// Adds up the streams; `nil` if their times are out of range.
    init?(_ streams: [StreamDescription]) {
        for stream in streams {
            guard let ticks = stream.duration,
                let duration = rescale(ticks, from: stream.timeBase, to: .microseconds),
                duration < 1 << 60
            else { return nil }
            var start: Int64?
            if let ticks = stream.startTime {
                guard let time = rescale(ticks, from: stream.timeBase, to: .microseconds),
                    time.magnitude < 1 << 60
                else { return nil }
                start = time
            }
            if stream.kind == .video || stream.kind == .audio {
                media.add(start: start, duration: duration)
            } else {
                text.add(start: start, duration: duration)
                textAfterReading.add(start: start ?? 0, duration: duration)
            }
        }
    }

    /// The duration in microseconds; `nil` if it depends on what libavformat has read.
    var value: Int64? {
        let known = duration(text)
        return known == duration(textAfterReading) ? known : nil
    }

    /// Text counts if it ends less than a second after video and sound.
    private func duration(_ text: Part) -> Int64? {
        func last(_ media: Int64?, _ text: Int64?) -> Int64? {
            guard let media, let text else { return media ?? text }
            return media < text && text - media < 1_000_000 ? text : media
        }
        guard var duration = last(media.duration, text.duration) else { return nil }
        if let start = media.start ?? text.start, let end = last(media.end, text.end), end >= start
        {
            duration = max(duration, end - start)
        }
        return duration
    }
}
