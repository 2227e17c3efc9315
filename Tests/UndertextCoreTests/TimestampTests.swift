import Testing
import UndertextCore

@Test func ticksOfUsualTimeBasesComeBackUnchanged() {
    let bases: [TimeBase] = [
        .milliseconds, .microseconds, .nanoseconds, .mpeg, TimeBase(1, 25), TimeBase(1001, 30_000),
        TimeBase(1, 27_000_000),
    ]
    for base in bases {
        for ticks: Int64 in [0, 1, 2, 3, 7, 89_999, 90_001, 123_456_789, -1, -90_001] {
            let time = Timestamp(ticks: ticks, timeBase: base)
            #expect(time?.ticks(in: base) == ticks, "\(ticks) of \(base)")
        }
    }
}

@Test func halvesRoundAwayFromZero() {
    #expect(rescale(1, from: TimeBase(1, 2), to: TimeBase(1, 1)) == 1)
    #expect(rescale(-1, from: TimeBase(1, 2), to: TimeBase(1, 1)) == -1)
    #expect(rescale(3, from: TimeBase(1, 2), to: TimeBase(1, 1)) == 2)
    #expect(rescale(1, from: TimeBase(1, 3), to: TimeBase(1, 1)) == 0)
    #expect(rescale(2, from: TimeBase(1, 3), to: TimeBase(1, 1)) == 1)
}

/// Around the largest products of 64 bits, where another arithmetic takes over.
@Test func conversionIsExactAroundTheWidthOfAProduct() {
    let bases: [TimeBase] = [
        .milliseconds, .mpeg, .nanoseconds, TimeBase(1001, 30_000), TimeBase(.max, 1),
        TimeBase(1, .max), TimeBase(7, 3),
    ]
    for source in bases {
        for target in bases {
            let factor = Int128(source.numerator) * Int128(target.denominator)
            let divisor = Int128(source.denominator) * Int128(target.numerator)
            let widest = Int64(Int128(Int64.max) / factor)
            for ticks in [widest - 1, widest, widest &+ 1, -widest, .max, .min, 0, 1, -1] {
                // Twice the quotient plus one, halved, rounds halves up; of the magnitude, away from zero.
                let magnitude = (Int128(ticks) * factor * 2).magnitude
                let rounded = Int128((magnitude / UInt128(divisor) + 1) / 2)
                let expected = Int64(exactly: ticks < 0 ? -rounded : rounded)
                #expect(
                    rescale(ticks, from: source, to: target) == expected,
                    "\(ticks) of \(source) in \(target)")
            }
        }
    }
}

@Test func conversionThatDoesNotFitIsNil() {
    #expect(Timestamp(ticks: .max, timeBase: .milliseconds) == nil)
    #expect(Timestamp(ticks: .min, timeBase: .milliseconds) == nil)
    #expect(Timestamp(ticks: .max, timeBase: .nanoseconds) == Timestamp(nanoseconds: .max))
    #expect(Timestamp(ticks: 1, timeBase: TimeBase(0, 1)) == nil)
    #expect(Timestamp(ticks: 1, timeBase: TimeBase(1, 0)) == nil)
    #expect(Timestamp(ticks: 1, timeBase: TimeBase(1, -1000)) == nil)
    #expect(Timestamp(ticks: .max, timeBase: TimeBase(.max, 1)) == nil)
}

@Test func millisecondsRoundHalvesUp() {
    #expect(Timestamp(nanoseconds: 1_499_999).roundedMilliseconds == 1)
    #expect(Timestamp(nanoseconds: 1_500_000).roundedMilliseconds == 2)
    #expect(Timestamp(nanoseconds: -1_500_000).roundedMilliseconds == -1)
    #expect(Timestamp(nanoseconds: -1_500_001).roundedMilliseconds == -2)
    #expect(Timestamp(nanoseconds: -400_000).roundedMilliseconds == 0)
    #expect(Timestamp.milliseconds(.max) == .distantFuture)
    #expect(Timestamp.seconds(.min).nanoseconds == .min)
}

