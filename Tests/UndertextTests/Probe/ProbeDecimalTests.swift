import Glibc
import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// The output of C for `%f`.
private func printed(_ value: Double) -> String {
    var buffer = [CChar](repeating: 0, count: 400)
    unsafe withVaList([value]) { list in
        _ = unsafe vsnprintf(&buffer, buffer.count, "%f", list)
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

@Suite struct ProbeDecimalTests {
    @Test func exactHalvesGoToTheEvenDigit() {
        #expect(sixDecimals(0x1p-7) == "0.007812")
        #expect(sixDecimals(0.0234375) == "0.023438")
        #expect(sixDecimals(0.9999996) == "1.000000")
        #expect(sixDecimals(-1e-9) == "-0.000000")
        #expect(sixDecimals(0x1p100) == "1267650600228229401496703205376.000000")
        #expect(sixDecimals(.leastNonzeroMagnitude) == "0.000000")
        #expect(sixDecimals(.infinity) == nil)
        #expect(sixDecimals(.nan) == nil)
        #expect(sixDecimals(0x1p126) == nil)
    }

    @Test func equalsPrintf() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let bits = random.next()
            let exponent = UInt64.random(in: 880...1140, using: &random)
            let value = Double(bitPattern: bits & 0x800F_FFFF_FFFF_FFFF | exponent << 52)
            #expect(sixDecimals(value) == printed(value))
        }
    }

    @Test func ticksAreMultipliedAsFfprobeDoes() {
        #expect(ffprobeSeconds(132_006, .mpeg) == "1.466733")
        #expect(ffprobeSeconds(-83, .milliseconds) == "-0.083000")
        #expect(ffprobeSeconds(.min, .milliseconds) == nil)
        #expect(ffprobeSeconds(1, TimeBase(1, 0)) == nil)
        #expect(
            ffprobeSeconds(.max, TimeBase(.max, 1))
                == printed(9.223372036854775807e18 * 2_147_483_647))
    }
}
