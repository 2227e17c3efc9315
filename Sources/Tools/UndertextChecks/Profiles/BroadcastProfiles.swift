extension CheckProfile {
    /// The BBC's guidelines.
    static let bbcText = #"""
        {
            "name": "bbc",
            "title": "BBC Subtitle Guidelines",
            "description": "Landscape video. The line length is that of broadcasts, since online the width of the text counts, which depends on a font. The guidelines state no minimum or maximum duration beside the time per word. Times are recommendations, and are warnings.",
            "extends": "basic",
            "sources": {
                "bbc": { "title": "BBC Subtitle Guidelines", "url": "https://www.bbc.co.uk/accessibility/forproducts/guides/subtitles/" }
            },
            "rules": [
                { "rule": "words-per-minute", "limit": 180, "severity": "warning", "source": "bbc", "section": "4 Timing" },
                { "rule": "line-length", "limit": 37, "source": "bbc", "section": "3.1 Line length" },
                { "rule": "line-count", "limit": 2, "severity": "warning", "source": "bbc", "section": "3.3 Number of lines" },
                { "rule": "short-gap", "limit": 1, "severity": "warning", "source": "bbc", "section": "4.5 Gaps" }
            ]
        }
        """#

    /// The EBU's distribution format.
    static let ebuTTDText = #"""
        {
            "name": "ebu-tt-d",
            "title": "EBU-TT-D, as it is distributed",
            "description": "EBU Tech 3380 defines the elements of documents and their times, but no reading speed, durations, gaps or line length; a broadcaster's own profile extends this one. The safe area is that of EBU R 95. The schema of documents is not checked.",
            "extends": "basic",
            "sources": {
                "r95": { "title": "EBU R 95, Safe areas for 16:9 television production", "url": "https://tech.ebu.ch/docs/r/r095.pdf" }
            },
            "rules": [
                { "rule": "unsupported-characters", "limit": "ttml" },
                { "rule": "safe-area", "limit": 5, "severity": "warning", "source": "r95", "section": "graphics safe area" }
            ]
        }
        """#
}
