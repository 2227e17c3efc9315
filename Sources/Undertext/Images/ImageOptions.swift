/// What becomes of images before they are written.
public struct ImageOptions: Hashable, Sendable {
    /// The rate that timecodes of BDN XML count in, and that .sup files state.
    ///
    /// `nil` = that of the video where it is one of these, else by the canvas:
    /// `FrameRate(canvas:)`.
    public var frameRate: FrameRate?
    /// The canvas that images and their places are scaled to; `nil` = as they are.
    public var scale: PixelSize?
    /// `true` if each cue becomes one image of the whole canvas.
    public var fillsCanvas = false

    /// `true` if each cue of an image folder becomes one image, on the smallest rectangle that holds its
    /// images: programs that read BDN XML expect one image in an event, and BDSup2Sub drops others.
    public var joinsImages = true

    /// Images as they are.
    public init() {}

    /// `true` if pixels change, so that packets cannot be copied.
    var changesPixels: Bool { scale != nil || fillsCanvas }
}

extension ContainerDescription {
    /// The frame rate of the first video, if timecodes can count in it.
    var timecodeRate: FrameRate? {
        let videos = streams.filter {
            $0.kind == .video && !$0.disposition.contains(.attachedPicture)
        }
        guard let video = videos.first else { return nil }
        if let rate = video.details?.frameRate { return FrameRate(framesPerSecond: rate) }
        guard let span = video.frameDuration, let nanoseconds = Int32(exactly: span) else {
            return nil
        }
        return FrameRate(framesPerSecond: TimeBase(1_000_000_000, nanoseconds))
    }
}