@Test func secondsWithFractions() {
    let clock: Double = 3723.5
    #expect(Timestamp.seconds(clock) == .milliseconds(3_723_500))
    #expect(Timestamp.seconds(1.000_000_001_4).nanoseconds == 1_000_000_001)
    #expect(Timestamp.seconds(-0.5) == .milliseconds(-500))
    #expect(Timestamp.seconds(Double.nan) == .zero)
    #expect(Timestamp.seconds(Double.infinity) == .distantFuture)
    #expect(Timestamp.seconds(-Double.infinity).nanoseconds == .min)
    #expect(Timestamp.seconds(1e300) == .distantFuture)
}

@Test func arithmeticSaturates() {
    #expect(Timestamp.seconds(1).advanced(by: .milliseconds(-1500)) == .milliseconds(-500))
    #expect(Timestamp.distantFuture.advanced(by: .seconds(1)) == .distantFuture)
    #expect(Timestamp.zero.advanced(by: .seconds(Int64.max)) == .distantFuture)
    #expect(Timestamp.seconds(2).duration(to: .seconds(5)) == .seconds(3))
    #expect(Timestamp.seconds(5).duration(to: .seconds(2)) == .seconds(-3))
    let whole = Timestamp(nanoseconds: .min).duration(to: .distantFuture)
    #expect(whole.nanoseconds128 == Int128(Int64.max) - Int128(Int64.min))
    #expect(Duration(ticks: 90_000, timeBase: .mpeg) == .seconds(1))
    #expect(Duration(ticks: .max, timeBase: .mpeg) == nil)
}

@Test func packetTimes() {
    var packet = Packet(
        streamIndex: 0, pts: 1500, duration: 500, timeBase: .milliseconds, data: [])
    #expect(packet.start == .milliseconds(1500))
    #expect(packet.end == .seconds(2))
    packet.pts = .max
    #expect(packet.start == nil)
    #expect(packet.end == nil)
    packet.pts = nil
    #expect(packet.start == nil)
    packet.pts = 5
    packet.duration = nil
    #expect(packet.end == nil)
}

@Test(arguments: [
    ("90", 90_000), ("90.5", 90_500), ("1:30", 90_000), ("01:02:03.25", 3_723_250), ("0", 0),
    ("100:00:00", 360_000_000), ("75:00", 4_500_000), ("0.0009999999", 0), (".5", 500),
])
func clockTimesAreRead(_ text: String, _ milliseconds: Int64) {
    let time = Timestamp(clock: text)
    #expect(time.map { $0.nanoseconds / 1_000_000 } == milliseconds)
}

@Test(arguments: [
    "", ":", "1:", ":30", "1:60", "1:2:3:4", "-1", "+1", "1,5", "1.", ".", "1:.5", ".5.", "1.5.2",
    " 1", "1s",
    "1:30:61", "99999999999999999999", "9999999999999", "1.5x",
])
func otherTextIsNoClockTime(_ text: String) {
    #expect(Timestamp(clock: text) == nil)
}

@Test func windowsTakeWhatIsOnScreen() {
    let window = TimeWindow(from: .seconds(10), until: .seconds(20))
    #expect(window.overlaps(from: .seconds(5), until: .seconds(11)))
    #expect(window.overlaps(from: .seconds(19), until: .seconds(30)))
    #expect(!window.overlaps(from: .seconds(5), until: .seconds(10)))
    #expect(!window.overlaps(from: .seconds(20), until: .seconds(21)))
    #expect(TimeWindow.all.overlaps(from: .seconds(-5), until: .seconds(-4)))
}

@Test(arguments: [
    (Int64(3_723_500_000_000), "01:02:03.500"), (0, "00:00:00.000"),
    (-1_000_000_000, "-00:00:01.000"), (1, "00:00:00.000000001"),
    (360_000_000_000_000, "100:00:00.000"), (.max, "2562047:47:16.854775807"),
    (.min, "-2562047:47:16.854775808"),
])
func textOfTimes(_ nanoseconds: Int64, _ text: String) {
    #expect(Timestamp(nanoseconds: nanoseconds).description == text)
    if nanoseconds >= 0 { #expect(Timestamp(clock: text)?.nanoseconds == nanoseconds) }
}

@Test func literalsOfTimes() {
    let time: Timestamp = "1:02:03.5"
    #expect(time == .milliseconds(3_723_500))
}
