extension CheckProfile {
    /// Files for YouTube.
    static let youTubeText = #"""
        {
            "name": "youtube",
            "title": "YouTube caption files",
            "description": "YouTube recommends no reading speed, duration or line length. SubRip and SubViewer files must be UTF-8 and lose their markup.",
            "extends": "basic",
            "sources": {
                "formats": { "title": "YouTube Help: Supported subtitle and closed caption files", "url": "https://support.google.com/youtube/answer/2734698" }
            },
            "rules": [
                { "rule": "charset", "limit": "utf-8", "source": "formats", "section": "Basic file formats" },
                { "rule": "markup", "severity": "warning", "source": "formats", "section": "Basic file formats" }
            ]
        }
        """#

    /// Sub-pictures of DVD-Video.
    static let dvdText = #"""
        {
            "name": "dvd",
            "title": "DVD-Video sub-pictures",
            "description": "One sub-picture is on screen at a time, with four colors, and within the safe title area. DVD-Video states no reading speed, duration or line length.",
            "extends": "basic",
            "sources": {
                "colors": { "title": "EZTitles Help: About DVD Subtitles Rendering and Colors", "url": "https://www.eztitles.com/Webhelp/EZTitles/about_dvd_subtitles_rendering.htm" },
                "safe": { "title": "SMPTE ST 2046-1, Specifications for Safe Action and Safe Title Areas for Television Systems", "url": "https://pub.smpte.org/pub/st2046-1/st2046-1-2009.pdf" }
            },
            "rules": [
                { "rule": "overlap" },
                { "rule": "image-colors", "limit": 4, "source": "colors" },
                { "rule": "safe-area", "limit": 5, "severity": "warning", "source": "safe", "section": "safe title area: 90 % of width and height" }
            ]
        }
        """#
}
