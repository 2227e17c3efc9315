internal import CFFmpeg
internal import UndertextCore

/// The tags of an `AVDictionary`, in its order.
func metadata(_ dictionary: OpaquePointer?, _ library: FFmpegLibrary) -> [MetadataTag] {
    var tags: [MetadataTag] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = unsafe library.functions.pointee.av_dict_get(
        dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
    {
        unsafe entry = unsafe next
        guard let key = unsafe next.pointee.key, let value = unsafe next.pointee.value else {
            continue
        }
        unsafe tags.append(MetadataTag(String(cString: key), String(cString: value)))
    }
    return tags
}

extension [MetadataTag] {
    /// The value of the first tag of that name.
    func value(_ key: String) -> String? { first { $0.key == key }?.value }
}

/// A time of FFmpeg's, `nil` for `AV_NOPTS_VALUE`.
func known(_ time: Int64) -> Int64? { time == cffmpeg_nopts ? nil : time }
