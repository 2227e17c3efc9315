import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Times within the text of an event, stretched with it.
@Suite struct ASSOverrideTimesTests {
    private func stretched(_ text: String, _ speed: TimeBase = TimeBase(3, 2)) -> String {
        String(
            decoding: ASSOverrideTimes.stretched(Array(text.utf8)[...], by: speed), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{\k10}a{\K20}b{\kf30}c{\ko40}d"#, #"{\k15}a{\K30}b{\kf45}c{\ko60}d"#),
        (#"{\kt100\k10}a"#, #"{\kt150\k15}a"#),
        (
            #"{\fad(100, 200)}x{\fade(255,0,255,0,100,200,300)}"#,
            #"{\fad(150, 300)}x{\fade(255,0,255,0,150,300,450)}"#
        ),
        (#"{\move(1,2,3,4,100,200)}"#, #"{\move(1,2,3,4,150,300)}"#),
        (#"{\t(100,200,\fs20\move(1,2,3,4))}"#, #"{\t(150,300,\fs20\move(1,2,3,4))}"#),
        (#"{\t(100,200,1.5,\1c&HFF&)\k10}"#, #"{\t(150,300,1.5,\1c&HFF&)\k15}"#),
        (#"{\ k100}a{\k(100)}b{\ fad(100,200)}"#, #"{\ k150}a{\k(150)}b{\ fad(150,300)}"#),
        (#"{comment\k10 comment\i1}"#, #"{comment\k15 comment\i1}"#),
    ])
    func times(text: String, expected: String) { #expect(stretched(text) == expected) }

    @Test(arguments: [
        #"\k10 no block"#, #"{\k}"#, #"{\kx}"#, #"{\t(\fs20)}"#, #"{\t(2,\fs20)}"#,
        #"{\move(1,2,3,4)}"#,
        #"{\fad(1)}"#, #"{\pos(10,20)\clip(1,2,3,4)\fs10}"#, #"\{\k10}"#, #"{\k10"#, #"{\fad"#, "",
        #"{\k99999999999999999999}"#, #"{\kern10}"#, #"{\k1.5\fad(1.5,-)}"#,
    ])
    func otherNumbersStay(text: String) { #expect(stretched(text) == text) }

    /// Many short syllables end where their sum does.
    @Test func syllablesDoNotDrift() {
        let text = String(repeating: #"{\k7}x"#, count: 100)
        let result = stretched(text, TimeBase(1001, 960))
        let sum = result.split(separator: "{\\k").compactMap { Int($0.prefix { $0.isNumber }) }
            .reduce(0, +)
        #expect(sum == (700 * 1001 + 480) / 960)
    }

    @Test func onlyTheTextOfAnEventIsChanged() {
        let event = #"1,0,{\k10},,0,0,0,{\k10},{\k10},x"#
        let result = ASSOverrideTimes.stretched(event: Array(event.utf8), by: TimeBase(2, 1))
        #expect(String(decoding: result, as: UTF8.self) == #"1,0,{\k10},,0,0,0,{\k10},{\k20},x"#)
        #expect(
            ASSOverrideTimes.stretched(event: Array("1,0".utf8), by: TimeBase(2, 1))
                == Array("1,0".utf8))
    }

    /// Stretching by one changes no bytes, and no damage traps.
    @Test func damage() {
        let text = Array(
            #"a{\t(0,500,1,\fs20)\k10}b{\fade(1,2,3,4,5,6,7)}{\move(1,2,3,4,5,6)\kf5}"#.utf8)
        for bytes in truncations(of: text) {
            #expect(ASSOverrideTimes.stretched(bytes[...], by: TimeBase(1, 1)) == bytes)
        }
        for bytes in bitFlips(of: text, count: 300, seed: 5) {
            _ = ASSOverrideTimes.stretched(bytes[...], by: TimeBase(.max, 1))
        }
    }
}
