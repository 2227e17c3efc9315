import Testing
import UndertextCore

@testable import UndertextRecognition

@Suite struct OCRPostProcessorTests {
    private func repaired(_ text: String, _ languages: String) throws -> String {
        OCRPostProcessor(try RecognitionLanguage.list(parsing: languages)).repaired(text)
    }

    @Test(arguments: [
        ("l don't know.", "I don't know."), ("1 don't know.", "I don't know."),
        ("l'm here, and l'll stay.", "I'm here, and I'll stay."), ("1'm", "I'm"),
        ("\"lt's late.\"", "\"It's late.\""), ("lf l may", "If I may"),
        ("-lsn't it?", "-Isn't it?"),
        ("He wiII teIl you", "He will tell you"), ("Iike this", "like this"),
        ("(l)", "(I)"), ("Bye.\nl see", "Bye.\nI see"),
        // Right as they are.
        ("1 day, 1 2 3, 10 of 11", "1 day, 1 2 3, 10 of 11"), ("It is 1.", "It is 1."),
        ("Iris and Ivan, III", "Iris and Ivan, III"), ("BILL'S WILL", "BILL'S WILL"),
        ("little Al, all", "little Al, all"), ("", ""), ("♪", "♪"), ("l'", "l'"),
    ])
    func english(_ read: String, _ meant: String) throws {
        #expect(try repaired(read, "en") == meant)
    }

    @Test(arguments: [
        ("lch weiß, lhr nicht.", "Ich weiß, Ihr nicht."), ("lm Haus", "Im Haus"),
        ("WiIIi", "Willi"), ("Das ist 1 Haus.", "Das ist 1 Haus."),
    ])
    func german(_ read: String, _ meant: String) throws {
        #expect(try repaired(read, "de") == meant)
    }

    /// A mistake in one language is a word in another.
    @Test func otherLanguagesAreLeftAlone() throws {
        for text in ["l'un, l'autre", "lch", "lt", "1'm", "aIb"] {
            #expect(try repaired(text, "fr") == text)
        }
        #expect(try repaired("l'un", "en") == "l'un")
    }

    @Test func spacesBetweenHanCharacters() throws {
        #expect(try repaired("你 好 ， 世界 OK 吗", "zh") == "你好，世界 OK 吗")
        #expect(try repaired("a b", "zh") == "a b")
    }
}
