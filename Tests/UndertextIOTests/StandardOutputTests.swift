import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

@Suite struct StandardOutputTests {
    private let folder = TemporaryDirectory()

    @Test func writesOnFlushAndStaysOpen() throws {
        let path = folder.write("", to: "out")
        let descriptor = try FileDescriptor(path: path, flags: 1)
        let output = StandardOutput(descriptor: descriptor.number)
        try output.write("one ")
        #expect(fileText(path) == "")
        try output.flush()
        #expect(fileText(path) == "one ")
        try output.write([UInt8](repeating: 65, count: 100_000))
        try output.write("end")
        try output.flush()
        #expect(fileText(path) == "one " + String(repeating: "A", count: 100_000) + "end")
        #expect(output.bytesWritten == 100_007)
        // The sink has not closed what is not its own.
        try descriptor.closeChecked()
    }

    @Test func aFullDeviceIsReportedAgainAndAgain() throws {
        let descriptor = try FileDescriptor(path: "/dev/full", flags: 1)
        let output = StandardOutput(descriptor: descriptor.number)
        try output.write("text")
        for _ in 0..<2 {
            let error = #expect(throws: UndertextError.self) { try output.flush() }
            #expect(error?.code == .noSpace)
            #expect(error?.path == "stdout")
        }
        #expect(throws: UndertextError.self) { try output.write("more") }
        _ = consume descriptor
    }

    @Test func failuresHaveTheirCodes() {
        let expected: [(Int32, UndertextError.Code)] = [
            (32, .closedPipe), (28, .noSpace), (122, .noSpace), (30, .readOnly),
            (17, .outputExists),
            (13, .permission), (1, .permission), (2, .notFound), (20, .notDirectory),
            (36, .nameTooLong), (125, .cancelled), (5, .io), (9999, .io),
        ]
        for (number, code) in expected {
            let error = SystemFailure(number: number).outputError("writing", path: "p")
            #expect(error.code == code, "errno \(number)")
            #expect(error.description.hasPrefix("p: ") && error.underlying?.isEmpty == false)
        }
        let read = SystemFailure(number: 5).mediaError("reading", path: "p", byteOffset: 7)
        #expect(read.code == .io)
        #expect(read.description == "p: reading failed, at byte 7 (Input/output error)")
    }
}
