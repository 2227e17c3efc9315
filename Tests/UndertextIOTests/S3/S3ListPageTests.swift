import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

/// Pages of listings: keys of any kind, and answers of hostile servers.
@Suite struct S3ListPageTests {
    private static let root = S3Location(bucket: "films", key: "a/")

    private func page(_ body: String, encoding: String = "url") throws -> S3ListPage {
        let text =
            "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            + body + "<EncodingType>\(encoding)</EncodingType></ListBucketResult>"
        return try S3ListPage(Array(text.utf8), of: Self.root)
    }

    private func contents(_ key: String, size: String = "7") -> String {
        """
        <Contents><Key>\(key)</Key><LastModified>2024-02-03T04:05:06.789Z</LastModified><ETag>&quot;0a-2&quot;</ETag>\
        <Size>\(size)</Size><StorageClass>STANDARD</StorageClass><Owner><ID>x</ID><Key>no</Key></Owner></Contents>
        """
    }

    private func keys(_ page: S3ListPage) -> [String] {
        page.entries.map { entry in
            switch entry {
            case .object(let object): object.location.key
            case .folder(let folder): folder.key + " (folder)"
            case .damaged: "damaged"
            }
        }
    }

    @Test func objectsAndFoldersAreRead() throws {
        let page = try page(
            "<Name>films</Name><Prefix>a%2F</Prefix><IsTruncated>true</IsTruncated>"
                + contents("a/x.mkv") + "<CommonPrefixes><Prefix>a/b/</Prefix></CommonPrefixes>"
                + "<NextContinuationToken>1u+/x==</NextContinuationToken>")
        #expect(page.isTruncated && page.nextToken == "1u+/x==")
        let object = S3Object(
            location: S3Location(bucket: "films", key: "a/x.mkv"), size: 7,
            modified: 1_706_933_106_000_000_000, tag: "\"0a-2\"")
        let folder = S3Location(bucket: "films", key: "a/b/")
        #expect(page.entries == [.object(object), .folder(folder)])
    }

    @Test(arguments: [
        ("a+b%20c", "url", "a b c"), ("a%2Bb%25", "url", "a+b%"),
        ("%C3%A4%0A%01", "url", "ä\n\u{1}"),
        ("a+b%20c", "", "a+b%20c"), ("&lt;&amp;", "", "<&"), ("%", "url", "damaged"),
        ("%4", "url", "damaged"), ("%ff", "url", "damaged"), ("a%00b", "url", "damaged"),
        (String(repeating: "k", count: 1024), "url", String(repeating: "k", count: 1024)),
        (String(repeating: "k", count: 1025), "url", "damaged"),
        (String(repeating: "k", count: 1_000_000), "url", "damaged"),
    ])
    func escapesOfKeysAreResolved(_ stored: String, _ encoding: String, _ key: String) throws {
        #expect(keys(try page(contents(stored), encoding: encoding)) == [key])
    }

    @Test(arguments: ["", "-1", "x", "99999999999999999999"])
    func objectsWithoutASizeAreDamaged(_ size: String) throws {
        #expect(keys(try page(contents("a", size: size) + contents("b"))) == ["damaged", "b"])
    }

    @Test(arguments: [
        "", "x", "<a/>", "<html><body>log in</body></html>", "<ListBucketResult>",
        "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><ListBucketResult>&a;</ListBucketResult>",
        "<ListBucketResult>" + String(repeating: "<a>", count: 100_000),
    ])
    func otherAnswersAreErrors(_ text: String) {
        let error = #expect(throws: UndertextError.self) {
            try S3ListPage(Array(text.utf8), of: Self.root)
        }
        #expect(error?.code == .malformed && error?.path == "s3://films/a/")
    }

    /// Each cut and each changed bit gives a page or an error.
    @Test func damagedPagesAreSurvived() throws {
        let text =
            "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
            + contents("a%2Fb") + "<CommonPrefixes><Prefix>c/</Prefix></CommonPrefixes>"
            + "<NextContinuationToken>t</NextContinuationToken></ListBucketResult>"
        let bytes = Array(text.utf8)
        for end in 0..<bytes.count {
            #expect(throws: UndertextError.self) {
                try S3ListPage(Array(bytes[..<end]), of: Self.root)
            }
        }
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << UInt8(bit)
                guard let page = try? S3ListPage(damaged, of: Self.root) else { continue }
                #expect(page.entries.count <= 2)
            }
        }
    }
}
