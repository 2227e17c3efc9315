public import UndertextCore
internal import UndertextIO

/// The keys and servers of services from environment variables.
///
/// | variable | what it holds |
/// | --- | --- |
/// | `OPENSUBTITLES_API_KEY` | the key of an application at OpenSubtitles.com |
/// | `OPENSUBTITLES_USERNAME`, `OPENSUBTITLES_PASSWORD` | an account there; optional |
/// | `ASSRT_TOKEN` | a user's token at assrt.net |
/// | `OPENSUBTITLES_SERVER`, `ASSRT_SERVER`, `SHOOTER_SERVER` | another server of the same kind; optional |
public struct OnlineEnvironment: Sendable {
    /// The names of the services.
    public static let providerNames = ["opensubtitles", "assrt", "shooter"]

    private let value: @Sendable (String) -> String?

    /// Creates the environment of this process.
    public init() {
        self.init { SystemEnvironment.value(of: $0) }
    }

    /// Creates an environment from other variables, such as those of a settings file.
    public init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

    /// The names of the services whose keys are configured.
    public var configuredNames: [String] {
        var names: [String] = []
        if text("OPENSUBTITLES_API_KEY") != nil { names.append("opensubtitles") }
        if text("ASSRT_TOKEN") != nil { names.append("assrt") }
        return names
    }

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: One of ``providerNames``.
    ///   - userAgent: The name and version of the application, such as `App v1.2`.
    /// - Returns: The provider, which has not made a request yet.
    /// - Throws: `UndertextError` with code `missing-key`, whose message has the variable, or `unsupported`.
    public func provider(
        _ name: String, userAgent: String
    ) throws(UndertextError) -> any SubtitleProvider {
        switch name {
        case "opensubtitles":
            let key = try secret("OPENSUBTITLES_API_KEY", for: name)
            let account = OpenSubtitles.Account(
                apiKey: key, username: text("OPENSUBTITLES_USERNAME"),
                password: text("OPENSUBTITLES_PASSWORD").map { Secret($0) })
            return try OpenSubtitles(
                account: account, userAgent: userAgent,
                server: text("OPENSUBTITLES_SERVER") ?? OpenSubtitles.defaultServer)
        case "assrt":
            return try Assrt(
                token: try secret("ASSRT_TOKEN", for: name), userAgent: userAgent,
                server: text("ASSRT_SERVER") ?? Assrt.defaultServer)
        case "shooter":
            return try Shooter(
                userAgent: userAgent, server: text("SHOOTER_SERVER") ?? Shooter.defaultServer)
        default:
            throw UndertextError(
                .unsupported,
                "unknown provider '\(name)'; providers are \(Self.providerNames.joined(separator: ", "))"
            )
        }
    }

    private func secret(_ variable: String, for provider: String) throws(UndertextError) -> Secret {
        guard let text = text(variable) else {
            throw UndertextError(
                .missingKey, "set the environment variable \(variable)", provider: provider)
        }
        return Secret(text)
    }

    private func text(_ variable: String) -> String? {
        value(variable).flatMap { $0.isEmpty ? nil : $0 }
    }
}
