import FuzzTargets
import TestSupport
import Testing

/// Every seed and every finding goes through its fuzz target again; under AddressSanitizer, too.
@Suite struct CorpusTests {
    private static let corpus = Repository.root + "/Tests/Fuzz/Corpus"

    @Test(.timeLimit(.minutes(10)), arguments: fuzzTargetNames)
    func seedsAreReadAgain(name: String) throws {
        let folders = ["\(Self.corpus)/\(name)", "\(Self.corpus)/malformed"]
        let seeds = folders.flatMap { folder in names(in: folder).map { "\(folder)/\($0)" } }
        #expect(!seeds.isEmpty, "a target without seeds finds little")
        for seed in seeds {
            let bytes = try #require(fileBytes(seed), "\(seed)")
            #expect(send(bytes, toFuzzTarget: name) == 0, "\(seed)")
        }
    }

    @Test func everyCorpusHasItsTarget() {
        for name in names(in: Self.corpus) where name != "malformed" {
            #expect(fuzzTargetNames.contains(name), "\(name)")
        }
    }
}
