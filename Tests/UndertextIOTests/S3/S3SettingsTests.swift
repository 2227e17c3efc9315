import TestSupport
import Testing
import UndertextCore
import UndertextIO

/// Settings of the environment and of the shared files.
@Suite struct S3SettingsTests {
    private let folder = TemporaryDirectory()

    private func settings(
        _ variables: [String: String] = [:], credentials: String? = nil, config: String? = nil
    ) throws(UndertextError) -> S3Settings {
        if let credentials { folder.write(credentials, to: "credentials") }
        if let config { folder.write(config, to: "config") }
        var all = [
            "AWS_SHARED_CREDENTIALS_FILE": folder / "credentials",
            "AWS_CONFIG_FILE": folder / "config",
        ]
        all.merge(variables) { $1 }
        let environment = all
        return try S3Settings.ofEnvironment { environment[$0] }
    }

    private let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s+/="]

    private func error(
        _ variables: [String: String], credentials: String? = nil, config: String? = nil
    ) -> UndertextError? {
        #expect(throws: UndertextError.self) {
            try settings(variables, credentials: credentials, config: config)
        }
    }

    @Test func variablesAreRead() throws {
        let all = [
            "AWS_SESSION_TOKEN": "token", "AWS_REGION": "eu-west-1",
            "AWS_DEFAULT_REGION": "us-west-2", "AWS_ENDPOINT_URL": "http://all:1",
            "AWS_ENDPOINT_URL_S3": "http://minio:9000", "AWS_REQUEST_PAYER": "requester",
            "AWS_VIRTUAL_HOSTING": "TRUE",
        ].merging(keys) { $1 }
        let made = try settings(all)
        #expect(made.credentials?.accessKeyID == "AKID")
        #expect(made.credentials?.secretAccessKey == "s+/=")
        #expect(made.credentials?.sessionToken == "token")
        #expect(made.region == "eu-west-1")
        #expect(made.endpointURL == "http://minio:9000")
        #expect(made.requesterPays)
        #expect(made.addressing == .virtual)
        let least = try settings(keys)
        #expect(least.region == "us-east-1")
        #expect(least.endpointURL == nil)
        #expect(least.addressing == .auto)
        #expect(!least.requesterPays)
        #expect(try settings(["AWS_NO_SIGN_REQUEST": "YES"]).credentials == nil)
    }

    @Test func profilesAreRead() throws {
        let credentials = """
            [default]
            aws_access_key_id = A
            aws_secret_access_key = a
            [films]
            aws_access_key_id = B
            aws_secret_access_key = b
            aws_session_token = t
            """
        let config = """
            [default]
            region = eu-north-1
            [profile films]
            region = eu-south-1
            endpoint_url = http://all:1
            services = own
            s3 =
              addressing_style = path
            [services own]
            s3 =
              endpoint_url = http://own:9000
            [profile alone]
            aws_access_key_id = C
            aws_secret_access_key = c
            """
        let plain = try settings(credentials: credentials, config: config)
        #expect(plain.credentials?.accessKeyID == "A")
        #expect(plain.region == "eu-north-1")
        let films = try settings(["AWS_PROFILE": "films"])
        #expect(films.credentials?.accessKeyID == "B")
        #expect(films.credentials?.sessionToken == "t")
        #expect(films.endpointURL == "http://own:9000")
        #expect(films.addressing == .path)
        #expect(try settings(["AWS_PROFILE": "alone"]).credentials?.secretAccessKey == "c")
        // Variables with keys are first, as in the AWS tools.
        #expect(
            try settings(keys.merging(["AWS_PROFILE": "films"]) { $1 }).credentials?.accessKeyID
                == "AKID")
    }

    @Test func missingCredentialsAreErrorsWithRemedies() {
        for (variables, config, part) in [
            ([:], nil, "set AWS_ACCESS_KEY_ID"),
            (["AWS_ACCESS_KEY_ID": "A"], nil, "set both"),
            (["AWS_PROFILE": "none"], nil, "no profile none"),
            (
                ["AWS_PROFILE": "x"], "[profile x]\nsso_session = y",
                "export-credentials --profile x"
            ),
        ] as [([String: String], String?, String)] {
            let error = error(variables, config: config)
            #expect(error?.code == .missingKey)
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
    }

    @Test func unusableSettingsAreErrors() {
        for (name, value) in [
            ("AWS_REGION", "a/b"), ("AWS_REQUEST_PAYER", "x"), ("AWS_VIRTUAL_HOSTING", "perhaps"),
            ("AWS_SECRET_ACCESS_KEY", "a\nb"), ("AWS_SESSION_TOKEN", "tö"),
        ] {
            let error = error(keys.merging([name: value]) { $1 })
            #expect(error?.code == .invalidValue, "\(name)")
            #expect(error?.message.contains(value) == false, "\(name)")
        }
        let style = error(keys, config: "[default]\ns3 =\n addressing_style = x")
        #expect(style?.code == .invalidValue)
    }

    @Test func damagedFilesAreErrorsWithLineAndWithoutSecrets() {
        let damaged = error([:], credentials: "[default]\naws_secret_access_key verysecret")
        #expect(damaged?.code == .malformed)
        #expect(damaged?.path == folder / "credentials")
        #expect(damaged?.message.hasPrefix("line 2 ") == true)
        let unusable = error(
            [:],
            credentials: "[default]\naws_access_key_id = A\naws_secret_access_key = very secret")
        #expect(unusable?.code == .invalidValue)
        #expect(unusable?.message.hasPrefix("line 2: in profile default") == true)
        #expect("\(damaged as Any) \(unusable as Any)".contains("secret key") == false)
        #expect("\(damaged as Any) \(unusable as Any)".contains("verysecret") == false)
        let large = error([:], credentials: String(repeating: "#\n", count: 600_000))
        #expect(large?.code == .limit)
    }
}
