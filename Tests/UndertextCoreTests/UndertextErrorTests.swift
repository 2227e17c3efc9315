import Testing
import UndertextCore

@Suite struct UndertextErrorTests {
    /// Codes print as their names in reports, also within other texts.
    @Test func codesPrintTheirNames() {
        #expect("\(UndertextError.Code.notFound)" == "not-found")
        #expect(String(describing: UndertextError.Code(name: "own")) == "own")
        #expect(UndertextError.Code(name: "io") == .io)
    }

    @Test(arguments: [
        ("frced", "forced"), ("FORCDE", "forced"), ("sdx", "sdh"), ("forced", "forced"),
    ])
    func nearestNames(_ name: String, _ known: String) {
        #expect(nearestName(to: name, among: ["text", "forced", "sdh"]) == known)
    }

    @Test(arguments: ["", "sd123", "fo", "unrelated", String(repeating: "forced", count: 9)])
    func otherNamesAreNotGuessed(_ name: String) {
        #expect(nearestName(to: name, among: ["text", "forced", "sdh"]) == nil)
    }
}
