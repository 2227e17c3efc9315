import TestSupport
import Testing
import Undertext
import UndertextAlignment
import UndertextCore

/// The times of media files with which subtitles are compared.
@Suite struct ReferenceTimesTests {
    private static let speech = (0..<12).map { index -> Range<Timestamp> in
        let start = Timestamp.milliseconds(
            1000 + Int64(index) * 2500 + Int64(index * index % 5) * 130)
        return start..<start.advanced(by: .milliseconds(1100))
    }

    private func times(
        of bytes: [UInt8], _ name: String, _ speech: ReferenceTimes.Speech = .ifNeeded
    ) throws(UndertextError) -> ReferenceTimes {
        try ReferenceTimes(
            of: Media(.bytes(bytes, name: name)), speech: speech, language: nil, cancellation: nil)
    }

    @Test func speechIsUsedWithoutSubtitles() throws {
        let wave = SpokenAudio.wave(Self.speech)
        var asked: [Int] = []
        let found = try ReferenceTimes(
            of: Media(.bytes(wave, name: "film.wav")), speech: .ifNeeded, language: nil,
            cancellation: nil, fallback: { asked.append($0.index) })
        #expect(found.kind == .speech && asked == [0])
        #expect(found.damagedPackets == 0 && !found.isCut)
        #expect(found.name.hasSuffix("film.wav, speech of stream \(found.stream.label)"))
        #expect(found.times.count == Self.speech.count, "\(found.times)")
        for (range, wanted) in zip(found.times, Self.speech) {
            #expect(abs(range.lowerBound.nanoseconds - wanted.lowerBound.nanoseconds) < 60_000_000)
            #expect(abs(range.upperBound.nanoseconds - wanted.upperBound.nanoseconds) < 60_000_000)
        }
        let error = #expect(throws: UndertextError.self) {
            try times(of: wave, "film.wav", .never)
        }
        #expect(error?.code == .noTrack)
    }

    @Test func cuesComeFirst() throws {
        let text = Array("1\n00:00:01,000 --> 00:00:02,000\na\n\n".utf8)
        let found = try times(of: text, "a.srt")
        // One cue is too few, but there is nothing else.
        #expect(found.kind == .cues && found.times.count == 1)
        let film = try ReferenceTimes(
            of: Media(fixture("containers/movie.mkv")), speech: .ifNeeded,
            language: LanguageTag("en"), cancellation: nil)
        #expect(film.kind == .cues && film.times.count >= 3)
        let error = #expect(throws: UndertextError.self) { try times(of: text, "a.srt", .always) }
        #expect(error?.code == .noTrack)
    }

    @Test func readingIsCancelled() {
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = #expect(throws: UndertextError.self) {
            try ReferenceTimes(
                of: Media(.bytes(SpokenAudio.wave(Self.speech), name: "film.wav")),
                speech: .always, language: nil, cancellation: cancellation)
        }
        #expect(error?.code == .cancelled)
    }

    /// Audio that is cut off or damaged: the speech of what is left, or an error.
    @Test(.timeLimit(.minutes(3))) func damagedAudio() {
        let wave = SpokenAudio.wave(Array(Self.speech.prefix(2)))
        let parts =
            Array(stride(from: 0, to: 60, by: 3))
            + Array(stride(from: 61, to: wave.count, by: wave.count / 20))
        for count in parts {
            guard let found = try? times(of: Array(wave[..<count]), "film.wav", .always) else {
                continue
            }
            let end = Timestamp.nanoseconds(of: count)
            #expect(found.times.allSatisfy { $0.lowerBound < $0.upperBound })
            #expect(found.times.allSatisfy { $0.upperBound.nanoseconds <= end }, "\(count)")
        }
        // The header says what cannot be.
        for index in 0..<44 {
            for value: UInt8 in [0, 0x80, 0xFF] {
                var damaged = wave
                damaged[index] = value
                guard let found = try? times(of: damaged, "film.wav", .always) else { continue }
                #expect(found.times.allSatisfy { $0.lowerBound < $0.upperBound })
            }
        }
        for damaged in bitFlips(of: wave, count: 20, seed: 4) {
            _ = try? times(of: damaged, "film.wav", .always)
        }
    }
}

extension Timestamp {
    /// The nanoseconds that the samples in some bytes of `SpokenAudio.wave` take, and a tenth of a second.
    fileprivate static func nanoseconds(of bytes: Int) -> Int64 {
        Int64(bytes) * 1_000_000_000 / Int64(SpokenAudio.rate * 2) + 100_000_000
    }
}
