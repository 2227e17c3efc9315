internal import UndertextCore

/// Appends segments as .sup files hold them: `PG`, PTS, DTS, type, size, payload.
struct PGSSegments {
    /// The kind of the display set of a composition.
    enum State: UInt8 {
        /// Changes what the epoch shows.
        case normal = 0x00
        /// Begins an epoch: nothing earlier counts.
        case epochStart = 0x80
    }

    private static let firstFragment = 0xFFE4
    private static let nextFragment = 0xFFEB

    private(set) var bytes: [UInt8] = []

    /// A presentation composition segment.
    mutating func composition(
        _ objects: [PGSScreen.Object], canvas: PixelSize, frameRate: FrameRate,
        number: UInt16, state: State, pts: Int64, dts: Int64
    ) {
        var payload: [UInt8] = []
        payload.appendBigEndian(UInt16(clamping: canvas.width))
        payload.appendBigEndian(UInt16(clamping: canvas.height))
        payload.append(frameRate.pgsCode)
        payload.appendBigEndian(number)
        // No palette update, palette 0.
        payload += [state.rawValue, 0, 0, UInt8(clamping: objects.count)]
        for (index, object) in objects.enumerated() {
            payload.appendBigEndian(UInt16(clamping: index))
            payload += [UInt8(clamping: object.window), object.isForced ? 0x40 : 0]
            payload.appendBigEndian(UInt16(clamping: object.image.x))
            payload.appendBigEndian(UInt16(clamping: object.image.y))
        }
        append(0x16, payload, pts: pts, dts: dts)
    }

    /// A window definition segment.
    mutating func windows(_ windows: [PixelRectangle], pts: Int64, dts: Int64) {
        var payload = [UInt8(clamping: windows.count)]
        for (index, window) in windows.enumerated() {
            payload.append(UInt8(clamping: index))
            for value in [window.x, window.y, window.width, window.height] {
                payload.appendBigEndian(UInt16(clamping: value))
            }
        }
        append(0x17, payload, pts: pts, dts: dts)
    }

    /// A palette definition segment: palette 0, version 0.
    mutating func palette(_ colors: [(color: LumaChroma, alpha: UInt8)], at time: Int64) {
        var payload: [UInt8] = [0, 0]
        for (index, entry) in colors.enumerated() {
            payload += [
                UInt8(clamping: index), entry.color.y, entry.color.cr, entry.color.cb, entry.alpha,
            ]
        }
        payload += [PGSScreen.clearIndex, 16, 128, 128, 0]
        append(0x14, payload, pts: time, dts: time)
    }

    /// The segments of an object, version 0.
    mutating func object(
        _ number: Int, width: Int, height: Int, data: [UInt8], pts: Int64, dts: Int64
    ) {
        var rest = data[...]
        var isFirst = true
        repeat {
            let part = rest.prefix(isFirst ? Self.firstFragment : Self.nextFragment)
            rest = rest.dropFirst(part.count)
            var payload: [UInt8] = []
            payload.reserveCapacity(part.count + 11)
            payload.appendBigEndian(UInt16(clamping: number))
            payload += [0, (isFirst ? 0x80 : 0) | (rest.isEmpty ? 0x40 : 0)]
            if isFirst {
                // 24 bits: the data and the four bytes of the size.
                let length = UInt32(clamping: data.count + 4)
                payload.append(UInt8(truncatingIfNeeded: length >> 16))
                payload.appendBigEndian(UInt16(truncatingIfNeeded: length))
                payload.appendBigEndian(UInt16(clamping: width))
                payload.appendBigEndian(UInt16(clamping: height))
            }
            payload += part
            append(0x15, payload, pts: pts, dts: dts)
            isFirst = false
        } while !rest.isEmpty
    }

    /// The end of a display set.
    mutating func end(at time: Int64) { append(0x80, [], pts: time, dts: time) }

    private mutating func append(_ type: UInt8, _ payload: [UInt8], pts: Int64, dts: Int64) {
        bytes += [0x50, 0x47]
        // 32 bits, which wrap after 13.25 hours.
        bytes.appendBigEndian(UInt32(truncatingIfNeeded: pts))
        bytes.appendBigEndian(UInt32(truncatingIfNeeded: dts))
        bytes.append(type)
        bytes.appendBigEndian(UInt16(clamping: payload.count))
        bytes += payload
    }
}
