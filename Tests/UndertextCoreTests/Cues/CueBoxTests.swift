import Testing
import UndertextCore

/// W3C WebVTT, section 7.2, steps 3 to 9.
@Suite struct CueBoxTests {
    private func box(
        _ region: Region? = nil, direction: TextDirection = .leftToRight, atLeast least: Double = 0,
        _ change: (inout CueLayout) -> Void = { _ in }
    ) -> CueBox {
        var layout = CueLayout()
        change(&layout)
        return CueBox(layout, direction: direction, region: region, atLeast: least)
    }

    @Test func isTheWholeVideoByDefault() {
        let box = box()
        #expect(box.start == 0 && box.size == 100 && box.end == 100)
        #expect(box.side == .center && box.anchor == .center && box.lines == .automatic)
    }

    @Test(arguments: [
        (CueLayout.TextAlignment.start, CueBox.Side.left, CueBox.Side.right), (.end, .right, .left),
        (.left, .left, .left), (.center, .center, .center), (.right, .right, .right),
    ])
    func sides(_ alignment: CueLayout.TextAlignment, _ ltr: CueBox.Side, _ rtl: CueBox.Side) {
        #expect(box { $0.textAlignment = alignment }.side == ltr)
        #expect(box(direction: .rightToLeft) { $0.textAlignment = alignment }.side == rtl)
    }

    @Test(arguments: [
        (CueLayout.PositionAlignment.auto, 30.0, 100.0, 0.0, 60.0), (.auto, 30, 20, 20, 20),
        (.lineLeft, 30, 100, 30, 70), (.lineLeft, 30, 20, 30, 20), (.lineRight, 30, 100, 0, 30),
        (.lineRight, 30, 20, 10, 20), (.center, 90, 100, 80, 20), (.center, 200, 100, 100, 0),
        (.center, .nan, .infinity, 0, 100), (.lineLeft, -5, -5, 0, 0),
    ])
    func positions(
        _ alignment: CueLayout.PositionAlignment, _ position: Double, _ size: Double,
        _ start: Double, _ width: Double
    ) {
        let box = box {
            $0.positionAlignment = alignment
            $0.position = position
            $0.size = size
        }
        #expect(box.start == start && box.size == width)
    }

    @Test func hasTheLeastWidth() {
        let left = box(atLeast: 5) {
            $0.position = 99
            $0.positionAlignment = .lineLeft
        }
        #expect(left.start == 95 && left.size == 5)
        #expect(box(atLeast: 5) { $0.position = 0 }.start == 0)
    }

    @Test func lines() {
        #expect(box { $0.line = 2 }.lines == .counted(2, fromEnd: false))
        #expect(box { $0.line = -1 }.lines == .counted(0, fromEnd: true))
        #expect(box { $0.line = -3 }.lines == .counted(2, fromEnd: true))
        #expect(box { $0.line = .nan }.lines == .automatic)
        let percent = box {
            $0.line = 80
            $0.snapToLines = false
            $0.lineAlignment = .end
        }
        #expect(percent.lines == .percent(80, .end))
    }

    @Test func regions() {
        var region = Region(id: "r")
        region.width = 50
        region.regionAnchor = Region.Anchor(x: 100, y: 100)
        region.viewportAnchor = Region.Anchor(x: 90, y: 80)
        let box = box(region) {
            $0.position = 50
            $0.size = 40
            $0.line = 3
        }
        #expect(region.left == 40)
        #expect(box.start == 55 && box.size == 20)
        #expect(box.lines == .percent(80, .end))
    }
}
