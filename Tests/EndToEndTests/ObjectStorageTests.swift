import TestSupport
import Testing

/// Inputs in object storage: the same outputs as from a disk, with requests that the server has checked.
@Suite struct ObjectStorageTests {
    private let folder = TemporaryDirectory()

    /// One server for all tests, with the media file of ``HTTPTests``.
    static let storage = Result {
        try ObjectStorage.start(with: try #require(HTTPTests.film).path)
    }

    private func undertext(
        _ arguments: [String], _ changes: [String: String?] = [:]
    ) throws -> ToolResult {
        let variables = try Self.storage.get().variables.merging(changes) { $1 }
        return Command.undertext(arguments, environment: variables)
    }

    private func extract(
        _ input: String, _ name: String, _ changes: [String: String?] = [:]
    ) throws -> ToolResult {
        try undertext(
            [
                "extract", "--format", "native", "-o", folder / "\(name)/", "--report",
                folder / "\(name).json", input,
            ], changes)
    }

    private func report(_ name: String, _ key: String) -> Int? {
        fileText(folder / "\(name).json").flatMap { jsonValue(key, in: $0[...]) }.flatMap {
            Int($0)
        }
    }

    /// The one output of a run.
    private func output(_ name: String) -> [UInt8]? {
        files(below: folder / name).first.flatMap { fileBytes($0) }
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func rangesAreRead() throws {
        let film = try #require(HTTPTests.film)
        #expect(try extract(film / "film.mkv", "disk").status == 0)
        let result = try extract("s3://films/counted/film.mkv", "s3")
        #expect(result.status == 0, "\(result.stderr)")
        let expected = try #require(output("disk"))
        let isSame = output("s3") == expected
        #expect(isSame)
        let read = try #require(report("s3", "bytesRead"))
        let size = try #require(report("s3", "inputSize"))
        #expect(read < size / 4, "\(read) of \(size)")
        let requests = try Self.storage.get().requests(
            "/counted/", atLeast: report("s3", "requests") ?? 0)
        #expect(requests.allSatisfy { $0.status == 206 })
        // The server's bytes agree with the report.
        #expect(requests.reduce(0) { $0 + $1.count } == read)
        #expect(report("s3", "requests") == requests.count)
    }

    @Test(
        .requires("ffmpeg", "mkvmerge"), .requiresMoto,
        arguments: ["ä b+%41/..//", "broken/", "busy/", "elsewhere/"])
    func difficultKeysAndFailuresThatPass(_ prefix: String) throws {
        let film = try #require(HTTPTests.film)
        #expect(try extract(film / "film.mkv", "disk").status == 0)
        let result = try extract("s3://films/\(prefix)film.mkv", "s3")
        #expect(result.status == 0, "\(result.stderr)")
        let expected = try #require(output("disk"))
        let isSame = output("s3") == expected
        #expect(isSame)
        let requests = try Self.storage.get().requests("/films/\(prefix)")
        switch prefix {
        case "busy/": #expect(requests.contains { $0.status == 503 })
        case "elsewhere/": #expect(requests.filter { $0.status == 301 }.count == 1)
        default: break
        }
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto)
    func anErrorInTheMiddleIsReportedAndLeavesNothing() throws {
        let result = try extract("s3://films/gone/film.mkv", "gone")
        #expect(result.status != 0)
        #expect(
            result.stderr.contains("s3://films/gone/film.mkv")
                && result.stderr.contains("InternalError"), "\(result.stderr)")
        #expect(output("gone") == nil)
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func theRequesterPays() throws {
        let input = "s3://films/paid/film.mkv"
        let refused = try undertext(["probe", input])
        #expect(refused.status == 1)
        #expect(refused.stderr.contains("AWS_REQUEST_PAYER=requester"))
        #expect(try undertext(["probe", input], ["AWS_REQUEST_PAYER": "requester"]).status == 0)
    }

    @Test(
        .requires("ffmpeg", "mkvmerge"), .requiresMoto,
        arguments: [
            ("AWS_SECRET_ACCESS_KEY", "wrongsecret", "check AWS_SECRET_ACCESS_KEY"),
            ("AWS_ACCESS_KEY_ID", "wrongid", "check AWS_ACCESS_KEY_ID"),
            ("AWS_ACCESS_KEY_ID", nil, "set both"),
        ])
    func wrongKeysAreOneLineWithARemedy(
        _ name: String, _ value: String?, _ remedy: String
    ) throws {
        let result = try undertext(["probe", "s3://films/film.mkv"], [name: value])
        #expect(result.status == 1)
        #expect(result.stderr.split(separator: "\n").count == 1, "\(result.stderr)")
        #expect(result.stderr.hasPrefix("undertext: s3://films/film.mkv: "))
        #expect(result.stderr.contains(remedy), "\(result.stderr)")
        #expect(!result.stderr.contains("wrongsecret"))
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func sharedFilesAreRead() throws {
        let storage = try Self.storage.get()
        let (id, secret) = try (
            #require(storage.variables["AWS_ACCESS_KEY_ID"] ?? nil),
            #require(storage.variables["AWS_SECRET_ACCESS_KEY"] ?? nil)
        )
        folder.write(
            "[films]\naws_access_key_id = \(id)\naws_secret_access_key = \(secret)\n",
            to: "credentials")
        let changes: [String: String?] = [
            "AWS_ACCESS_KEY_ID": nil, "AWS_SECRET_ACCESS_KEY": nil, "AWS_PROFILE": "films",
            "AWS_SHARED_CREDENTIALS_FILE": folder / "credentials",
        ]
        #expect(try undertext(["probe", "s3://films/film.mkv"], changes).status == 0)
        folder.write("[films]\nverysecret\n", to: "credentials")
        let damaged = try undertext(["probe", "s3://films/film.mkv"], changes)
        #expect(damaged.status == 1)
        #expect(damaged.stderr.contains("credentials: line 2 "), "\(damaged.stderr)")
        #expect(!damaged.stderr.contains("verysecret"))
    }

    @Test(
        .requires("ffmpeg", "mkvmerge"), .requiresMoto,
        arguments: ["s3://films/none.mkv", "s3://none/film.mkv", "s3://films/", "s3://a b/c"])
    func missingObjectsAreErrors(_ input: String) throws {
        let result = try undertext(["probe", input])
        #expect(result.status == 1)
        #expect(result.stderr.hasPrefix("undertext: \(input): "), "\(result.stderr)")
        #expect(result.stderr.split(separator: "\n").count == 1)
    }
}
