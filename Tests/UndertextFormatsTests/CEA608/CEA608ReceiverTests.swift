import Testing

@testable import UndertextFormats

private let resumeCaptionLoading = code(0x14, 0x20)
private let endOfCaption = code(0x14, 0x2F)
private let resumeDirectCaptioning = code(0x14, 0x29)
private let rollUp2 = code(0x14, 0x25)
private let rollUp3 = code(0x14, 0x26)
private let rollUp4 = code(0x14, 0x27)
private let carriageReturn = code(0x14, 0x2D)
private let eraseDisplayed = code(0x14, 0x2C)
private let eraseNonDisplayed = code(0x14, 0x2E)
private let backspace = code(0x14, 0x21)
private let deleteToEndOfRow = code(0x14, 0x24)
private let row15 = code(0x14, 0x70)

/// The rules of line 21 data, by the sections of CTA-608-E and 47 CFR 79.101.
@Suite struct CEA608ReceiverTests {
    private let start = CEA608Receiver()
    private var paintOn: CEA608Receiver { start.receiving(resumeDirectCaptioning, row15) }

    // MARK: Characters

    /// 47 CFR 79.101 (g): standard characters are ASCII but for eleven.
    @Test func standardCharacters() {
        let all = (UInt8(0x20)...0x3F).map { $0 }
        let screen = paintOn.receiving(
            stride(from: 0, to: all.count, by: 2).map { pair(all[$0], all[$0 + 1]) })
        #expect(dump(screen.displayed) == "15 0 | !\"#$%&'()á+,-./0123456789:;<=>?|32:white")
        let letters = paintOn.receiving(
            characters("@AZ[\\]^_`az{|}~\u{7F}"))
        #expect(dump(letters.displayed) == "15 0 |@AZ[é]íóúazç÷Ññ█|16:white")
    }

    /// 47 CFR 79.101 (g), special characters; the tenth is a transparent space.
    @Test func specialCharacters() {
        let screen = paintOn.receiving((UInt8(0x30)...0x3F).map { pair(0x11, $0) })
        #expect(dump(screen.displayed) == "15 0 |®°½¿™¢£♪à·èâêîôû|9:white,1:-,6:white")
    }

