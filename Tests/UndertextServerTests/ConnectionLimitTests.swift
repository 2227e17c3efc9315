import Testing

@testable import UndertextServer

@Suite struct ConnectionLimitTests {
    @Test(arguments: [(1024, 2, 461), (4096, 2, 1024), (1024, 64, 368), (256, 2, 77), (32, 2, 4)])
    func descriptorsBoundConnections(_ descriptors: Int, _ loops: Int, _ expected: Int) {
        #expect(
            ConnectionLimit.connections(1024, descriptors: descriptors, loops: loops) == expected)
    }

    /// The descriptors that a limit needs are available, and the descriptors for a wanted number allow exactly
    /// that number.
    @Test func limitsAndDescriptorsAgree() {
        for descriptors in 128...5000 {
            let most = ConnectionLimit.connections(1024, descriptors: descriptors, loops: 4)
            #expect(ConnectionLimit.descriptors(for: most, loops: 4) <= descriptors)
        }
        for wanted in [4, 100, 1024] {
            let descriptors = ConnectionLimit.descriptors(for: wanted, loops: 4)
            #expect(
                ConnectionLimit.connections(wanted, descriptors: descriptors, loops: 4) == wanted)
        }
    }
}
