internal import UndertextCore

extension SubtitleFormat {
    /// Teletext, EN 300 706, in transport streams as EN 300 472 has it.
    package static let teletext = SubtitleFormat(
        "teletext", title: "Teletext", codecs: [.teletext],
        decoder: { stream, _, diagnostics in
            TeletextDecoder(stream: stream, diagnostics: diagnostics)
        },
        randomAccess: { TeletextRandomAccess(page: TeletextPageAddress($0)) }, nativeName: "vtt")
}

/// The rule of teletext: a page that erases what was sent before needs nothing of it.
///
/// Pages are repeated while they are shown, so that only an empty page ends all that was shown before.
struct TeletextRandomAccess: RandomAccessRule {
    /// The page of the track; `nil` = any page of subtitles.
    let page: TeletextPageAddress?

    var isEveryPacketWhole: Bool { false }

    /// The packet's start; what it shows lasts until the page is sent again.
    func times(of packet: Packet) -> PacketTimes {
        PacketTimes(start: packet.start, end: nil, isFinal: false)
    }

    /// Looks for headers of the page, and for rows of its magazine.
    func role(of data: [UInt8]) -> PacketRole {
        var role = PacketRole(isRandomAccessPoint: false, shows: nil)
        var magazine = page?.magazine
        // Rows at the beginning may go on with what an earlier packet began.
        var isOurs = true
        for line in TeletextDataUnits(data).lines where magazine ?? line.magazine == line.magazine {
            switch line.row {
            case 0:
                let header = TeletextHeader(line)
                isOurs = header.page == page || page == nil && header.isSubtitle
                guard isOurs else { continue }
                magazine = line.magazine
                role.isRandomAccessPoint = header.erasesPage
                role.isAcquisitionPoint = false
                role.shows = !header.erasesPage
            case 1...24 where isOurs:
                role.shows = true
                role.isAcquisitionPoint = role.isAcquisitionPoint || role.isRandomAccessPoint
                role.isRandomAccessPoint = false
            default: break
            }
        }
        return role
    }
}
