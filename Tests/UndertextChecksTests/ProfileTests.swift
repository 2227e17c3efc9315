import TestSupport
import Testing
import UndertextCore

@testable import UndertextChecks

/// The built-in profiles, and profiles of users.
@Suite struct ProfileTests {
    @Test(arguments: CheckProfile.builtInNames)
    func builtInProfilesStateTheirSources(_ name: String) throws {
        let profile = try CheckProfile.builtIn(name)
        #expect(profile.name == name && !profile.title.isEmpty && !profile.description.isEmpty)
        for entry in profile.entries where entry.limit != nil {
            // The characters of a format are those of its encoder.
            if case .format = entry.limit { continue }
            let source = try #require(entry.source, "\(name): \(entry.rule) has no source")
            #expect(source.url?.hasPrefix("http") == true, "\(name): \(entry.rule)")
        }
        if profile.frameRate != nil { #expect(profile.frameRateSource != nil) }
        // All include the faults of any format.
        for rule in [CheckRule.order, .duration, .overlap, .emptyCue, .unbalancedTags] {
            #expect(profile.entries.contains { $0.rule == rule })
        }
        // The page lists each profile.
        let page = try #require(fileText(Repository.root + "/Documentation/Checking.md"))
        #expect(page.contains("| `\(name)` |"))
    }

    @Test func thePageListsEachRule() throws {
        let page = try #require(fileText(Repository.root + "/Documentation/Checking.md"))
        for rule in CheckRule.allCases {
            #expect(page.contains("| `\(rule.rawValue)` |"), "\(rule)")
        }
    }

    private func parsed(_ text: String) throws -> CheckProfile {
        try CheckProfile(parsing: Array(text.utf8))
    }

    private func message(_ text: String) -> String {
        do throws(UndertextError) {
            _ = try CheckProfile(parsing: Array(text.utf8))
            return "no error"
        } catch {
            return error.message
        }
    }

    @Test func laterEntriesReplaceEarlierOnes() throws {
        let profile = try parsed(
            """
            { "name": "house", "extends": "netflix", "sources": { "me": { "title": "Our guide" } },
              "rules": [
                { "rule": "line-length", "limit": 38, "languages": ["de", "fr-CA"], "source": "me", "section": "2" },
                { "rule": "overlap", "severity": "off" } ] }
            """)
        let english = profile.settings(language: LanguageTag("en"), script: .latin)
        #expect(english[.lineLength]?.limit == .number(42) && english[.overlap] == nil)
        #expect(english[.charactersPerSecond]?.limit == .number(20))
        let swiss = profile.settings(language: LanguageTag("de-CH"), script: .latin)
        #expect(swiss[.lineLength]?.limit == .number(38))
        #expect(swiss[.lineLength]?.source?.description == "Our guide, 2")
        #expect(
            profile.settings(language: LanguageTag("fr"), script: .latin)[.lineLength]?.limit
                == .number(42))
        #expect(
            profile.settings(language: nil, script: .japanese)[.lineLength]?.limit == .number(13))
        #expect(profile.frameRate == TimeBase(24, 1))
    }

    @Test(arguments: [
        ("[]", "the profile: it is not an object"),
        ("{}", "name: it is missing"),
        (#"{"name": 3}"#, "name: it is not a text"),
        (
            #"{"name": "a", "extends": "netflx"}"#,
            "extends: there is no profile 'netflx'; did you mean 'netflix'?"
        ),
        (#"{"name": "a", "rule": []}"#, "rule: there is no such member; did you mean 'rules'?"),
        (#"{"name": "a", "name": "b"}"#, "name: it occurs twice"),
        (#"{"name": "a", "rules": {}}"#, "rules: it is not an array"),
        (#"{"name": "a", "rules": [3]}"#, "rules[0]: it is not an object"),
        (#"{"name": "a", "rules": [{}]}"#, "rules[0].rule: it is missing"),
        (
            #"{"name": "a", "rules": [{"rule": "overlap"}, {"rule": "line-lenght", "limit": 3}]}"#,
            "rules[1].rule: 'line-lenght' is not a rule; did you mean 'line-length'?"
        ),
        (#"{"name": "a", "rules": [{"rule": "line-length"}]}"#, "rules[0].limit: it is missing"),
        (
            #"{"name": "a", "rules": [{"rule": "line-length", "limit": "42"}]}"#,
            "rules[0].limit: it is not a number from 0 to 1000000"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "min-gap", "limit": 1e400}]}"#,
            "rules[0].limit: it is not a number from 0 to 1000000"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "min-gap", "limit": -1}]}"#,
            "rules[0].limit: it is not a number from 0 to 1000000"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "overlap", "limit": 1}]}"#,
            "rules[0].limit: the rule overlap has no limit"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "line-count", "limit": 1, "unit": "frames"}]}"#,
            "rules[0].unit: the limit of line-count is not a time"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "line-count", "limit": 1, "count": "full-width"}]}"#,
            "rules[0].count: the rule line-count counts no characters"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "order", "severity": "fatal"}]}"#,
            "rules[0].severity: it is not one of error, warning, info, off"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "order", "languages": ["en", "?"]}]}"#,
            "rules[0].languages[1]: it is not a known name"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "order", "scripts": []}]}"#,
            "rules[0].scripts: it is not an array of 1 to 200 names"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "order", "source": "x"}]}"#,
            "rules[0].source: it is not one of sources"
        ),
        (
            #"{"name": "a", "rules": [{"rule": "unsupported-characters", "limit": "sup"}]}"#,
            "rules[0].limit: it is not the name of a format that text is written in"
        ),
        (#"{"name": "a", "sources": {"x": {}}}"#, "sources.x.title: it is missing"),
        (
            #"{"name": "a", "frameRate": {"value": 0}}"#,
            #"frameRate.value: it is not a frame rate from 1 to 1000, such as 24 or "24000/1001""#
        ),
    ])
    func mistakesNameTheMember(_ text: String, _ expected: String) {
        #expect(message(text) == expected)
    }

    /// Damage of any kind is an error, not a trap.
    @Test func damagedProfilesAreErrors() throws {
        let text = Array(try #require(CheckProfile.builtInText("netflix")).utf8)
        for length in 0..<text.count {
            #expect(throws: UndertextError.self) {
                try CheckProfile(parsing: Array(text[..<length]))
            }
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<3000 {
            var damaged = text
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<text.count, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            _ = try? CheckProfile(parsing: damaged)
        }
    }

    @Test func sizesAreLimited() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: UndertextError.self) { try parsed(#"{"name": "a", "rules": "# + deep) }
        let many = Array(repeating: #"{"rule": "order"}"#, count: 1001).joined(separator: ",")
        #expect(
            message(#"{"name": "a", "rules": [\#(many)]}"#) == "rules: there are more than 1000")
        let long = String(repeating: "x", count: 5000)
        #expect(message(#"{"name": "\#(long)"}"#) == "name: it is too long")
        let large = String(repeating: " ", count: CheckProfile.sizeAtMost)
        #expect(message(large + "{}").contains("larger than"))
    }
}
