import Foundation
import TestSupport
import Testing
import Undertext
import UndertextCore

/// The stored form of the cues of all fixtures.
@Suite struct CueCodingFixturesTests {
    @Test func everyCueComesBack() throws {
        var count = 0
        for path in files(below: Repository.root + "/Fixtures") {
            guard let file = try? Media(path) else { continue }
            for track in file.subtitleTracks {
                guard let cues = try? track.document().cues else { continue }
                // A few hundred of each: the longest have thousands of the same kind.
                let some = Array(cues.prefix(300))
                let stored = try JSONEncoder().encode(some)
                #expect(try JSONDecoder().decode([Cue].self, from: stored) == some, "\(path)")
                #expect(Set(cues.map(\.id)).count == cues.count, "\(path)")
                count += some.count
            }
        }
        #expect(count > 500)
    }
}
