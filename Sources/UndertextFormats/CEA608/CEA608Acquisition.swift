internal import UndertextCore

/// Finds a moment without captions from which on every receiver of a service shows the same, wherever it started.
struct CEA608Acquisition: AcquisitionSearch {
    private(set) var isAcquired = false
    private let service: CEA608Service
    private var receiver: CEA608Receiver
    /// The time from which on the state is known, and nothing has been on screen.
    private var blankSince: Timestamp?

    init(_ service: CEA608Service) {
        self.service = service
        receiver = CEA608Receiver(service: service)
        receiver.startWithin()
    }

    mutating func add(_ packet: Packet) {
        guard let start = packet.start, !isAcquired else { return }
        var pairs: Int64 = 0
        for triplet in CaptionTriplet.all(in: packet.data)
        where triplet.isValid && triplet.type == UInt8(service.field) {
            let time = CEA608Decoder.time(ofPair: pairs, of: start)
            pairs += 1
            // A caption that begins at the same time would be part of the screen before.
            if let blankSince, time > blankSince {
                isAcquired = true
                return
            }
            _ = receiver.receive(triplet.first, triplet.second)
            let isBlank = receiver.unknown.isEmpty && receiver.displayed.isBlank
            blankSince = isBlank ? blankSince ?? time : nil
        }
    }
}
