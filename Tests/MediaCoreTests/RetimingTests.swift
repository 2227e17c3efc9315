import MediaCore
import Testing

@Suite("Retiming")
struct RetimingTests {
    @Test("stretching comes before shifting, and both can be undone")
    func order() throws {
        let speed = try #require(Retiming.speed(parsing: "25:23.976"))
        #expect(speed == TimeBase(1001, 960))
        let retiming = Retiming(speed: speed, shift: .milliseconds(-1500))
        let time = Timestamp.seconds(960)
        #expect(retiming.applied(to: time) == .milliseconds(999_500))
        #expect(retiming.undone(at: .milliseconds(999_500)) == time)
        #expect(Retiming.none.applied(to: time) == time)
    }

    @Test(
        "rates are decimal numbers",
        arguments: [
            ("25:25", TimeBase(1, 1)), ("1:2", TimeBase(1, 2)), ("24:25", TimeBase(24, 25)),
            ("23.976:24", TimeBase(1000, 1001)), ("1.5:1", TimeBase(3, 2)),
        ])
    func rates(text: String, speed: TimeBase) { #expect(Retiming.speed(parsing: text) == speed) }

    @Test(
        "anything else is refused",
        arguments: ["", "25", "0:1", "1:0", "-1:2", "a:b", "1:2:3", "1.:2", "9999999:1", "5000:1"])
    func refused(text: String) { #expect(Retiming.speed(parsing: text) == nil) }

    @Test("extreme times saturate")
    func extremes() {
        let retiming = Retiming(speed: TimeBase(.max, 1), shift: .seconds(1))
        #expect(retiming.applied(to: .distantFuture) == .distantFuture)
        #expect(retiming.applied(to: Timestamp(nanoseconds: .min)).nanoseconds < 0)
    }
}
