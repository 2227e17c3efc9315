import TestSupport
import Testing
import UndertextCore

@Suite("Retiming")
struct RetimingTests {
    @Test("stretching precedes shifting, and both are reversible")
    func order() throws {
        let speed = try Retiming.speed(parsing: "25:23.976")
        #expect(speed == TimeBase(1001, 960))
        let retiming = Retiming(speed: speed, shift: .milliseconds(-1500))
        let time = Timestamp.seconds(960)
        #expect(retiming.applied(to: time) == .milliseconds(999_500))
        #expect(retiming.undone(at: .milliseconds(999_500)) == time)
        #expect(Retiming.none.applied(to: time) == time)
    }

    @Test("breaks change the shift, and an event moves as a whole")
    func breaks() {
        var retiming = Retiming(
            speed: TimeBase(2, 1), shift: .seconds(1),
            breaks: [
                .init(from: .seconds(10), shift: .seconds(-5)),
                .init(from: .seconds(20), shift: .seconds(30)),
            ])
        let times: [(Int64, Int64)] = [(-4, -7), (0, 1), (9, 19), (10, 15), (19, 33), (20, 70)]
        for (old, new) in times {
            #expect(retiming.applied(to: .seconds(old)) == .seconds(new))
        }
        #expect(retiming.applied(to: .seconds(12), inEventAt: .seconds(9)) == .seconds(25))
        #expect(retiming.undone(at: .seconds(1)) == .zero)
        #expect(retiming.undone(at: .seconds(33)) == .seconds(19))
        #expect(retiming.undone(at: .seconds(70)) == .seconds(20))
        #expect(!retiming.isNone && retiming.isStretching)
        // What would come after the break ends with it.
        retiming.keepsOrder = true
        #expect(retiming.applied(to: .seconds(9)) == .seconds(15))
        #expect(retiming.applied(to: .seconds(12), inEventAt: .seconds(9)) == .seconds(15))
        #expect(retiming.applied(to: .seconds(19)) == .seconds(33))
        #expect(!Retiming(breaks: [.init(from: .zero, shift: .seconds(1))]).isNone)
    }

    @Test(
        "rates are decimal numbers",
        arguments: [
            ("25:25", TimeBase(1, 1)), ("1:2", TimeBase(1, 2)), ("24:25", TimeBase(24, 25)),
            ("23.976:24", TimeBase(1000, 1001)), ("1.5:1", TimeBase(3, 2)),
            ("24000/1001:24", TimeBase(1000, 1001)), ("25:2.5/0.1", TimeBase(1, 1)),
        ])
    func rates(text: String, speed: TimeBase) throws {
        #expect(try Retiming.speed(parsing: text) == speed)
    }

    private func refusal(_ text: String) -> String? {
        let error = #expect(throws: UndertextError.self) { try Retiming.speed(parsing: text) }
        return error?.description
    }

    /// The inputs of each group have one reason, and no two groups the same.
    @Test("malformed values are refused")
    func refused() {
        let groups = [
            // Not two frame rates.
            ["", "25", "1:2:3"],
            // Not positive.
            ["0:1", "1:0", "-1:2", "1:2/0"],
            // More than a thousandfold.
            ["5000:1"],
            // Too many digits.
            ["99999.99999:99999.99998", "999999.999999/999999.999998:999999.999997"],
        ].map { Set($0.map(refusal)) }
        #expect(groups.allSatisfy { $0.count == 1 })
        #expect(Set(groups.flatMap(\.self)).count == groups.count)
    }

    @Test(
        "what is no frame rate is quoted",
        arguments: [
            ("a:b", "'a'"), ("1.:2", "'1.'"), ("1:", "''"), ("1/2/3:1", "'1/2/3'"),
            ("9999999:1", "'9999999'"),
        ])
    func quoted(text: String, part: String) {
        #expect(refusal(text)?.states(part) == true)
    }

    @Test("extreme times saturate")
    func extremes() {
        let retiming = Retiming(speed: TimeBase(.max, 1), shift: .seconds(1))
        #expect(retiming.applied(to: .distantFuture) == .distantFuture)
        #expect(retiming.applied(to: Timestamp(nanoseconds: .min)).nanoseconds < 0)
    }
}
