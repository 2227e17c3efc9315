import TestSupport
import Testing
import Undertext
import UndertextCore

@Suite struct ProbeContractTests {
    @Test func theReaderReadsWhatIsWritten() {
        let json = probeSample().json
        #expect(readJSON(json.pretty) == json)
        let bytes = json.compact
        #expect(readJSON(bytes) == json)
        for length in stride(from: 0, to: bytes.count, by: 61) {
            #expect(readJSON(Array(bytes.prefix(length))) == nil)
        }
    }

    @Test func theComparisonFindsDifferences() throws {
        let json = probeSample().json
        #expect(contractDifferences(json, json).isEmpty)
        var report = probeSample()
        report.container.duration = nil
        report.container.streams[2].tags = []
        report.container.streams[0].details?.codecTag = 1
        report.container.chapters[1].end += 1
        report.container.programs[0].clockPID = 1
        let differences = contractDifferences(report.json, json)
        let chapter = try #require(differences.first { $0.hasPrefix("chapters[1]: {") })
        #expect(
            differences == [
                #"format.duration: nothing for "5400.250000""#,
                #"streams[0].codec_tag: "0x0001" for "0x31637661""#,
                #"streams[2].tags: nothing for {"language":"por"}"#,
                chapter,
                "programs[0].pcr_pid: 1 for 256",
                #"programs[0].streams[0].codec_tag: "0x0001" for "0x31637661""#,
            ])
    }
}
