import Testing
import Undertext
import UndertextCore
import UndertextPlayback

@Suite struct TextPositionTests {
    private func position(_ change: (inout CueLayout) -> Void) -> TextPosition {
        var layout = CueLayout()
        change(&layout)
        return TextPosition(layout)
    }

    private func expected(_ change: (inout TextPosition) -> Void) -> TextPosition {
        var position = TextPosition()
        change(&position)
        return position
    }

    @Test func defaults() {
        #expect(TextPosition(CueLayout()) == TextPosition())
    }

    @Test func lines() {
        let line = 16.0 / 3
        #expect(
            position { $0.line = 0 } == expected { ($0.vertical, $0.verticalMargin) = (.top, 0) })
        #expect(
            position { $0.line = 2 }
                == expected { ($0.vertical, $0.verticalMargin) = (.top, 2 * line) })
        #expect(
            position { $0.line = -1 }
                == expected { ($0.vertical, $0.verticalMargin) = (.bottom, 0) })
        #expect(
            position { $0.line = -3 }
                == expected { ($0.vertical, $0.verticalMargin) = (.bottom, 2 * line) })
        for (alignment, vertical, margin) in [
            (CueLayout.LineAlignment.start, TextPosition.Vertical.top, 30.0),
            (.center, .middle, 30), (.end, .bottom, 70),
        ] {
            let found = position {
                ($0.line, $0.snapToLines, $0.lineAlignment) = (30, false, alignment)
            }
            #expect(found == expected { ($0.vertical, $0.verticalMargin) = (vertical, margin) })
        }
    }

    @Test(
        arguments: [
            // text alignment, position, position alignment, size: horizontal, left, right
            (
                CueLayout.TextAlignment.center, nil, CueLayout.PositionAlignment.auto, 100.0,
                TextPosition.Horizontal.center, 0.0, 0.0
            ),
            (.center, 50, .auto, 40, .center, 30, 30),
            (.center, 20, .auto, 100, .center, 0, 60),
            (.left, nil, .auto, 100, .left, 0, 0),
            (.left, 10, .auto, 100, .left, 10, 0),
            (.right, nil, .auto, 100, .right, 0, 0),
            (.right, 90, .auto, 30, .right, 60, 10),
            (.center, 10, .lineLeft, 50, .center, 10, 40),
            (.left, 90, .lineRight, 50, .left, 40, 10),
            (.start, 25, .auto, 100, .left, 25, 0),
            (.end, 75, .auto, 100, .right, 0, 25),
        ]
            as [(
                CueLayout.TextAlignment, Double?, CueLayout.PositionAlignment, Double,
                TextPosition.Horizontal, Double, Double
            )])
    func columns(
        _ align: CueLayout.TextAlignment, _ place: Double?,
        _ placeAlign: CueLayout.PositionAlignment, _ size: Double,
        _ horizontal: TextPosition.Horizontal, _ left: Double, _ right: Double
    ) {
        let found = position {
            ($0.textAlignment, $0.position, $0.positionAlignment, $0.size) =
                (align, place, placeAlign, size)
        }
        #expect(
            found
                == expected {
                    ($0.horizontal, $0.leftMargin, $0.rightMargin) = (horizontal, left, right)
                })
    }

    @Test func textFromTheRight() throws {
        var layout = CueLayout()
        layout.textAlignment = .start
        func part(_ text: String) throws -> DisplayedSubtitle {
            let cue = Cue(
                start: .zero, end: .seconds(1), layout: layout, content: .text(StyledText(text)))
            return try #require(DisplayedSubtitle.parts(of: cue).first)
        }
        #expect(try part("- שלום").textPosition?.horizontal == .right)
        #expect(try part("- hello").textPosition?.horizontal == .left)
    }

    @Test func valuesThatAreNone() {
        for wrong in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            for snaps in [true, false] {
                let found = position {
                    ($0.line, $0.snapToLines, $0.position, $0.size) = (wrong, snaps, wrong, wrong)
                }
                for margin in [found.leftMargin, found.rightMargin, found.verticalMargin ?? 0] {
                    #expect((0...100).contains(margin))
                }
            }
        }
    }
}
