import Testing
import UndertextCore
import UndertextStreaming

@Suite struct SegmentRatesTests {
    private func rates(_ segments: [(Double, Int64)], target: Int64) -> SegmentRates? {
        SegmentRates(
            segments.map { (.milliseconds(Int64($0.0 * 1000)), $0.1) }, target: .seconds(target))
    }

    @Test func thePeakIsThatOfARunAsLongAsASegment() {
        let even = rates([(4, 500_000), (4, 500_000)], target: 4)
        #expect(even?.peak == 1_000_000)
        #expect(even?.average == 1_000_000)
        // A segment that is too short counts together with its neighbors.
        let uneven = rates([(4, 100_000), (1, 500_000), (4, 100_000)], target: 4)
        #expect(uneven?.peak == 960_000)
        #expect(uneven?.average == 622_222)
        // The last one is short and large.
        #expect(rates([(4, 1000), (0.1, 1000)], target: 4)?.peak == 3902)
    }

    @Test func extremes() {
        #expect(rates([], target: 4) == nil)
        #expect(rates([(0, 1000)], target: 4) == nil)
        #expect(rates([(1, 1000)], target: 0)?.peak == 8000)
        #expect(rates([(1, .max), (1, .max)], target: 1)?.peak == .max)
        #expect(rates([(1, 0)], target: 1)?.average == 1)
    }
}
