/// Addresses that a stranger's redirect must not reach: this machine and the networks around it.
package enum PrivateAddress {
    /// Returns `true` if the bytes are not the IPv4 or IPv6 address of a public host.
    ///
    /// The ranges are those of IANA's special-purpose registries (RFC 6890); invalid addresses are private.
    package static func contains(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isPrivateV4(bytes[0], bytes[1], bytes[2])
        case 16: isPrivateV6(bytes)
        default: true
        }
    }

    private static func isPrivateV4(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Bool {
        switch (a, b, c) {
        case (0, _, _), (10, _, _), (127, _, _): true
        case (100, 64...127, _): true  // carriers' NAT, RFC 6598
        case (169, 254, _): true  // link-local, and the metadata services of clouds
        case (172, 16...31, _), (192, 168, _): true
        case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113): true
        case (198, 18...19, _): true
        case (224..., _, _): true  // multicast, reserved, broadcast
        default: false
        }
    }

    private static func isPrivateV6(_ bytes: [UInt8]) -> Bool {
        let isLow = bytes[..<10].allSatisfy { $0 == 0 }
        // ::ffff:a.b.c.d, and ::a.b.c.d with :: and ::1 in it.
        if isLow, bytes[10] == bytes[11], bytes[10] == 0xFF || bytes[10] == 0 {
            return bytes[10] == 0 || isPrivateV4(bytes[12], bytes[13], bytes[14])
        }
        // 64:ff9b::/96, IPv4 addresses as a translator maps them (RFC 6052).
        if bytes[..<4] == [0, 0x64, 0xFF, 0x9B] {
            return isPrivateV4(bytes[12], bytes[13], bytes[14])
        }
        // 2002::/16, an IPv4 address in a tunnel (RFC 3056).
        if bytes[..<2] == [0x20, 0x02] { return isPrivateV4(bytes[2], bytes[3], bytes[4]) }
        // Only 2000::/3 is public.
        return bytes[0] & 0xE0 != 0x20
    }
}
