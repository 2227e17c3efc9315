import TestSupport
import Testing
import UndertextCore
import UndertextIO

@testable import UndertextProviders

/// RFC 1321's vectors, and those that the services and their clients publish.
@Suite struct HashTests {
    /// `(i * 7 + 3) & 255`.
    private let pattern = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func md5IsThatOfItsRFC(_ text: String, _ digest: String) {
        #expect(MD5.hexadecimal(Array(text.utf8)) == digest)
    }

    /// Lengths around the block, where padding goes wrong.
    @Test(.requires("md5sum")) func md5IsThatOfCoreutils() {
        for count in [55, 56, 57, 63, 64, 65, 119, 120, 4096] {
            let bytes = Array(pattern[..<count])
            let result = run("md5sum", stdin: bytes)
            #expect(result.text.hasPrefix(MD5.hexadecimal(bytes)), "\(count) bytes")
        }
    }

    @Test func movieHashOfKnownBytes() throws {
        func hash(_ bytes: [UInt8]) throws -> String? {
            try MovieHash(of: MemorySource(bytes))?.description
        }
        #expect(try hash([UInt8](repeating: 0, count: 131_072)) == "0000000000020000")
        #expect(try hash([UInt8](repeating: 255, count: 131_072)) == "000000000001c000")
        #expect(try hash(pattern) == "60a0df1f5fa2cd40")
        #expect(try hash([UInt8](repeating: 0, count: 131_071)) == nil)
        #expect(try hash([]) == nil)
    }

    /// The middle of a file counts only by its length.
    @Test func movieHashReadsTheEndsOnly() throws {
        let source = MemorySource(pattern)
        _ = try MovieHash(of: source)
        #expect(source.statistics.bytesRead == 131_072)
        var other = pattern
        other[100_000] ^= 255
        #expect(try MovieHash(of: MemorySource(other)) == MovieHash(of: source))
        other[10] ^= 255
        #expect(try MovieHash(of: MemorySource(other)) != MovieHash(of: source))
    }

    @Test func shooterHashOfKnownBytes() throws {
        #expect(
            try ShooterHash(of: MemorySource(pattern))?.description
                == "d105289f5617c241f52a191c6b2fc809;9a146bab23839635989b4c14f4f6f501;"
                + "f6eb1760a0247362354814921f3de982;73cf680c7baa19352761d6a02fcbf7fe")
        #expect(try ShooterHash(of: MemorySource(Array(pattern[..<12_287]))) == nil)
        #expect(try ShooterHash(of: MemorySource(Array(pattern[..<12_288]))) != nil)
    }

    @Test(.requires("python3")) func filesAndServersGiveTheSame() throws {
        let folder = TemporaryDirectory()
        let path = folder.write(pattern, to: "A Film 2019.mkv")
        let query = try OnlineAccess.query(forVideo: path)
        #expect(query.movieHash?.description == "60a0df1f5fa2cd40")
        #expect(query.fileName == "A Film 2019.mkv")
        #expect(query.text == "A Film")
        #expect(query.year == 2019)
        let server = try WebServer.hostile(serving: folder.path)
        folder.write(pattern, to: "Film?key=1")
        let remote = try OnlineAccess.query(forVideo: "\(server.address)/plain/Film?key=1#x")
        #expect(remote.movieHash == query.movieHash)
        #expect(remote.shooterHash == query.shooterHash)
        #expect(remote.fileName == "Film")
        #expect(throws: UndertextError.self) {
            try OnlineAccess.query(forVideo: folder / "missing.mkv")
        }
    }

    @Test func aFileThatGetsShorterIsAnError() {
        let source = FaultyByteSource(pattern)
        source.size = 300_000
        #expect(throws: UndertextError.self) { try MovieHash(of: source) }
        #expect(throws: UndertextError.self) { try ShooterHash(of: source) }
    }
}
