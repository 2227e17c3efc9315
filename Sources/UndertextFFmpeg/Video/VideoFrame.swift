internal import CFFmpeg
package import UndertextCore

/// A decoded video frame, in the pixel format of the codec.
///
/// FFmpeg: `AVFrame`. Not `Sendable`.
package final class VideoFrame {
    /// The presentation time on the timeline of the file; `nil` if unknown.
    package internal(set) var time: Timestamp?
    let buffer: FrameBuffer

    init(_ library: FFmpegLibrary) throws(UndertextError) {
        buffer = try FrameBuffer.make(library)
    }

    /// The pixels as stored.
    package var size: PixelSize {
        unsafe PixelSize(
            width: Int(buffer.pointer.pointee.width), height: Int(buffer.pointer.pointee.height))
    }

    /// The frame in another size: R, G, B, A row by row; transparent pixels are black.
    ///
    /// - Parameter size: The size; 1 to 8192 per side.
    /// - Returns: its pixels.
    /// - Throws: `UndertextError`: libswscale is missing, or cannot read these pixels.
    package func rgba(scaledTo size: PixelSize) throws(UndertextError) -> [UInt8] {
        let sides = 1...8192
        guard sides.contains(size.width), sides.contains(size.height) else {
            throw UndertextError(.limit, "frames are scaled to at most 8192 pixels a side")
        }
        let scaling = try ScalingLibrary.load()
        // libswscale writes whole vectors: rows are padded.
        let stride = (size.width * 4 + 63) / 64 * 64 + 64
        var target = [UInt8](repeating: 0, count: stride * (size.height + 1))
        let rows = unsafe target.withUnsafeMutableBufferPointer { target in
            unsafe cffmpeg_frame_rgba(
                scaling.functions, buffer.pointer, colors, isFullRange ? 1 : 0,
                target.baseAddress, Int32(stride), Int32(size.width), Int32(size.height))
        }
        guard rows == size.height else {
            throw UndertextError(.unsupported, "libswscale cannot convert the frames of this video")
        }
        var result: [UInt8] = []
        result.reserveCapacity(size.width * size.height * 4)
        for row in 0..<size.height {
            result += target[row * stride..<row * stride + size.width * 4]
        }
        Self.blacken(&result)
        return result
    }

    /// The matrix from Y Cb Cr; the players' default if the video states none.
    private var colors: Int32 {
        let stated = unsafe buffer.pointer.pointee.colorspace
        switch stated {
        case AVCOL_SPC_BT709: return SWS_CS_ITU709
        case AVCOL_SPC_FCC: return SWS_CS_FCC
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: return SWS_CS_ITU601
        case AVCOL_SPC_SMPTE240M: return SWS_CS_SMPTE240M
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: return SWS_CS_BT2020
        default: return size.width >= 1280 || size.height > 576 ? SWS_CS_ITU709 : SWS_CS_ITU601
        }
    }

    private var isFullRange: Bool {
        if unsafe buffer.pointer.pointee.color_range == AVCOL_RANGE_JPEG { return true }
        // Formats of their own for that, older than the field.
        let format = unsafe AVPixelFormat(rawValue: buffer.pointer.pointee.format)
        return [
            AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ440P,
            AV_PIX_FMT_YUVJ444P,
        ].contains(format)
    }

    private static func blacken(_ pixels: inout [UInt8]) {
        for alpha in Swift.stride(from: 3, to: pixels.count, by: 4) where pixels[alpha] < 255 {
            let part = Int(pixels[alpha])
            for index in alpha - 3..<alpha {
                pixels[index] = UInt8((Int(pixels[index]) * part + 127) / 255)
            }
            pixels[alpha] = 255
        }
    }
}
