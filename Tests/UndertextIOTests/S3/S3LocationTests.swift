import TestSupport
import Testing
import UndertextCore
import UndertextIO

/// Addresses in object storage, and the URLs that they become.
@Suite struct S3LocationTests {
    @Test(arguments: [
        ("s3://films/a.mkv", "films", "a.mkv", "a.mkv"),
        ("S3://films", "films", "", ""),
        ("s3://films/", "films", "", ""),
        ("s3://films//a", "films", "/a", "a"),
        ("s3://films/a/../b%20c?x#y", "films", "a/../b%20c?x#y", "b%20c?x#y"),
        ("s3://films/ä/日本/", "films", "ä/日本/", ""),
        ("s3://Old_Bucket.x/k", "Old_Bucket.x", "k", "k"),
    ])
    func addressesAreParsed(_ text: String, _ bucket: String, _ key: String, _ name: String) throws
    {
        let location = try S3Location(text)
        #expect(location.bucket == bucket)
        #expect(location.key == key)
        #expect(location.fileName == name)
    }

    @Test(arguments: [
        "", "s3:", "s3://", "s3:///key", "s3://a b/key", "s3://a:80/key", "s3://user@b/key",
        "s3://../key", "s3://ä/key", "http://films/a", "films/a",
        "s3://films/" + String(repeating: "a", count: 1025),
        "s3://" + String(repeating: "a", count: 256) + "/k",
    ])
    func otherTextsAreErrors(_ text: String) {
        let error = #expect(throws: UndertextError.self) { try S3Location(text) }
        #expect(error?.code == .invalidValue)
    }

    @Test func localFoldersAreNeverMadeOfURLs() {
        let error = #expect(throws: UndertextError.self) {
            try FileSystem.createDirectory("s3://films/subs")
        }
        #expect(error?.code == .unsupported)
        for path in ["s3://films", "s3://films/", "s3://films/subs/", "s3://f ilms/a.srt"] {
            let error = #expect(throws: UndertextError.self) { try OutputFile(path: path) }
            #expect(error?.code == .invalidValue)
        }
        #expect(!FileSystem.exists("s3:"))
    }

    @Test func foldersEndInASlash() throws {
        #expect(try S3Location("s3://b").folder.description == "s3://b/")
        #expect(try S3Location("s3://b/a").folder.description == "s3://b/a/")
        #expect(try S3Location("s3://b/a/").folder.description == "s3://b/a/")
        #expect(try S3Location("s3://b/a").appending("c").description == "s3://b/a/c")
        #expect(try S3Location("s3://b").appending("c").description == "s3://b/c")
    }

    @Test func bucketsAreInTheHostOrInThePath() throws {
        let location = S3Location(bucket: "films", key: "a b/ü+%/../~.mkv")
        let escaped = "a%20b/%C3%BC%2B%25/../~.mkv"
        let east = S3Endpoint(region: "us-east-1")
        #expect(
            east.url(of: location) == "https://films.s3.us-east-1.amazonaws.com/\(escaped)")
        #expect(
            S3Endpoint(region: "cn-north-1", addressing: .path).url(of: location)
                == "https://s3.cn-north-1.amazonaws.com.cn/films/\(escaped)")
        for bucket in ["with.dot", "Old_Bucket", "-a-", "ab"] {
            #expect(
                east.url(of: S3Location(bucket: bucket, key: ""))
                    == "https://s3.us-east-1.amazonaws.com/\(bucket)")
        }
        let own = try S3Endpoint(url: "HTTP://Minio:80/base/")
        #expect(own.url(of: location) == "http://minio/base/films/\(escaped)")
        let virtual = try S3Endpoint(url: "https://storage.example:9000", addressing: .virtual)
        #expect(
            virtual.url(of: location, query: [("list-type", "2"), ("prefix", "a/&")])
                == "https://films.storage.example:9000/\(escaped)?list-type=2&prefix=a%2F%26")
    }

    @Test(arguments: [
        "", "minio:9000", "ftp://x", "https://", "http://u:p@x", "http://x?y", "http://x#y",
        "http://x:y", "http://[::1",
    ])
    func otherEndpointsAreErrors(_ url: String) {
        let error = #expect(throws: UndertextError.self) { try S3Endpoint(url: url) }
        #expect(error?.code == .invalidValue)
    }
}
