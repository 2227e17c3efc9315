import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// The packets that are returned if one path turns out to be wrong and the next one continues.
@Suite struct FallingBackTests {
    /// Returns packets of file offsets, then fails or ends.
    private final class ScriptedReader: PacketReader {
        private var places: ArraySlice<UInt64>
        private let failure: UndertextError?

        init(_ places: [UInt64], failure: UndertextError? = nil) {
            self.places = places[...]
            self.failure = failure
        }

        func nextPacket() throws(UndertextError) -> Packet? {
            guard let place = places.popFirst() else {
                if let failure { throw failure }
                return nil
            }
            return Packet(
                streamIndex: Int(place % 2), pts: Int64(place), dts: nil, duration: nil,
                timeBase: .milliseconds, isKey: true, position: place / 2, data: [])
        }
    }

    private static let mismatch = UndertextError(
        UndertextError.Code(name: "index-mismatch"), "There is no block.")

    private func plan() throws -> ReadPlan {
        let access = try InputAccess(
            .bytes([0], name: "film.mkv"), options: .init())
        let container = ContainerDescription(formatName: "matroska,webm")
        return ReadPlan([0, 1], of: container, in: .all, access)
    }

    private func places(_ index: [UInt64], _ walk: [UInt64]) throws -> [Int64] {
        var plan = try plan()
        plan.add(.index) { _, _ in ScriptedReader(index, failure: Self.mismatch) }
        plan.add(.walk) { _, _ in ScriptedReader(walk) }
        let reader = try TrackPacketReader(
            plan, window: nil, streams: [], preparation: nil, isOrdered: false)
        var places: [Int64] = []
        while let packet = try reader.nextPacket() { places.append(packet.pts ?? -1) }
        return places
    }

    /// A wrong entry names a block further on: those between have not come out.
    @Test func blocksBeforeADeliveredOneAreReturned() throws {
        #expect(
            try places([10, 40, 60], [10, 20, 30, 40, 50, 60, 70]) == [10, 40, 60, 20, 30, 50, 70])
        // Entries may be in any order.
        #expect(try places([60, 10, 40], [10, 20, 40, 60]) == [60, 10, 40, 20])
        #expect(try places([], [10, 20]) == [10, 20])
    }

    @Test func streamsAreDistinguished() throws {
        // Places 20 and 21 are one place of two streams.
        #expect(try places([20, 41], [20, 21, 40, 41]) == [20, 41, 21, 40])
    }

    /// Frames of one block lie in one place.
    @Test func framesOfABlockComeOnce() throws {
        #expect(try places([10, 10, 10, 20], [10, 10, 10, 20, 30]) == [10, 10, 10, 20, 30])
    }

    /// Diagnostics of a path that is abandoned midway are kept; those of a path that does not open are not.
    @Test func diagnosticsOfPathsThatWereRead() throws {
        var plan = try plan()
        plan.add(.index) { (_, found) throws(UndertextError) in
            found.report(.warning, "not-opened", "")
            throw Self.mismatch
        }
        plan.add(.index) { (_, found) throws(UndertextError) in
            found.report(.warning, "given-up", "")
            return ScriptedReader([10], failure: Self.mismatch)
        }
        plan.add(.walk) { (_, found) throws(UndertextError) in
            found.report(.warning, "read", "")
            return ScriptedReader([10, 20])
        }
        let reader = try TrackPacketReader(
            plan, window: nil, streams: [], preparation: nil, isOrdered: false)
        var count = 0
        while try reader.nextPacket() != nil { count += 1 }
        #expect(count == 2)
        #expect(reader.takeDiagnostics().map(\.code) == ["given-up", "read"])
    }
}
