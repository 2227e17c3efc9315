internal import UndertextCore

/// A profile of the shared files.
struct S3Profile {
    private typealias Settings = [String: AWSProfileFile.Setting]

    private let name: String
    private let environment: S3Settings.Environment
    private let credentialsPath: String?
    private let configPath: String?
    /// The section of the credentials file.
    private let stored: Settings
    /// The section of the configuration file.
    private let configured: Settings
    private let config: AWSProfileFile?

    private static let longestFile = 1 << 20

    /// Reads the files that exist.
    init(_ environment: S3Settings.Environment) throws(UndertextError) {
        self.environment = environment
        let named = environment["AWS_PROFILE"]
        name = named ?? "default"
        let home = environment["HOME"]
        credentialsPath =
            Self.path("AWS_SHARED_CREDENTIALS_FILE", environment)
            ?? home.map { PathName.joining($0, ".aws/credentials") }
        configPath =
            Self.path("AWS_CONFIG_FILE", environment)
            ?? home.map { PathName.joining($0, ".aws/config") }
        let credentials = try Self.file(credentialsPath)
        config = try Self.file(configPath)
        let own = credentials?.section(name)
        let other =
            config?.section(name == "default" ? name : "profile \(name)")
            ?? (name == "default" ? config?.section("profile default") : nil)
        guard own != nil || other != nil || named == nil else {
            throw UndertextError(
                .missingKey, "there is no profile \(name) in the shared files of AWS",
                path: credentialsPath)
        }
        stored = own ?? [:]
        configured = other ?? [:]
    }

    /// A setting of the configuration file, which an old credentials file may have, too.
    func value(_ name: String) -> String? {
        let value = (configured[name] ?? stored[name])?.value ?? ""
        return value.isEmpty ? nil : value
    }

    /// The URL of the server, for S3 or for all services.
    var endpointURL: String? {
        if let services = value("services"), let section = config?.section("services \(services)"),
            let url = section["s3.endpoint_url"]?.value, !url.isEmpty
        {
            return url
        }
        return value("endpoint_url")
    }

    /// The keys of the profile.
    ///
    /// - Throws: ``UndertextError`` with code `missing-key` if there are none.
    func credentials() throws(UndertextError) -> S3Credentials {
        for (settings, path) in [(stored, credentialsPath), (configured, configPath)] {
            guard let id = settings["aws_access_key_id"],
                let secret = settings["aws_secret_access_key"]
            else { continue }
            do throws(UndertextError) {
                return try S3Credentials(
                    accessKeyID: id.value, secretAccessKey: secret.value,
                    sessionToken: settings["aws_session_token"]?.value)
            } catch {
                throw UndertextError(
                    error.code, "line \(id.line): in profile \(name), \(error.message)", path: path)
            }
        }
        let sources = [
            "credential_process", "sso_session", "sso_start_url", "role_arn", "login_session",
        ]
        if let source = sources.first(where: { value($0) != nil }) {
            throw UndertextError(
                .missingKey,
                "the profile \(name) obtains its keys by \(source), which is not supported; run: "
                    + "eval \"$(aws configure export-credentials --profile \(name) --format env)\"",
                path: configPath)
        }
        throw UndertextError(
            .missingKey,
            "there are no credentials for object storage; set AWS_ACCESS_KEY_ID and "
                + "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or for a public bucket "
                + "AWS_NO_SIGN_REQUEST=YES")
    }

    private static func path(
        _ variable: String, _ environment: S3Settings.Environment
    ) -> String? {
        guard let path = environment[variable] else { return nil }
        guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
        return PathName.joining(home, String(path.dropFirst(2)))
    }

    /// `nil` if there is no such file.
    private static func file(_ path: String?) throws(UndertextError) -> AWSProfileFile? {
        guard let path, FileSystem.exists(path) else { return nil }
        let bytes = try FileSystem.contents(of: path, limit: longestFile, isInput: false)
        return try AWSProfileFile(bytes, path: path)
    }
}
