extension CheckProfile {
    /// Netflix, adult programs.
    static let netflixText = #"""
        {
            "name": "netflix",
            "title": "Netflix Timed Text Style Guide, adult programs",
            "description": "Limits of Netflix's public style guides for subtitles of adult programs, by language. SDH has higher reading speeds, which a profile of your own can state. Shot changes are checked on request. The glyph list, credits and linguistic rules are not checked.",
            "extends": "basic",
            "frameRate": { "value": 24, "source": "timing", "section": "Introduction" },
            "sources": {
                "general": { "title": "Netflix Timed Text Style Guide: General Requirements", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/215758617" },
                "timing": { "title": "Netflix Timed Text Style Guide: Subtitle Timing Guidelines", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/360051554394" },
                "template": { "title": "Netflix English Template Timed Text Style Guide", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/219375728" },
                "english": { "title": "Netflix English (USA) Timed Text Style Guide", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/217350977" },
                "japanese": { "title": "Netflix Japanese Timed Text Style Guide", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/215767517" },
                "korean": { "title": "Netflix Korean Timed Text Style Guide", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/216001127" },
                "thai": { "title": "Netflix Thai Timed Text Style Guide", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/220448308" },
                "languages": { "title": "Netflix Timed Text Style Guides by language, as collected in Subtitle Edit's NetflixQualityController", "url": "https://github.com/SubtitleEdit/subtitleedit/tree/main/src/libse/NetflixQualityCheck" }
            },
            "rules": [
                { "rule": "overlap", "source": "timing", "section": "Timing rules" },
                { "rule": "min-duration", "limit": 0.8333333, "source": "general", "section": "1. Duration" },
                { "rule": "max-duration", "limit": 7, "source": "general", "section": "1. Duration" },
                { "rule": "min-gap", "limit": 2, "unit": "frames", "source": "timing", "section": "Introduction" },
                { "rule": "short-gap", "limit": 0.5, "severity": "warning", "source": "timing", "section": "1: Timing to audio" },
                { "rule": "shot-change-start", "limit": 0.5, "severity": "warning", "source": "timing", "section": "2: Timing to the shot change" },
                { "rule": "shot-change-end", "limit": 0.5, "severity": "warning", "source": "timing", "section": "2: Timing to the shot change" },
                { "rule": "line-count", "limit": 2, "source": "general", "section": "4. Line Treatment" },
                { "rule": "line-length", "limit": 42, "source": "template", "section": "Character Limitation" },
                { "rule": "line-length", "limit": 39, "languages": ["ru"], "source": "languages" },
                { "rule": "line-length", "limit": 35, "scripts": ["Thai"], "source": "thai", "section": "1. Character Limitation" },
                { "rule": "line-length", "limit": 16, "scripts": ["Hani"], "source": "languages" },
                { "rule": "line-length", "limit": 16, "scripts": ["Kore"], "count": "full-width", "source": "korean", "section": "I.2. Character Limitation" },
                { "rule": "line-length", "limit": 13, "scripts": ["Jpan"], "count": "full-width", "source": "japanese", "section": "I. Character Limitation" },
                { "rule": "characters-per-second", "limit": 17, "source": "languages" },
                { "rule": "characters-per-second", "limit": 20, "languages": ["en"], "source": "english", "section": "Reading Speed Limits" },
                { "rule": "characters-per-second", "limit": 20, "languages": ["ar"], "source": "languages" },
                { "rule": "characters-per-second", "limit": 22, "languages": ["hi"], "source": "languages" },
                { "rule": "characters-per-second", "limit": 9, "scripts": ["Hani"], "source": "languages" },
                { "rule": "characters-per-second", "limit": 12, "scripts": ["Kore"], "count": "full-width", "source": "languages" },
                { "rule": "characters-per-second", "limit": 4, "scripts": ["Jpan"], "count": "full-width", "source": "languages" }
            ]
        }
        """#

    /// Netflix, children's programs.
    static let netflixChildrenText = #"""
        {
            "name": "netflix-children",
            "title": "Netflix Timed Text Style Guide, children's programs",
            "description": "As netflix, with the reading speeds for children's programs.",
            "extends": "netflix",
            "sources": {
                "template": { "title": "Netflix English Template Timed Text Style Guide", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/219375728" },
                "english": { "title": "Netflix English (USA) Timed Text Style Guide", "url": "https://partnerhelp.netflixstudios.com/hc/en-us/articles/217350977" },
                "languages": { "title": "Netflix Timed Text Style Guides by language, as collected in Subtitle Edit's NetflixQualityController", "url": "https://github.com/SubtitleEdit/subtitleedit/tree/main/src/libse/NetflixQualityCheck" }
            },
            "rules": [
                { "rule": "characters-per-second", "limit": 13, "source": "languages" },
                { "rule": "characters-per-second", "limit": 17, "languages": ["en"], "source": "english", "section": "Reading Speed Limits" },
                { "rule": "characters-per-second", "limit": 17, "languages": ["ar"], "source": "languages" },
                { "rule": "characters-per-second", "limit": 18, "languages": ["hi"], "source": "languages" },
                { "rule": "characters-per-second", "limit": 7, "scripts": ["Hani"], "source": "languages" },
                { "rule": "characters-per-second", "limit": 9, "scripts": ["Kore"], "count": "full-width", "source": "languages" },
                { "rule": "characters-per-second", "limit": 4, "scripts": ["Jpan"], "count": "full-width", "source": "languages" }
            ]
        }
        """#
}
