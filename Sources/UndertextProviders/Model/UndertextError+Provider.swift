package import UndertextCore

extension UndertextError {
    /// Creates an error of a provider, fit to be shown, without any key.
    package init(
        _ code: Code, _ message: String, provider: String?, status: Int? = nil,
        underlying: String? = nil
    ) {
        self.init(code, message, underlying: underlying)
        service.name = provider
        service.status = status
    }

    /// The failure of the way to a server, in the codes of services.
    func asked(of provider: String? = nil) -> UndertextError {
        var reported = self
        if code == .io { reported.code = .unreachable }
        reported.service.name = provider
        return reported
    }
}
