#if S3
    import TestSupport
    import Testing
    import UndertextCore
    import UndertextIO

    /// Signatures, compared with those of botocore.
    @Suite struct S3SignerTests {
        private static let folder = Repository.root + "/Tests/UndertextIOTests/S3/"

        /// Recorded with `signatures.py 1 200`.
        @Test func recordedSignaturesAreTheSame() throws {
            let lines = try #require(fileText(Self.folder + "signatures.jsonl")).split(
                separator: "\n")
            #expect(lines.count == 200)
            for line in lines { try check(line) }
        }

        @Test(.requiresPython("botocore")) func signaturesOfThisBotocoreAreTheSame() throws {
            let seed = Int.random(in: 2...1_000_000)
            let made = run("python3", [Self.folder + "signatures.py", "\(seed)", "200"])
            try #require(made.status == 0, "\(made.stderr)")
            let lines = made.text.split(separator: "\n")
            #expect(lines.count == 200)
            for line in lines { try check(line) }
        }

        private func check(_ line: Substring) throws {
            let example = try JSON(parsing: Array(line.utf8))
            let key = try #require(example["key"]?.text)
            let location = S3Location(
                bucket: try #require(example["bucket"]?.text), key: key)
            let query = try #require(example["query"]).elements.map { pair in
                (name: pair.elements[0].text ?? "", value: pair.elements[1].text ?? "")
            }
            let endpoint = try S3Endpoint(url: try #require(example["endpoint"]?.text))
            let url = endpoint.url(of: location, query: query)
            let expected = try #require(example["url"]?.text)
            #expect(url == expected.replacing(":443", with: ""), "\(key)")
            let signer = S3Signer(
                credentials: try S3Credentials(
                    accessKeyID: "AKIDEXAMPLE",
                    secretAccessKey: try #require(example["secret"]?.text),
                    sessionToken: example["token"]?.text),
                region: try #require(example["region"]?.text),
                requesterPays: example["pays"]?.flag == true)
            let headers = signer.headers(
                method: try #require(example["method"]?.text), url: url,
                signing: try #require(example["headers"]).members.map {
                    HTTPHeader($0.key, $0.value.text ?? "")
                },
                payload: try #require(example["payload"]?.text),
                time: try #require(example["time"]?.wholeNumber))
            let made = headers.first { $0.name == "Authorization" }
            #expect(made?.value == example["authorization"]?.text, "\(line)")
        }

        @Test func bodiesAreHashed() {
            #expect(
                S3Signer.hash([])
                    == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
            #expect(
                S3Signer.hash(Array("abc".utf8))
                    == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        }

        @Test func secretsAreNotDescribed() throws {
            let credentials = try S3Credentials(
                accessKeyID: "AKIDX", secretAccessKey: "verysecret", sessionToken: "verytoken")
            let signer = S3Signer(credentials: credentials, region: "eu-west-1")
            let headers = signer.headers(
                method: "GET", url: "http://a/b", payload: S3Signer.unsignedPayload, time: 0)
            var dumped = "\(credentials) \(String(reflecting: signer)) \(headers)"
            dump(credentials, to: &dumped)
            dump(signer, to: &dumped)
            dump(headers, to: &dumped)
            for secret in ["AKIDX", "verysecret", "verytoken", "Signature="] {
                #expect(!dumped.contains(secret))
            }
            #expect(headers.count == 4)
        }

        @Test func withoutCredentialsNothingIsSigned() {
            let signer = S3Signer(credentials: nil, region: "eu-west-1", requesterPays: true)
            let headers = signer.headers(
                method: "GET", url: "http://a/b", payload: S3Signer.unsignedPayload, time: 0)
            #expect(headers == [HTTPHeader("x-amz-request-payer", "requester")])
        }
    }
#endif
