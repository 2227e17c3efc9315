internal import UndertextCore
internal import UndertextXML

/// An error response of object storage (Amazon S3 API Reference, "Error responses").
struct S3Failure {
    private let status: Int
    /// The error code, such as `NoSuchKey`; empty if the server states none.
    private let code: String
    /// The region of the bucket, if the server names it.
    private let region: String?

    /// Reads an error from a response, whose body may be damaged or missing.
    init(_ answer: HTTPConnection.Head, _ body: [UInt8]) {
        let texts = S3Texts(of: ["Code", "Region"], in: body)
        status = answer.status
        let said = texts["Code"].first ?? ""
        code = said.utf8.count <= 64 && said.utf8.allSatisfy(\.isAlphanumeric) ? said : ""
        let region = answer.fields["x-amz-bucket-region"] ?? texts["Region"].first
        self.region = region.flatMap { S3Settings.isRegion($0) ? $0 : nil }
    }

    /// The failure that a reader throws.
    ///
    /// - Parameters:
    ///   - name: The `s3://` URL.
    ///   - signer: Notes the region of the bucket if the request went to another one.
    /// - Returns: The failure.
    func failure(of name: String, noting signer: S3Signer?) -> HTTPFailure {
        let isElsewhere =
            [301, 302, 307, 308].contains(status)
            || ["AuthorizationHeaderMalformed", "IllegalLocationConstraintException"].contains(code)
        if isElsewhere, let region { signer?.note(region: region) }
        let said = code.isEmpty ? "HTTP status \(status)" : "HTTP status \(status), \(code)"
        if let (kind, message) = explanation {
            return HTTPFailure(UndertextError(kind, message, path: name, underlying: said))
        }
        let isTransient = HTTPStatus.mayPass(status) || Self.transient.contains(code)
        var error = HTTPStatus.error(status, of: name)
        if isTransient { error.message = "the server is busy or out of order; try again later" }
        if isElsewhere {
            error.message = "the bucket is in another region; set AWS_REGION"
        }
        error.underlying = said
        return HTTPFailure(error, isTransient: isTransient)
    }

    private static let transient: Set<String> = [
        "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "Throttling",
        "ThrottlingException", "RequestLimitExceeded",
    ]

    private var explanation: (UndertextError.Code, String)? {
        switch code {
        case "SignatureDoesNotMatch":
            (
                .permission,
                "the server refused the signature; check AWS_SECRET_ACCESS_KEY or the profile"
            )
        case "InvalidAccessKeyId", "InvalidClientTokenId":
            (
                .permission,
                "the server does not know the access key; check AWS_ACCESS_KEY_ID or the profile"
            )
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired", "ExpiredTokenException":
            (.permission, "the session token has expired or is not valid; obtain new credentials")
        case "RequestTimeTooSkewed":
            (.permission, "the clock of this computer is wrong; set it and try again")
        case "NoSuchBucket": (.notFound, "there is no such bucket; check its name and the endpoint")
        case "NoSuchKey": (.notFound, "there is no such object; keys are case-sensitive")
        case "NoSuchUpload": (.notFound, "the server has discarded the upload; try again")
        case "NotImplemented":
            (.unsupported, "the server does not support the request")
        case "EntityTooLarge": (.noSpace, "the object is larger than the server allows")
        case "QuotaExceeded", "XMinioStorageFull":
            (.noSpace, "the server has no space left; free some or choose another bucket")
        case "InvalidObjectState":
            (.permission, "the object is archived; restore it and try again")
        case "PreconditionFailed", "ConditionalRequestConflict":
            (.outputExists, "the object already exists")
        case "AccessDenied", "AllAccessDisabled", "AccountProblem":
            (
                .permission,
                "access was refused; check the permissions, and set AWS_REQUEST_PAYER=requester if "
                    + "the requester pays"
            )
        case "" where status == 412: (.outputExists, "the object already exists")
        case "" where status == 501:
            (.unsupported, "the server does not support the request")
        default: nil
        }
    }
}

/// The texts of elements of an XML response, by the name of the element.
final class S3Texts: XMLHandler {
    private let wanted: Set<String>
    private var texts: [String: [String]] = [:]
    private var open: String?
    /// Why the response cannot be read completely.
    private(set) var error: XMLError?

    /// Reads up to the first error in the XML.
    init(of names: Set<String>, in bytes: [UInt8]) {
        wanted = names
        do throws(XMLError) {
            try XMLReader.read(bytes, handler: self, depth: 16)
        } catch {
            self.error = error
        }
    }

    /// The texts in the order of the response.
    subscript(name: String) -> [String] { texts[name] ?? [] }

    func start(_ name: String, attributes: [XMLAttribute]) {
        open = wanted.contains(name) ? name : nil
        if let open { texts[open, default: []].append("") }
    }

    func text(_ text: String) {
        guard let open, let last = texts[open]?.indices.last else { return }
        texts[open]?[last] += text
    }

    func end(_ name: String) { open = nil }
}
