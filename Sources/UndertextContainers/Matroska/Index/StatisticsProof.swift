/// The frame counts that mkvmerge writes as tags, where they belong to this file.
///
/// Programs that copy a file's tracks often copy these tags as well; they count only if they name
/// the application and the date that the file itself names.
struct StatisticsProof: Sendable {
    private let frames: [UInt64: UInt64]

    init(info: SegmentInfo, tags: [SegmentTag]) {
        var frames: [UInt64: UInt64] = [:]
        if let app = info.writingApp, !app.isEmpty, let date = info.unixMicroseconds {
            let written = CalendarDate(unixMicroseconds: date).statisticsForm
            for tag in tags where tag.trackUID != 0 {
                guard tag.value("_STATISTICS_WRITING_APP") == app,
                    tag.value("_STATISTICS_WRITING_DATE_UTC") == written,
                    let count = tag.value("NUMBER_OF_FRAMES").flatMap({ UInt64($0) })
                else { continue }
                frames[tag.trackUID] = count
            }
        }
        self.frames = frames
    }

    /// The number of frames of a track; `nil` if no trustworthy tag states it.
    func frames(ofTrackUID uid: UInt64) -> UInt64? { frames[uid] }
}

extension SegmentTag {
    /// The value of that name in the tag.
    fileprivate func value(_ name: String) -> String? {
        values.last { $0.name == name }?.value
    }
}
