public import UndertextCore
internal import UndertextIO

/// The online access of this build.
public enum OnlineAccess {
    /// A Boolean value that indicates whether this build has the trait `Providers`.
    public static var isAvailable: Bool {
        #if Providers
            true
        #else
            false
        #endif
    }

    /// Returns the HTTP client of this build; without the trait `Providers`, its requests throw `unsupported`.
    public static func fetcher() -> any Fetcher {
        #if Providers
            HTTPClient()
        #else
            NoFetcher()
        #endif
    }

    /// Creates a query from a video's name and bytes.
    ///
    /// - Parameters:
    ///   - video: A path, or an http or https URL.
    ///   - userAgent: The user agent of requests to the video's server, or `nil` for the default.
    ///   - cancellation: A flag that cancels the reading.
    /// - Returns: The query; without hashes if the server does not support byte ranges.
    /// - Throws: `UndertextError` if the video cannot be read.
    public static func query(
        forVideo video: String, userAgent: String? = nil,
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineQuery {
        do throws(UndertextError) {
            if S3Location.isLocation(video) {
                var options = HTTPOptions()
                options.cancellation = cancellation
                let source = try S3Client.open(video, options: options)
                return try OnlineQuery(video: source, name: S3Location(video).fileName)
            }
            guard URI(video).isHTTP else {
                let path = URI.literalPath(ofFileURL: video) ?? video
                let file = try FileSource(path: path, cancellation: cancellation)
                return try OnlineQuery(video: file, name: path)
            }
            let path = URI.unescaped(
                PathName.baseName(String(video.prefix { $0 != "?" && $0 != "#" })))
            #if Providers
                var options = HTTPOptions()
                options.cancellation = cancellation
                if let userAgent { options.userAgent = userAgent }
                guard case .source(let source) = try HTTPInput.open(video, options: options) else {
                    return OnlineQuery(videoName: path)
                }
                return try OnlineQuery(video: source, name: path)
            #else
                return OnlineQuery(videoName: path)
            #endif
        } catch {
            throw error.asked()
        }
    }
}

#if !Providers
    /// Reports that this build lacks the trait.
    private struct NoFetcher: Fetcher {
        func fetch(
            _ request: HTTPRequest, cancellation: Cancellation
        ) throws(UndertextError) -> HTTPResponse {
            throw UndertextError(
                .unsupported, "this build has no online access; build with the trait Providers",
                path: request.name)
        }
    }
#endif
