internal import CFFmpeg
internal import UndertextCore

extension PacketBuffer {
    /// A copy of the packet that FFmpeg put in.
    func value(timeBase: TimeBase) -> Packet {
        let position = unsafe pointer.pointee.pos
        let duration = unsafe pointer.pointee.duration
        let pts = unsafe pointer.pointee.pts
        let dts = unsafe pointer.pointee.dts
        let flags = unsafe pointer.pointee.flags
        var data: [UInt8] = []
        if let bytes = unsafe pointer.pointee.data {
            data = unsafe copy(bytes, Int(pointer.pointee.size))
        }
        var sideData: [SideData] = []
        for index in 0..<(unsafe Int(pointer.pointee.side_data_elems)) {
            guard let element = unsafe pointer.pointee.side_data?[index],
                let bytes = unsafe element.data, let size = unsafe Int(exactly: element.size)
            else { continue }
            unsafe sideData.append(SideData(SideData.Kind(element.type), copy(bytes, size)))
        }
        return unsafe Packet(
            streamIndex: Int(pointer.pointee.stream_index), pts: known(pts), dts: known(dts),
            // Of subtitle files without ends libavformat says -1.
            duration: duration == 0 || duration == -1 ? nil : duration, timeBase: timeBase,
            isKey: flags & AV_PKT_FLAG_KEY != 0, isCorrupt: flags & AV_PKT_FLAG_CORRUPT != 0,
            position: position >= 0 ? UInt64(position) : nil, data: data, sideData: sideData)
    }

    /// Fills the packet with a copy of `packet`; an empty packet drains a decoder.
    func fill(_ packet: Packet, _ library: FFmpegLibrary) throws(UndertextError) {
        clear()
        let noMemory = UndertextError(.limit, "not enough memory for a packet")
        guard let size = Int32(exactly: packet.data.count), size < Int32.max - 1024,
            unsafe library.functions.pointee.av_new_packet(pointer, size) == 0,
            let target = unsafe pointer.pointee.data
        else { throw noMemory }
        unsafe packet.data.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(start: target, count: source.count)
                .copyMemory(from: source)
        }
        unsafe pointer.pointee.stream_index = Int32(clamping: packet.streamIndex)
        unsafe pointer.pointee.pts = packet.pts ?? cffmpeg_nopts
        unsafe pointer.pointee.dts = packet.dts ?? cffmpeg_nopts
        unsafe pointer.pointee.duration = packet.duration ?? 0
        unsafe pointer.pointee.pos = packet.position.flatMap { Int64(exactly: $0) } ?? -1
        unsafe pointer.pointee.flags = packet.isKey ? AV_PKT_FLAG_KEY : 0
        for element in packet.sideData {
            guard let type = element.kind.ffmpegType,
                let count = Int32(exactly: element.bytes.count), count < Int32.max - 1024,
                let target = unsafe cffmpeg_new_side_data(
                    library.functions, pointer, type, count)
            else { continue }
            unsafe element.bytes.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(start: target, count: source.count)
                    .copyMemory(from: source)
            }
        }
    }
}
