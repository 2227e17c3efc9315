/// Receives the diagnostics of a piece of work.
///
/// Every component that may report something gets a sink when it is created. A sink passes diagnostics on
/// immediately, or collects them until its owner takes them. It is not `Sendable`: work on another thread uses
/// a separate sink, and returns its diagnostics with its results.
package final class DiagnosticSink {
    private var handler: ((Diagnostic) -> Void)?
    private let capacity: Int
    private var collected: [Diagnostic] = []
    /// The sources of the diagnostics that follow ``collected``.
    private var sections: [() -> [Diagnostic]] = []

    /// Creates a sink that collects, and ignores what comes while `capacity` diagnostics wait to be taken.
    package init(capacity: Int = .max) { self.capacity = capacity }

    /// Creates a sink that passes diagnostics on at once.
    package init(_ handler: @escaping (Diagnostic) -> Void) {
        self.handler = handler
        capacity = .max
    }

    /// Reports a diagnostic.
    package func report(_ diagnostic: Diagnostic) {
        if let handler {
            handler(diagnostic)
        } else if collected.count < capacity {
            collected.append(diagnostic)
        }
    }

    /// Reports diagnostics in their order.
    package func report(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { report(diagnostic) }
    }

    /// Reports a diagnostic with the properties of ``Diagnostic``.
    package func report(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String,
        streamIndex: Int? = nil, time: Timestamp? = nil, byteOffset: UInt64? = nil
    ) {
        report(
            Diagnostic(
                severity, code, message, streamIndex: streamIndex, time: time,
                byteOffset: byteOffset))
    }

    /// Reports a diagnostic about a packet.
    package func report(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, for packet: Packet
    ) {
        report(
            severity, code, message, streamIndex: packet.streamIndex, time: packet.start,
            byteOffset: packet.position)
    }

    /// Returns what was collected since the last call, and forgets it.
    package func take() -> [Diagnostic] {
        var taken = collected
        collected = []
        for section in sections { taken += section() }
        return taken
    }

    /// Returns a sink for a part of the work, whose diagnostics are taken after those of this sink and of
    /// the sections before.
    ///
    /// If nothing is collected, this is the sink itself.
    package func section(capacity: Int = .max) -> DiagnosticSink {
        guard handler == nil else { return self }
        let section = DiagnosticSink(capacity: capacity)
        add(section.take)
        return section
    }

    /// Adds a source whose diagnostics are read on request, after those of earlier sections.
    package func add(_ source: @escaping () -> [Diagnostic]) { sections.append(source) }

    /// Returns a sink that changes diagnostics before it reports them here.
    package func changing(_ change: @escaping (inout Diagnostic) -> Void) -> DiagnosticSink {
        DiagnosticSink { [self] diagnostic in
            var changed = diagnostic
            change(&changed)
            report(changed)
        }
    }

    /// Passes on to `sink` what was collected, and everything that will be reported.
    package func forward(to sink: DiagnosticSink) {
        sink.report(take())
        handler = { sink.report($0) }
    }
}
