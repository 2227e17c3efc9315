extension ImagePage {
    /// The style sheet of the page; light or dark as the reader's system.
    ///
    /// `content-visibility` leaves out the layout of what is not in view, so that thousands of cues
    /// open at once.
    static let style = """
        :root { color-scheme: light dark; --paper: #f6f5f2; --card: #fff; --ink: #1d1f23; \
        --soft: #6a6f78; --line: #e0ded8; --accent: #2b66c4; --warm: #a8500f; --doubt: #b3261e; \
        --board-a: #8b8f96; --board-b: #7c8087; }
        @media (prefers-color-scheme: dark) { :root { --paper: #15171a; --card: #1e2126; \
        --ink: #e7e8ea; --soft: #989ea8; --line: #30343b; --accent: #82aefc; --warm: #f0a15e; --doubt: #ff8a80; \
        --board-a: #4a4e55; --board-b: #3f4349; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); \
        font: 15px/1.45 system-ui, sans-serif; }
        .top, main { max-width: 1180px; margin: 0 auto; padding: 0 20px; }
        .top { padding-top: 28px; padding-bottom: 14px; }
        h1 { margin: 0; font-size: 24px; font-weight: 650; overflow-wrap: anywhere; }
        .title { margin: 4px 0 0; }
        .facts { margin: 6px 0 0; color: var(--soft); }
        .facts span + span::before { content: "·"; margin: 0 8px; }
        article { margin: 0 0 14px; background: var(--card); border: 1px solid var(--line); \
        border-radius: 10px; overflow: hidden; content-visibility: auto; \
        contain-intrinsic-size: auto 190px; }
        article:target { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); }
        header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 10px; \
        padding: 9px 14px; }
        time { font-variant-numeric: tabular-nums; font-weight: 550; }
        .number { min-width: 2.6em; color: var(--soft); text-decoration: none; \
        font-variant-numeric: tabular-nums; }
        .to, .length { color: var(--soft); }
        .tag { padding: 0 9px; border: 1px solid var(--line); border-radius: 99px; \
        color: var(--soft); font-size: 12.5px; }
        .is-forced { border-color: var(--warm); color: var(--warm); font-weight: 600; }
        .is-assumed { border-style: dashed; border-color: var(--soft); }
        .is-unsure { border-color: var(--doubt); color: var(--doubt); font-weight: 600; }
        .unsure { border-left: 4px solid var(--doubt); }
        .unsure .text { text-decoration: underline wavy var(--doubt) 1px; \
        text-underline-offset: 4px; }
        figure { margin: 0; border-top: 1px solid var(--line); }
        .board { display: block; padding: 14px; text-align: center; background: \
        repeating-conic-gradient(var(--board-a) 0 25%, var(--board-b) 0 50%) 50% / 20px 20px; }
        img { display: inline-block; max-width: 100%; height: auto; vertical-align: middle; }
        figcaption { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; \
        padding: 8px 14px; color: var(--soft); font-size: 13px; \
        font-variant-numeric: tabular-nums; }
        .map { position: relative; display: inline-block; width: 56px; max-height: 56px; \
        border: 1px solid var(--soft); border-radius: 3px; overflow: hidden; opacity: .8; }
        .map b { position: absolute; min-width: 2px; min-height: 2px; background: var(--accent); }
        .text { margin: 0; padding: 9px 14px; border-top: 1px solid var(--line); \
        text-align: center; font-size: 16px; }
        """
}
