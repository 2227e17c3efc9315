package import UndertextCore

/// Credentials, region and server of object storage, from the variables and files that the AWS tools use.
package struct S3Settings: Hashable, Sendable {
    /// The keys; `nil` for requests without a signature.
    package var credentials: S3Credentials?
    /// The region of requests until a server names another one.
    package var region: String
    /// The URL of a server other than Amazon S3, or `nil`.
    package var endpointURL: String?
    /// The form of URLs.
    package var addressing: S3Endpoint.Addressing
    /// `true` if the requester pays for requests and traffic.
    package var requesterPays: Bool

    /// Creates settings.
    package init(
        credentials: S3Credentials?, region: String = "us-east-1", endpointURL: String? = nil,
        addressing: S3Endpoint.Addressing = .auto, requesterPays: Bool = false
    ) {
        self.credentials = credentials
        self.region = region
        self.endpointURL = endpointURL
        self.addressing = addressing
        self.requesterPays = requesterPays
    }

    /// The server in a region.
    package func endpoint(in region: String) throws(UndertextError) -> S3Endpoint {
        guard let endpointURL else { return S3Endpoint(region: region, addressing: addressing) }
        return try S3Endpoint(url: endpointURL, addressing: addressing)
    }

    /// The settings of the environment.
    ///
    /// - Parameter variable: Returns the value of a variable, or `nil`.
    /// - Returns: The settings.
    /// - Throws: ``UndertextError`` with code `missing-key` if there are no credentials, `invalid-value` for a
    ///   setting that cannot be used, or as ``AWSProfileFile`` does.
    package static func ofEnvironment(
        _ variable: @escaping (String) -> String? = SystemEnvironment.value(of:)
    ) throws(UndertextError) -> S3Settings {
        let environment = Environment(variable)
        let profile = try S3Profile(environment)
        let region =
            environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"]
            ?? profile.value("region") ?? "us-east-1"
        guard isRegion(region) else {
            throw UndertextError(.invalidValue, "the region of object storage is not valid")
        }
        return S3Settings(
            credentials: try credentials(environment, profile), region: region,
            endpointURL: environment["AWS_ENDPOINT_URL_S3"] ?? environment["AWS_ENDPOINT_URL"]
                ?? profile.endpointURL,
            addressing: try addressing(environment, profile),
            requesterPays: try requesterPays(environment))
    }

    /// `true` if a text may be the name of a region, which becomes part of a host name.
    static func isRegion(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
    }

    private static func credentials(
        _ environment: Environment, _ profile: S3Profile
    ) throws(UndertextError) -> S3Credentials? {
        if try environment.flag("AWS_NO_SIGN_REQUEST") ?? false { return nil }
        let id = environment["AWS_ACCESS_KEY_ID"]
        let secret = environment["AWS_SECRET_ACCESS_KEY"]
        if let id, let secret {
            do throws(UndertextError) {
                return try S3Credentials(
                    accessKeyID: id, secretAccessKey: secret,
                    sessionToken: environment["AWS_SESSION_TOKEN"])
            } catch {
                throw UndertextError(error.code, "\(error.message); check the variables AWS_*")
            }
        }
        guard id == nil, secret == nil else {
            throw UndertextError(
                .missingKey,
                "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set; set both")
        }
        return try profile.credentials()
    }

    private static func addressing(
        _ environment: Environment, _ profile: S3Profile
    ) throws(UndertextError) -> S3Endpoint.Addressing {
        if let isVirtual = try environment.flag("AWS_VIRTUAL_HOSTING") {
            return isVirtual ? .virtual : .path
        }
        guard let text = profile.value("s3.addressing_style") else { return .auto }
        guard let style = S3Endpoint.Addressing(rawValue: text.lowercased()) else {
            throw UndertextError(
                .invalidValue, "the addressing style of object storage is not path, virtual or auto"
            )
        }
        return style
    }

    private static func requesterPays(_ environment: Environment) throws(UndertextError) -> Bool {
        guard let text = environment["AWS_REQUEST_PAYER"] else { return false }
        guard text.lowercased() == "requester" else {
            throw UndertextError(.invalidValue, "AWS_REQUEST_PAYER is not requester")
        }
        return true
    }

    /// The variables; an empty one counts as missing.
    struct Environment {
        private let variable: (String) -> String?

        init(_ variable: @escaping (String) -> String?) { self.variable = variable }

        subscript(name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

        /// A Boolean value as GDAL and the AWS tools write it; `nil` if the variable is missing.
        func flag(_ name: String) throws(UndertextError) -> Bool? {
            guard let text = self[name]?.lowercased() else { return nil }
            if ["yes", "true", "on", "1"].contains(text) { return true }
            if ["no", "false", "off", "0"].contains(text) { return false }
            throw UndertextError(.invalidValue, "\(name) is neither YES nor NO")
        }
    }
}
