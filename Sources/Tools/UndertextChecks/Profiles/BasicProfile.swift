extension CheckProfile {
    /// What every format and every player expects.
    static let basicText = #"""
        {
            "name": "basic",
            "title": "Faults in any format",
            "description": "Faults that no target wants, without limits: order, overlaps, empty cues, tags. All other profiles include these rules.",
            "rules": [
                { "rule": "order", "severity": "warning" },
                { "rule": "duration" },
                { "rule": "overlap", "severity": "warning" },
                { "rule": "empty-cue" },
                { "rule": "unbalanced-tags" }
            ]
        }
        """#
}
