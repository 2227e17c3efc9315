import Testing
import UndertextCore

@Suite struct PixelBudgetTests {
    private func budget(_ pixels: Int, perByte: Int = 0) -> PixelBudget {
        var limits = Limits()
        limits.bitmapPixels = pixels
        limits.bitmapPixelsPerByte = perByte
        return PixelBudget(limits: limits)
    }

    @Test func nonfittingDataEndsIt() {
        let budget = budget(100)
        #expect(budget.spend(width: 8, height: 8))
        #expect(budget.takeDiagnostic() == nil)
        #expect(!budget.spend(40))
        // Nothing smaller is let through after it.
        #expect(!budget.spend(1))
        #expect(budget.spent == 64 && budget.isExhausted)
        #expect(budget.takeDiagnostic(time: .seconds(3))?.code == "pixel-limit")
        #expect(budget.takeDiagnostic() == nil)
    }

    @Test func inputRaisesIt() {
        let budget = budget(10, perByte: 5)
        budget.add(bytes: 4)
        #expect(budget.spend(30))
        #expect(!budget.spend(1))
    }

    @Test func sizesBeyondAllNumbers() {
        let budget = budget(.max, perByte: .max)
        budget.add(bytes: .max)
        budget.add(bytes: -1)
        #expect(budget.spend(width: -4, height: .max))
        #expect(budget.spend(.max - 1))
        #expect(!budget.spend(width: .max, height: .max))
        #expect(budget.isExhausted)
    }

    /// Three hours with a caption of two lines every second, decoded and encoded, take less than a
    /// tenth; forty images of 8000 × 8000 pixels, which take 48 kB each, do not fit.
    @Test func discsFitAndExplosionsDoNot() {
        let disc = PixelBudget()
        disc.add(bytes: 10_800 * 12_000)
        #expect((0..<10_800 * 2 * 10).allSatisfy { _ in disc.spend(width: 1200, height: 160) })
        // All but the caption of a whole screen is transparent, and its text takes 15 kB.
        let screens = PixelBudget()
        screens.add(bytes: 10_800 * 15_000)
        #expect((0..<10_800 * 2).allSatisfy { _ in screens.spend(width: 1920, height: 1080) })
        let hostile = PixelBudget()
        hostile.add(bytes: 40 * 48_000)
        #expect(!(0..<40 * 2).allSatisfy { _ in hostile.spend(width: 8000, height: 8000) })
    }
}