    /// CTA-608-E, section 6.4.2: extended characters replace the character before them.
    @Test func extendedCharacters() {
        let set = { (first: UInt8) in
            (UInt8(0x20)...0x3F).flatMap { [pair(0x23, 0), pair(first, $0)] }
        }
        #expect(
            dump(paintOn.receiving(set(0x12)).displayed)
                == "15 0 |ÁÉÓÚÜü‘¡*’—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»|32:white")
        #expect(
            dump(paintOn.receiving(set(0x13)).displayed)
                == "15 0 |ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤│ÅåØø┌┐└┘|32:white")
        // Nothing is before the first column.
        #expect(
            dump(paintOn.receiving(code(0x12, 0x21)).displayed) == "15 0 |É|1:white")
    }

    /// 47 CFR 79.101 (f): characters beyond the last column replace the one in it.
    @Test func lastColumn() {
        let full = paintOn.receiving(characters("abcdefghijklmnopqrstuvwxyz012345"))
        #expect(
            dump(full.receiving(characters("XYZ")).displayed)
                == "15 0 |abcdefghijklmnopqrstuvwxyz01234Z|32:white")
        #expect(
            dump(full.receiving(backspace, characters("é")).displayed).hasPrefix(
                "15 0 |abcdefghijklmnopqrstuvwxyz01234"))
        #expect(
            dump(full.receiving(backspace).displayed)
                == "15 0 |abcdefghijklmnopqrstuvwxyz01234|31:white")
        // An extended character replaces the one in the last column.
        #expect(
            dump(full.receiving(code(0x12, 0x21)).displayed)
                == "15 0 |abcdefghijklmnopqrstuvwxyz01234É|32:white")
    }

    /// 47 CFR 79.101 (f) (1) (vi) and (vii).
    @Test func backspaceAndDeletion() {
        let word = paintOn.receiving(characters("word"))
        #expect(dump(word.receiving(backspace).displayed) == "15 0 |wor|3:white")
        #expect(dump(paintOn.receiving(backspace, characters("a")).displayed) == "15 0 |a|1:white")
        let inside = word.receiving(row15, code(0x17, 0x22), deleteToEndOfRow)
        #expect(dump(inside.displayed) == "15 0 |wo|2:white")
        // Twice the same code, sent once each: another pair is between them.
        #expect(
            dump(word.receiving(backspace, code(0, 0), backspace).displayed) == "15 0 |wo|2:white")
    }

    // MARK: Rows and columns

    /// 47 CFR 79.101 (e), table of preamble address codes.
    @Test func rowsOfPreambles() {
        let codes: [(UInt8, UInt8)] = [
            (0x11, 0x40), (0x11, 0x60), (0x12, 0x40), (0x12, 0x60), (0x15, 0x40), (0x15, 0x60),
            (0x16, 0x40), (0x16, 0x60), (0x17, 0x40), (0x17, 0x60), (0x10, 0x40), (0x13, 0x40),
            (0x13, 0x60), (0x14, 0x40), (0x14, 0x60),
        ]
        for (index, row) in codes.enumerated() {
            for indent in 0..<8 {
                let screen = paintOn.receiving(
                    code(row.0, row.1 | 0x10 | UInt8(indent) << 1), characters("x"))
                #expect(dump(screen.displayed) == "\(index + 1) \(indent * 4) |x|1:white")
            }
        }
        // Row 11 has no second half.
        #expect(CEA608Code(0x10, 0x60) == nil)
    }

    @Test func looksOfPreambles() {
        let names = ["white", "green", "blue", "cyan", "red", "yellow", "magenta", "white i"]
        for (index, name) in names.enumerated() {
            let plain = paintOn.receiving(code(0x14, 0x60 | UInt8(index) << 1), characters("x"))
            #expect(dump(plain.displayed) == "15 0 |x|1:\(name)")
            let lined = paintOn.receiving(code(0x14, 0x61 | UInt8(index) << 1), characters("x"))
            let looks = name.hasSuffix(" i") ? "white iu" : name + " u"
            #expect(dump(lined.displayed) == "15 0 |x|1:\(looks)")
        }
        let indented = paintOn.receiving(code(0x14, 0x73), characters("x"))
        #expect(dump(indented.displayed) == "15 4 |x|1:white u")
    }

    /// CTA-608-E, section 6.4.4: tab offsets move the cursor and erase nothing.
    @Test func tabOffsets() {
        let screen = paintOn.receiving(
            characters("abcdef"), row15, code(0x17, 0x21), characters("X"), code(0x17, 0x23),
            characters("Y"))
        #expect(dump(screen.displayed) == "15 0 |aXcdeY|6:white")
        let end = paintOn.receiving(code(0x14, 0x7E), code(0x17, 0x23), characters("x"))
        #expect(dump(end.displayed) == "15 31 |x|1:white")
        #expect(
            dump(
                paintOn.receiving(
                    code(0x14, 0x7E), code(0x17, 0x23), code(0x17, 0x22), characters("x")
                ).displayed) == "15 31 |x|1:white")
    }

    // MARK: Looks

    /// 47 CFR 79.101 (h) (1): mid-row codes are spaces; colors end italics, italics keep the color.
    @Test func midRowCodes() {
        let screen = paintOn.receiving(
            characters("a"), code(0x11, 0x28), characters("b"), code(0x11, 0x2F), characters("c"),
            code(0x11, 0x22), characters("d"))
        #expect(
            dump(screen.displayed)
                == "15 0 |a b c d|2:white,2:red,2:red iu,1:green")
    }

    /// 47 CFR 79.101 (h) (1) (iii): flash is a space, and mid-row codes end it.
    @Test func flash() {
        let screen = paintOn.receiving(
            characters("a"), code(0x14, 0x28), characters("b"), code(0x11, 0x20), characters("c"))
        #expect(dump(screen.displayed) == "15 0 |a b c|2:white,2:white f,1:white")
    }

    /// CTA-608-E, section 6.2: background attributes replace the space before them.
    @Test func backgrounds() {
        let screen = paintOn.receiving(
            characters(" "), code(0x10, 0x24), characters("a "), code(0x10, 0x29),
            characters("b "), code(0x17, 0x2D), characters("c "), code(0x17, 0x2F),
            characters("d"))
        #expect(
            dump(screen.displayed)
                == "15 0 | a b c d|2:white/blue,2:white/red~,2:white/-,2:black u/-")
        // Preambles begin with the default background.
        #expect(
            dump(screen.receiving(code(0x14, 0x40), characters("e")).displayed)
                .hasPrefix("14 0 |e|1:white\n"))
    }

    // MARK: Pop-on

    /// 47 CFR 79.101 (f) (2): captions are loaded out of sight and swapped.
    @Test func popOn() {
        let loaded = start.receiving(resumeCaptionLoading, row15, characters("one"))
        #expect(loaded.displayed.isEmpty)
        let shown = loaded.receiving(endOfCaption)
        #expect(dump(shown.displayed) == "15 0 |one|3:white" && shown.mode == .popOn)
        let next = shown.receiving(
            resumeCaptionLoading, eraseNonDisplayed, code(0x14, 0x50), characters("two"))
        #expect(next.displayed == shown.displayed)
        let second = next.receiving(endOfCaption)
        #expect(dump(second.displayed) == "14 0 |two|3:white")
        // Nothing was erased: the first one is back.
        #expect(second.receiving(code(0, 0), endOfCaption).displayed == shown.displayed)
        #expect(second.receiving(eraseDisplayed).displayed.isEmpty)
        #expect(
            second.receiving(eraseNonDisplayed, eraseDisplayed, endOfCaption).displayed.isEmpty)
    }

    @Test func carriageReturnsOutsideRollUp() {
        let screen = paintOn.receiving(characters("a"), carriageReturn, characters("b"))
        #expect(dump(screen.displayed) == "15 0 |ab|2:white")
    }

    // MARK: Roll-up

    /// 47 CFR 79.101 (f) (1): rows move up in a window above the base row.
    @Test(arguments: [(rollUp2, 2), (rollUp3, 3), (rollUp4, 4)])
    func rollUp(_ command: [(UInt8, UInt8)], _ depth: Int) {
        var receiver = start.receiving(command, carriageReturn)
        for line in ["one", "two", "three", "four", "five"] {
            receiver = receiver.receiving(carriageReturn, row15, characters(line), code(0, 0))
        }
        let lines = ["one", "two", "three", "four", "five"].suffix(depth)
        let expected = zip(16 - depth..<16, lines).map { "\($0) 0 |\($1)|\($1.count):white" }
        #expect(dump(receiver.displayed) == expected.joined(separator: "\n"))
        #expect(receiver.displayed.rows[14 - depth].allSatisfy { $0.character == nil })
    }

    /// 47 CFR 79.101 (f) (1) (ii): the look of a row ends with it.
    @Test func carriageReturnsEndLooks() {
        let receiver = start.receiving(
            rollUp2, code(0x14, 0x6B), characters("a"), carriageReturn, characters("b"))
        #expect(dump(receiver.displayed) == "14 0 |a|1:yellow u\n15 0 |b|1:white")
    }

    @Test func smallerWindow() {
        let receiver = start.receiving(
            rollUp3, characters("a"), carriageReturn, characters("b"), carriageReturn,
            characters("c"), rollUp2)
        #expect(dump(receiver.displayed) == "14 0 |b|1:white\n15 0 |c|1:white")
    }

    /// 47 CFR 79.101 (f) (1) (iii): the caption moves as a whole, and has place above it.
    @Test func baseRow() {
        let receiver = start.receiving(
            rollUp2, characters("a"), carriageReturn, characters("b"), code(0x12, 0x40),
            characters("c"))
        #expect(dump(receiver.displayed) == "2 0 |a|1:white\n3 0 |c|1:white")
        let high = receiver.receiving(code(0x11, 0x40), carriageReturn, characters("d"))
        #expect(dump(high.displayed) == "1 0 |c|1:white\n2 0 |d|1:white")
    }

    /// 47 CFR 79.101 (f) (1) (x): roll-up erases what other modes left.
    @Test func changesOfMode() {
        let popOn = start.receiving(
            resumeCaptionLoading, row15, characters("old"), endOfCaption, resumeCaptionLoading,
            eraseNonDisplayed, characters("hidden"))
        let receiver = popOn.receiving(rollUp2)
        #expect(receiver.displayed.isEmpty)
        #expect(receiver.receiving(endOfCaption).displayed.isEmpty)
        // Pop-on leaves roll-up captions until it shows its own.
        let rolled = receiver.receiving(characters("row"), resumeCaptionLoading, characters("x"))
        #expect(dump(rolled.displayed) == "15 0 |row|3:white")
    }

    // MARK: Codes

    /// 47 CFR 79.101 (i) (1): of two equal codes in a row the second is ignored.
    @Test func doubledCodes() {
        let base = start.receiving(rollUp3, characters("a"))
        let once = base.receiving(carriageReturn)
        #expect(base.receiving(carriageReturn, carriageReturn).displayed == once.displayed)
        #expect(
            base.receiving(carriageReturn, carriageReturn, carriageReturn).displayed
                == once.receiving(code(0, 0), carriageReturn).displayed)
        // Characters are not doubled.
        #expect(
            dump(base.receiving(characters("bbbb")).displayed) == "15 0 |abbbb|5:white")
    }

    @Test func codesWithoutMeaning() {
        let receiver = paintOn.receiving(
            characters("a"), code(0x17, 0x20), code(0x17, 0x24), code(0x10, 0x30), code(0x16, 0x25),
            code(0x14, 0x22), code(0x14, 0x23), code(0x10, 0x60), code(0x11, 0x10),
            characters("b"))
        #expect(dump(receiver.displayed) == "15 0 |ab|2:white")
    }

    // MARK: Channels

    /// CTA-608-E, section 8: characters belong to the channel of the last control code.
    @Test func channels() {
        let data =
            [
                code(0x14, 0x29), row15, characters("one"), code(0x1C, 0x29), code(0x1C, 0x70),
                characters("two"), code(0x14, 0x29), characters("!"),
            ].flatMap { $0 }
        let second = CEA608Receiver(service: CEA608Service(field: 0, channel: 1, isText: false))
        #expect(dump(start.receiving(data).displayed) == "15 0 |one!|4:white")
        #expect(dump(second.receiving(data).displayed) == "15 0 |two|3:white")
        #expect(start.receiving(characters("x"), endOfCaption).displayed.isEmpty)
    }

    /// CTA-608-E, section 8.4: field 2 has codes of its own; some encoders send those of field 1.
    @Test(arguments: [UInt8(0x14), 0x15]) func secondField(_ first: UInt8) {
        let third = CEA608Receiver(service: CEA608Service(field: 1, channel: 0, isText: false))
        let screen = third.receiving(code(first, 0x29), row15, characters("x"))
        #expect(dump(screen.displayed) == "15 0 |x|1:white")
    }

    /// CTA-608-E, section 7: text goes from the top to the bottom, then rolls up.
    @Test func textMode() {
        let text = CEA608Receiver(service: CEA608Service(field: 0, channel: 0, isText: true))
        let data =
            [
                code(0x14, 0x2A), characters("one"), carriageReturn, code(0x11, 0x74),
                characters("two"), resumeDirectCaptioning, row15, characters("caption"),
                code(0x14, 0x2B), characters("!"),
            ].flatMap { $0 }
        var receiver = text.receiving(data)
        #expect(dump(receiver.displayed) == "1 0 |one|3:white\n2 8 |two!|4:white")
        #expect(dump(start.receiving(data).displayed) == "15 0 |caption|7:white")
        // Captions are erased, text is not.
        #expect(receiver.receiving(eraseDisplayed).displayed == receiver.displayed)
        for _ in 2..<15 { receiver = receiver.receiving(carriageReturn, code(0, 0)) }
        receiver = receiver.receiving(characters("end"), code(0, 0), carriageReturn)
        #expect(dump(receiver.displayed) == "1 8 |two!|4:white\n14 0 |end|3:white")
        #expect(receiver.receiving(code(0x14, 0x2A)).displayed.isEmpty)
    }

    // MARK: Damage

    /// 47 CFR 79.101 (j): a character with wrong parity is a block, a code with wrong parity is ignored.
    @Test func parity() {
        var receiver = paintOn
        #expect(receiver.receive(0xE1, 0x62) == [.parityError, .screen])
        #expect(dump(receiver.displayed) == "15 0 |█b|2:white")
        #expect(receiver.receive(0x61, 0xE2).contains(.parityError))
        #expect(dump(receiver.displayed) == "15 0 |█ba█|4:white")
        let before = receiver.displayed
        #expect(receiver.receive(0x94, 0xAC) == .parityError)
        #expect(receiver.receive(0x14, 0x2C) == .parityError)
        #expect(receiver.displayed == before)
        // The code is executed when its repetition arrives.
        #expect(receiver.receive(0x94, 0x2C) == .screen)
        #expect(receiver.displayed.isEmpty)
        // Zeros without parity bits are filling.
        #expect(receiver.receive(0, 0) == [] && receiver.displayed.isEmpty)
    }
}
