import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// The rule of a stream of that codec.
func randomAccess(_ codec: CodecID) -> any RandomAccessRule {
    SubtitleFormat.randomAccess(of: StreamDescription(index: 0, kind: .bitmap, codec: codec))
}

@Suite struct RandomAccessRuleTests {
    /// A composition segment after a palette segment.
    private func displaySet(state: UInt8, objects: UInt8) -> [UInt8] {
        [0x14, 0, 2, 0, 0] + [0x16, 0, 11] + [7, 0x80, 4, 0x38, 0x10, 0, 1, state, 0, 0, objects]
            + [0x80, 0, 0]
    }

    @Test func presentationGraphics() {
        let rule = randomAccess(.pgs)
        for state in [0x80, 0x40, 0x00, 0xC0] {
            for objects: UInt8 in [0, 1, 2] {
                let role = rule.role(of: displaySet(state: UInt8(state), objects: objects))
                // A decoder that saw the packets before an acquisition point may know more.
                #expect(
                    role
                        == .init(
                            isRandomAccessPoint: state == 0x80, isAcquisitionPoint: state == 0x40,
                            shows: objects > 0))
            }
        }
        // A segment of a set in several packets.
        #expect(rule.role(of: [0x15, 0, 1, 0]) == .init(isRandomAccessPoint: false, shows: nil))
        // Or the rest of one, whose pixels look like a composition after unknown data.
        let rest: [UInt8] = [0x05, 0, 2, 0, 0] + displaySet(state: 0x80, objects: 1)
        #expect(rule.role(of: rest) == .init(isRandomAccessPoint: false, shows: nil))
    }

    private func page(state: UInt8, regions: Int) -> [UInt8] {
        let body = [10, state << 2] + [UInt8](repeating: 0, count: 6 * regions)
        return [0x0F, 0x14, 0, 1, 0, 1, 0] + [0x0F, 0x10, 0, 1, 0, UInt8(body.count)] + body
    }

    @Test func dvb() {
        let rule = randomAccess(.dvb)
        for (state, isRandomAccessPoint): (UInt8, Bool) in [
            (0, false), (1, true), (2, true), (3, false),
        ] {
            let role = rule.role(of: page(state: state, regions: 1))
            #expect(role == .init(isRandomAccessPoint: isRandomAccessPoint, shows: true))
            #expect(rule.role(of: [0x20, 0x00] + page(state: state, regions: 0)).shows == false)
        }
    }

    @Test func textIsIndependent() {
        #expect(
            randomAccess(.subRip).role(of: [0x41])
                == .init(isRandomAccessPoint: true, shows: true))
        #expect(randomAccess(.ass) is IndependentPackets)
    }

    @Test func damageSaysNothing() {
        for (rule, bytes) in [
            (randomAccess(.pgs), displaySet(state: 0x80, objects: 1)),
            (randomAccess(.dvb), page(state: 2, regions: 2)),
        ] {
            for cut in truncations(of: bytes) where cut.count < 14 {
                #expect(rule.role(of: cut).isRandomAccessPoint == false)
            }
            for damaged in bitFlips(of: bytes, count: 2000) { _ = rule.role(of: damaged) }
        }
    }
}
