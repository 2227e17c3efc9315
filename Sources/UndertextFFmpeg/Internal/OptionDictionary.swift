internal import CFFmpeg

/// Sole owner of an `AVDictionary` of options.
@safe
struct OptionDictionary: ~Copyable {
    /// The dictionary; FFmpeg replaces it by what it did not use.
    var pointer: OpaquePointer?
    private let library: FFmpegLibrary

    init(_ library: FFmpegLibrary) {
        self.library = library
        unsafe pointer = nil
    }

    /// Sets an option, replacing an earlier value.
    mutating func set(_ key: String, _ value: String) {
        _ = unsafe library.functions.pointee.av_dict_set(&pointer, key, value, 0)
    }

    /// `true` if the option is still there: FFmpeg removes those it took.
    func contains(_ key: String) -> Bool {
        unsafe library.functions.pointee.av_dict_get(pointer, key, nil, AV_DICT_MATCH_CASE) != nil
    }

    deinit {
        var owned = unsafe pointer
        unsafe library.functions.pointee.av_dict_free(&owned)
    }
}
