#if S3
    internal import Crypto
    internal import Synchronization
    package import UndertextCore

    /// Signs requests with AWS Signature Version 4 (Amazon S3 API Reference, "Authenticating Requests").
    package struct S3Signer: Sendable {
        /// The keys; `nil` for requests without a signature.
        package let credentials: S3Credentials?
        /// The region of the bucket.
        package let region: String
        /// `true` if the requester pays for requests and traffic.
        package let requesterPays: Bool

        private let hint = RegionHint()

        /// The value of `x-amz-content-sha256` for a body that the signature does not cover.
        package static let unsignedPayload = "UNSIGNED-PAYLOAD"

        /// Creates a signer.
        package init(credentials: S3Credentials?, region: String, requesterPays: Bool = false) {
            self.credentials = credentials
            self.region = region
            self.requesterPays = requesterPays
        }

        /// The region of the bucket that a server named instead of ``region``; `nil` if none did.
        var notedRegion: String? { hint.region.withLock { $0 } }

        /// Notes the region that a server named.
        func note(region: String) { hint.region.withLock { $0 = region } }

        private final class RegionHint: Sendable {
            let region = Mutex<String?>(nil)
        }

        /// The header fields that a request needs in addition to its own.
        ///
        /// - Parameters:
        ///   - method: The request method.
        ///   - url: The URL; its path is signed as it is, and its query is sorted.
        ///   - headers: Further fields to sign.
        ///   - payload: The lowercase hexadecimal hash of the body, or ``unsignedPayload``.
        ///   - time: The time in seconds since 1970.
        /// - Returns: The fields; the signature and the token are secret.
        package func headers(
            method: String, url: String, signing headers: [HTTPHeader] = [],
            payload: String, time: Int
        ) -> [HTTPHeader] {
            var own: [HTTPHeader] = []
            if requesterPays { own.append(HTTPHeader("x-amz-request-payer", "requester")) }
            guard let credentials else { return own }
            let stamp = Self.stamp(time)
            own.append(HTTPHeader("x-amz-content-sha256", payload))
            own.append(HTTPHeader("x-amz-date", stamp))
            if let token = credentials.sessionToken {
                own.append(HTTPHeader("x-amz-security-token", token, isSecret: true))
            }
            let request = canonicalRequest(method, URI(url), headers + own, payload)
            let scope = "\(stamp.prefix(8))/\(region)/s3/aws4_request"
            let text =
                "AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n\(Self.hash(Array(request.text.utf8)))"
            var key = Array("AWS4\(credentials.secretAccessKey)".utf8)
            for part in [String(stamp.prefix(8)), region, "s3", "aws4_request", text] {
                key = Self.code(part, key: key)
            }
            own.append(
                HTTPHeader(
                    "Authorization",
                    "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
                        + "SignedHeaders=\(request.signed), Signature=\(Self.hexadecimal(key))",
                    isSecret: true))
            return own
        }

        /// The lowercase hexadecimal SHA-256 of bytes.
        package static func hash(_ bytes: [UInt8]) -> String {
            hexadecimal(Array(SHA256.hash(data: bytes)))
        }

        private func canonicalRequest(
            _ method: String, _ url: URI, _ headers: [HTTPHeader], _ payload: String
        ) -> (text: String, signed: String) {
            var fields: [(name: String, value: String)] = [("host", url.authority ?? "")]
            for header in headers {
                fields.append((header.name.lowercased(), Self.folded(header.value)))
            }
            fields.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            let signed = fields.map(\.name).joined(separator: ";")
            let lines = fields.map { "\($0.name):\($0.value)\n" }.joined()
            let path = url.path.isEmpty ? "/" : url.path
            let query = Self.sorted(query: url.query ?? "")
            return ("\(method)\n\(path)\n\(query)\n\(lines)\n\(signed)\n\(payload)", signed)
        }

        /// Sorted by the escaped name, then by the escaped value; a name alone gets an empty value.
        private static func sorted(query: String) -> String {
            query.split(separator: "&").map { part in
                let sign = part.firstIndex(of: "=") ?? part.endIndex
                return (Array(part[..<sign].utf8), Array(part[sign...].utf8.dropFirst()))
            }
            .sorted { one, other in
                one.0 == other.0
                    ? one.1.lexicographicallyPrecedes(other.1)
                    : one.0.lexicographicallyPrecedes(other.0)
            }
            .map {
                "\(String(decoding: $0.0, as: UTF8.self))=\(String(decoding: $0.1, as: UTF8.self))"
            }
            .joined(separator: "&")
        }

        /// A value with each run of blanks made one, and without blanks at its ends.
        private static func folded(_ value: String) -> String {
            value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
        }

        private static func code(_ text: String, key: [UInt8]) -> [UInt8] {
            Array(
                HMAC<SHA256>.authenticationCode(
                    for: Array(text.utf8), using: SymmetricKey(data: key)))
        }

        private static func hexadecimal(_ bytes: [UInt8]) -> String {
            let digits = Array("0123456789abcdef".utf8)
            return String(
                decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
                as: UTF8.self)
        }

        /// A time as `20130524T000000Z`, in the Gregorian calendar.
        static func stamp(_ time: Int) -> String {
            let (day, second) = (max(0, time) / 86_400, max(0, time) % 86_400)
            // Days since March 1 of the year 0, in eras of 400 years; a year ends with February.
            let (era, dayOfEra) = ((day + 719_468) / 146_097, (day + 719_468) % 146_097)
            let year =
                (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
            let month = (5 * dayOfYear + 2) / 153
            let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
            let date =
                zeroPadded(era * 400 + year + (month >= 10 ? 1 : 0), to: 4)
                + zeroPadded(month >= 10 ? month - 9 : month + 3, to: 2)
                + zeroPadded(dayOfMonth, to: 2)
            let clock = [second / 3600, second / 60 % 60, second % 60]
            return "\(date)T\(clock.map { zeroPadded($0, to: 2) }.joined())Z"
        }
    }
#else
    /// Signs requests in builds with the trait `S3`; there is no value of it in this build.
    package enum S3Signer: Sendable {
        var notedRegion: String? { nil }

        func note(region: String) {}
    }
#endif
