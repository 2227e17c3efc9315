/*
 * undertext.h: the subtitles of media files, for players in C and C++.
 *
 * Undertext finds, decodes and draws text and bitmap subtitles: the tracks of a media file and separate subtitle
 * files. The library has three parts, which can be used independently:
 *
 *   undertext_media     an input: its subtitle tracks, the cues of a track in order (undertext_reader), all cues of a
 *                       track to change and encode (undertext_document), and extraction to files
 *   undertext_timeline  a set of cues: those shown at a time, and the times at which they change
 *   undertext_model     the subtitle state of a player: a list of subtitles, a selection for one or two places,
 *                       delays, and the cues shown now; undertext_renderer draws them as pixels
 *
 * Example
 * =======
 * Prints the text of the first subtitle track of a file:
 *
 *   #include <stdio.h>
 *   #include <undertext.h>
 *
 *   int main(int argc, char **argv)
 *   {
 *       undertext_error error = UNDERTEXT_INIT(undertext_error);
 *       undertext_track track = UNDERTEXT_INIT(undertext_track);
 *       undertext_media *media = NULL;
 *       undertext_reader *reader = NULL;
 *       undertext_cue *cue = NULL;
 *       if (argc != 2) {
 *           fprintf(stderr, "usage: %s FILE\n", argv[0]);
 *           return 2;
 *       }
 *       undertext_status status = undertext_media_open(argv[1], NULL, &media, &error);
 *       if (status == UNDERTEXT_STATUS_OK && undertext_media_track(media, 0, &track) == UNDERTEXT_STATUS_OK)
 *           status = undertext_reader_open(
 *               media, track.stream, UNDERTEXT_NO_TIME, UNDERTEXT_NO_TIME, &reader, &error);
 *       else if (status == UNDERTEXT_STATUS_OK)
 *           printf("no subtitles\n");
 *       while (reader != NULL
 *              && (status = undertext_reader_next(reader, &cue, &error)) == UNDERTEXT_STATUS_OK) {
 *           undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
 *           undertext_cue_get(cue, &info);
 *           printf("%.3f %s\n", (double)info.start / 1e9, info.text != NULL ? info.text : "(image)");
 *           undertext_cue_free(cue);
 *       }
 *       if (status < 0)
 *           fprintf(stderr, "%s\n", error.message);
 *       undertext_reader_free(reader);
 *       undertext_media_free(media);
 *       return status < 0;
 *   }
 *
 * Handles and memory
 * ==================
 * A handle is a pointer to an opaque type. The function that creates it transfers ownership to the caller, who
 * frees it with the function named in the documentation of its type. Handles may be freed in any order: a handle
 * keeps what it depends on alive. Functions that return a handle through a pointer set it to NULL on failure,
 * unless documented otherwise.
 *
 * Every function accepts NULL handles. Functions that return an undertext_status then return
 * UNDERTEXT_STATUS_INVALID_ARGUMENT; others do nothing and return 0, `false`, NULL or UNDERTEXT_NO_TIME. Other invalid
 * pointers, freed handles and handles of the wrong type are undefined behavior.
 *
 * Strings and pixels that the library returns as pointers to const belong to a handle, and the caller must not free
 * them. They stay valid until that handle is freed, or for as long as the function documents. Strings, structs and
 * arrays that the caller passes in are copied, and need to be valid during the call only. The library keeps its own
 * references to handles that the caller passes in.
 *
 * Structs
 * =======
 * Structs that have a `size` member grow at their end in later versions. Initialize them with UNDERTEXT_INIT, which
 * sets `size` to their size in bytes and everything else, including `reserved` members, to 0. Only the first `size`
 * bytes are read or written, so programs and libraries of different versions work together. A `size` less than
 * sizeof(size_t) is UNDERTEXT_STATUS_INVALID_ARGUMENT; an undertext_error with such a size is ignored. A function that
 * fails leaves its output structs unchanged, except for undertext_error.
 *
 * Members that hold a value of an enum are int32_t. Later versions may add values to enums.
 *
 * Strings
 * =======
 * Strings are UTF-8 and end with a zero byte. In strings that the library returns, U+FFFD replaces zero bytes; in
 * strings that are passed in, it replaces invalid UTF-8. Strings from files (names, titles, texts) are untrusted.
 *
 * An `input` is a URL if it begins with a scheme and `://`, the standard input if it is `-`, and a path otherwise.
 * The standard input and named pipes can be read only once. They suit one undertext_reader, but not a model, which
 * opens an input when it is added and again when it is selected. Other inputs can be read with functions of the caller:
 * undertext_io.
 *
 * Times
 * =====
 * Times and durations are nanoseconds in an int64_t. Times are on the clock of a player: the media file begins at 0.
 * A cue is shown from its start up to, but not including, its end. Arithmetic on times saturates.
 *
 * Errors
 * ======
 * Functions that can fail for a reason outside of the program return an undertext_status and take an
 * undertext_error, which may be NULL. A negative status is a failure. On return `error->status` is the returned
 * status, and `error->message` is a message for people: it contains the path or URL, and is empty after success.
 * An undertext_error belongs to the caller and stays unchanged until the caller passes it in again. Functions without
 * an undertext_error have only the documented failures, and no message.
 *
 * *Input failures* are the failures of reading a file or URL: UNDERTEXT_STATUS_NOT_FOUND, UNDERTEXT_STATUS_PERMISSION,
 * UNDERTEXT_STATUS_MALFORMED, UNDERTEXT_STATUS_IO, UNDERTEXT_STATUS_UNSUPPORTED, UNDERTEXT_STATUS_MISSING_LIBRARY,
 * UNDERTEXT_STATUS_LIMIT, UNDERTEXT_STATUS_CANCELLED, UNDERTEXT_STATUS_TIMEOUT, UNDERTEXT_STATUS_REFUSED,
 * UNDERTEXT_STATUS_ENCRYPTED and UNDERTEXT_STATUS_FAILED.
 *
 * Damage that affects only a part of an input is not a failure but a diagnostic, a line of text:
 * undertext_reader_diagnostic, undertext_list_warning, undertext_renderer_diagnostic. Its form is
 * `SEVERITY: MESSAGE, at TIME [CODE]`, the time only if known; SEVERITY is `info`, `warning` or `error`.
 *
 * Threads
 * =======
 * No function depends on the thread that calls it. The library calls back only functions that the caller passes in
 * undertext_io, undertext_text_hook and undertext_model_set_wakeup(), on any thread; their documentation states what
 * they may do. The documentation of each function states one of these rules:
 *
 *   any thread     may be called at any time, also while other threads use the same handle
 *   one thread     only one call at a time may use the handle; the caller must synchronize threads that share it
 *
 * A media, its readers, and the undertext_timeline_read calls with it count as one handle for `one thread`. Different
 * handles are independent: a renderer and its model may be used on different threads at the same time.
 * A handle, or a reference to a cue, may be freed by any thread when no call uses it any more.
 *
 * Process
 * =======
 * The library installs no signal handlers and does not change the locale, allocation limits or log callbacks, except
 * for undertext_silence_ffmpeg. It prints nothing. FFmpeg has one log for the entire process, which goes to standard
 * error by default; av_log_set_callback, av_log_set_level or undertext_silence_ffmpeg change that. FFmpeg, libass,
 * libcurl and libuchardet are loaded at their first use; if one is missing, the error or warning names its package.
 * The library is linked with libdeflate, libpng, libexpat and libstdc++, which must be installed.
 *
 * Versions and ABI
 * ================
 * Within a major version, functions, enumerators and members of structs are only added, also before 1.0.0. Symbols have
 * the version UNDERTEXT_0, and the soname is libundertext.so.0. Enums are passed as int and a bool is a byte: programs
 * must not be compiled with -fshort-enums.
 */
#ifndef UNDERTEXT_H
#define UNDERTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this header; undertext_version() returns that of the library. */
#define UNDERTEXT_VERSION_MAJOR 0
#define UNDERTEXT_VERSION_MINOR 9
#define UNDERTEXT_VERSION_PATCH 0

/* Checks at compile time that enums and bool have the sizes with which the library was built. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define UNDERTEXT_CHECK(condition, message) static_assert(condition, message)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define UNDERTEXT_CHECK(condition, message) _Static_assert(condition, message)
#else
#define UNDERTEXT_CHECK(condition, message) typedef char undertext_check[(condition) ? 1 : -1]
#endif

/**
 * No time.
 *
 * As a result: unknown, or no such time. As a limit of a time range: the beginning or the end of the track.
 */
#define UNDERTEXT_NO_TIME INT64_MIN

/**
 * The initial value of a struct with a `size` member: `undertext_error error = UNDERTEXT_INIT(undertext_error);`
 *
 * In C this is an initializer for a declaration, in C++ an expression. To assign it in C, use a compound literal:
 * `error = (undertext_error)UNDERTEXT_INIT(undertext_error);`
 */
#ifdef __cplusplus
#define UNDERTEXT_INIT(type) undertext_sized<type>()
#else
#define UNDERTEXT_INIT(type) { .size = sizeof(type) }
#endif

/* -------------------------------------------------------------------------------------------- library */

/**
 * Returns the version of the library, such as "0.9.0".
 *
 * Threads: any thread.
 *
 * @return a string that stays valid until the process ends; never NULL.
 */
const char *undertext_version(void);

/** Parts of the library that a build may lack. */
typedef enum undertext_feature {
    /** Drawing of subtitles: undertext_renderer. */
    UNDERTEXT_FEATURE_RENDERING = 1
} undertext_feature;

/**
 * Returns whether this build contains a feature.
 *
 * Functions of a missing feature return UNDERTEXT_STATUS_UNSUPPORTED. A feature that is present may still need a shared
 * library that is not installed: its functions then return UNDERTEXT_STATUS_MISSING_LIBRARY.
 *
 * Threads: any thread.
 *
 * @param feature the feature.
 * @return `true` if the build contains the feature; `false` also for unknown values.
 */
bool undertext_has(undertext_feature feature);

UNDERTEXT_CHECK(
    sizeof(undertext_feature) == sizeof(int) && sizeof(bool) == 1,
    "libundertext was built without -fshort-enums");

/**
 * Replaces FFmpeg's log callback, so that FFmpeg prints nothing; its last error message on the failing thread
 * becomes part of undertext_error.message instead.
 *
 * This changes the state of the process and cannot be undone with this library: it replaces a callback that the
 * program set with av_log_set_callback. A library that does not own the process must not call it. The call does not
 * load FFmpeg; if FFmpeg is not loaded yet, the callback is replaced when it is.
 *
 * Threads: any thread.
 */
void undertext_silence_ffmpeg(void);

/** The result of a call; negative values are failures. */
typedef enum undertext_status {
    /** The call succeeded. */
    UNDERTEXT_STATUS_OK = 0,
    /** There are no more items; not a failure. */
    UNDERTEXT_STATUS_END = 1,
    /** An argument is invalid, such as a NULL handle, a struct without its size, or an unknown charset. */
    UNDERTEXT_STATUS_INVALID_ARGUMENT = -1,
    /** The file, URL, stream, index or identifier does not exist. */
    UNDERTEXT_STATUS_NOT_FOUND = -2,
    /** The system or a server denied access. */
    UNDERTEXT_STATUS_PERMISSION = -3,
    /** The input is empty, a directory, not a media file, or damaged beyond what can be skipped. */
    UNDERTEXT_STATUS_MALFORMED = -4,
    /** Reading failed, or a server could not be reached. */
    UNDERTEXT_STATUS_IO = -5,
    /** This build or this version of the library does not support it, such as a codec without a decoder. */
    UNDERTEXT_STATUS_UNSUPPORTED = -6,
    /** A shared library is not installed; the message names its package. */
    UNDERTEXT_STATUS_MISSING_LIBRARY = -7,
    /** A size exceeds a limit. */
    UNDERTEXT_STATUS_LIMIT = -8,
    /** undertext_cancellation_cancel or undertext_model_cancel was called. */
    UNDERTEXT_STATUS_CANCELLED = -9,
    /** A server did not respond in time. */
    UNDERTEXT_STATUS_TIMEOUT = -10,
    /** The input refers to a file or URL that the caller did not open, or a server refused the request. */
    UNDERTEXT_STATUS_REFUSED = -11,
    /** The content is encrypted. */
    UNDERTEXT_STATUS_ENCRYPTED = -12,
    /** Another failure. */
    UNDERTEXT_STATUS_FAILED = -100
} undertext_status;

/** An output struct for the failure of a call; see "Errors" above. */
typedef struct undertext_error {
    /** sizeof(undertext_error). */
    size_t size;
    /** The undertext_status that the function returned. */
    int32_t status;
    /**
     * The message, with the path or URL of the input but without passwords of URLs; empty after success. Longer
     * messages are truncated at a character boundary.
     */
    char message[1024];
    uint32_t reserved;
    /**
     * The name of the failure for programs, such as "not-found", "charset" or "output-exists"; finer than `status`, and
     * an open set. Empty after success.
     */
    char code[32];
    /**
     * An action that may help, for programs; empty if none is known. `NAME`, or `NAME SETTING,…`, or
     * `NAME SETTING,… VALUE,…`, such as "set charset" (set it), "set tracks 2,text" (to one of these values),
     * "omit input-format" (leave it out) and "replace-outputs". Names and settings are open sets. Longer lists of
     * values are truncated.
     */
    char remedy[256];
} undertext_error;

/**
 * A flag that stops calls on other threads; free it with undertext_cancellation_free().
 *
 * It is passed in undertext_media_options or undertext_model_options.
 */
typedef struct undertext_cancellation undertext_cancellation;

/**
 * Creates a cancellation.
 *
 * Threads: any thread.
 *
 * @return the handle, which the caller frees; never NULL.
 */
undertext_cancellation *undertext_cancellation_create(void);

/**
 * Sets the flag: media and models with this cancellation stop reading as soon as possible, and running and later
 * calls that read fail with UNDERTEXT_STATUS_CANCELLED. The flag cannot be reset.
 *
 * Threads: any thread.
 *
 * @param cancellation the cancellation; NULL does nothing.
 */
void undertext_cancellation_cancel(undertext_cancellation *cancellation);

/**
 * Frees a cancellation without setting its flag; media and models with this cancellation continue.
 *
 * Threads: any thread, when no call uses this pointer any more.
 *
 * @param cancellation the handle; NULL does nothing.
 */
void undertext_cancellation_free(undertext_cancellation *cancellation);

/* ---------------------------------------------------------------------------------------------- media */

/**
 * An open input: a media file or a subtitle file; free it with undertext_media_free().
 *
 * Only one thread at a time may use a media and its readers.
 */
typedef struct undertext_media undertext_media;

/** A text before it is parsed; it is valid only during the call of an undertext_text_hook, on that thread. */
typedef struct undertext_text undertext_text;

/** An output struct for a text before it is parsed. */
typedef struct undertext_text_info {
    /** sizeof(undertext_text_info). */
    size_t size;
    /** The text with its markup as it is stored, in UTF-8; never NULL. */
    const char *text;
    /** The name of the codec, such as "subrip", "webvtt" or "ttml", by which the markup is known; never NULL. */
    const char *codec;
    /** The path or URL of the input, or its name in undertext_io; URLs are without secrets. Never NULL. */
    const char *source;
    /** The URL of the segment of an HLS or DASH presentation without secrets, or NULL for other inputs. */
    const char *segment;
    /** `true` if the text is a whole subtitle file; `false` if it is one packet of a track. */
    bool is_file;
    uint8_t reserved[7];
} undertext_text_info;

/**
 * A function that may change text before it is parsed: spellings, advertisements, markup of a dialect.
 *
 * It is called each time a subtitle file or a packet of a track is read, which may be several times; the same text must
 * get the same result. A packet is a text, a sample of an MP4 track, a TTML document or a cue of a segment.
 * Captions that are codes rather than text (CEA-608, CEA-708, teletext, EBU STL) and text
 * in images have no such form. It may call undertext_text_get() and undertext_text_replace(), and no function with the
 * media or model that reads the text.
 */
typedef void (*undertext_text_hook)(void *context, undertext_text *text);

/**
 * Describes a text before it is parsed.
 *
 * Threads: one thread, that of the hook.
 *
 * @param text the text.
 * @param info receives the description, as the text was before undertext_text_replace(); not NULL. Its strings are
 *             valid until the hook returns.
 * @return UNDERTEXT_STATUS_OK, or UNDERTEXT_STATUS_INVALID_ARGUMENT if `text` or `info` is NULL or the size of `info`
 *         is not set.
 */
undertext_status undertext_text_get(const undertext_text *text, undertext_text_info *info);

/**
 * Replaces a text before it is parsed.
 *
 * Threads: one thread, that of the hook.
 *
 * @param text        the text.
 * @param replacement the new text with the markup of its codec, which is copied; not NULL. The last call counts.
 * @return UNDERTEXT_STATUS_OK, or UNDERTEXT_STATUS_INVALID_ARGUMENT if `text` or `replacement` is NULL.
 */
undertext_status undertext_text_replace(undertext_text *text, const char *replacement);

/** The options of undertext_media_open(); 0 and NULL are the defaults. */
typedef struct undertext_media_options {
    /** sizeof(undertext_media_options). */
    size_t size;
    /**
     * The cancellation of opening and of all later reading, or NULL. The media keeps a reference; the caller still
     * frees the handle.
     */
    undertext_cancellation *cancellation;
    /** The charset of text by its name in iconv, such as "windows-1252", or NULL to detect it. */
    const char *charset;
    /** `true` to keep times as they are stored; `false` to make the media file begin at 0. */
    bool source_times;
    uint8_t reserved[7];
    /** The user agent of HTTP requests, or NULL for "undertext". */
    const char *user_agent;
    /**
     * The time in nanoseconds for which a live presentation is followed, also in undertext_reader_next(); 0 to read
     * up to its live edge. Values that are not positive mean 0.
     */
    int64_t live_duration;
    /**
     * Changes text before it is parsed, or NULL. It is called on the threads that call functions with the media and its
     * readers.
     */
    undertext_text_hook text_hook;
    /** A pointer for `text_hook`; it belongs to the caller, who keeps it valid as long as `text_hook` may be called. */
    void *text_hook_context;
    /**
     * The format that the input must have, such as "srt" (the names of `undertext convert --from`), or NULL for any.
     * Text is then read as that format, without recognition.
     */
    const char *input_format;
    /** The BCP 47 or ISO 639 language of subtitles that do not state theirs, or NULL for that in the file name. */
    const char *language;
    /**
     * The frame rate of text files whose times are frames, such as "25", "23.976" or "24000/1001", or NULL for that in
     * the file.
     */
    const char *frame_rate;
} undertext_media_options;

/**
 * Opens an input and reads its headers.
 *
 * Blocks until the headers are read; the cancellation of `options` stops it. A damaged file may open without tracks;
 * undertext_media_json() then reports the reason.
 *
 * Threads: any thread.
 *
 * @param input   the path or URL; not NULL.
 * @param options the options, or NULL for the defaults.
 * @param media   receives the handle, which the caller frees, or NULL on failure; not NULL.
 * @param error   receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if `input` or `media` is NULL, the size of `options`
 *         is not set, iconv does not know the charset, or another option has no valid value; UNDERTEXT_STATUS_NOT_FOUND
 *         if `input` is empty; or another input failure.
 */
undertext_status undertext_media_open(
    const char *input, const undertext_media_options *options, undertext_media **media,
    undertext_error *error);

/**
 * Functions of the caller that read an input, such as a member of an archive, a decrypted file or a cache.
 *
 * They are called by one thread at a time, on any thread, and not after `close`. They may block. They must not call
 * functions of this library with the media or the model that reads the input, except undertext_cancellation_cancel()
 * and undertext_model_cancel().
 *
 * Everything that they return is untrusted: an end before the stated size is a failure if that part is read.
 * Files that refer to others (`.idx`, playlists, BDN XML) cannot be read this way.
 */
typedef struct undertext_io {
    /** sizeof(undertext_io). */
    size_t size;
    /** A pointer for the functions; the library passes it on. */
    void *context;
    /**
     * The name in messages and identifiers, such as "movie.mkv"; nothing is opened by it. NULL for "source". Inputs of
     * a model need different names.
     */
    const char *name;
    /**
     * Reads at most `count` bytes, at least 1, from the current position and moves it by that number.
     *
     * Returns the number of bytes that were stored in `buffer`, 0 at the end, or a negative value for a failure, which
     * ends the reading: UNDERTEXT_STATUS_CANCELLED is kept, all others become UNDERTEXT_STATUS_IO. Not NULL.
     */
    int64_t (*read)(void *context, uint8_t *buffer, size_t count);
    /**
     * Moves the position to `offset` bytes from the beginning, less than the size, and returns it, or a negative value
     * for a failure, as `read` does. The position is 0 at first. Not NULL.
     */
    int64_t (*seek)(void *context, int64_t offset);
    /**
     * Returns the number of bytes of the input, or a negative value if it is unknown; such inputs cannot be opened
     * (UNDERTEXT_STATUS_UNSUPPORTED). Called once. Not NULL.
     */
    int64_t (*get_size)(void *context);
    /**
     * Called once when nothing reads the input any more, on any thread, also if opening failed, but not if the function
     * that got this struct returned UNDERTEXT_STATUS_INVALID_ARGUMENT. NULL if there is nothing to do.
     */
    void (*close)(void *context);
} undertext_io;

/**
 * Opens an input that functions of the caller read, as undertext_media_open().
 *
 * Blocks until the headers are read; the cancellation of `options` stops it as soon as undertext_io.read returns.
 *
 * Threads: any thread. The functions are called on the threads that call functions with the media and its readers.
 *
 * @param io      the functions; not NULL. The struct is copied; its `context` must stay valid until undertext_io.close.
 * @param options the options, or NULL for the defaults.
 * @param media   receives the handle, which the caller frees, or NULL on failure; not NULL.
 * @param error   receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if `io` or `media` is NULL, the size of `io` or
 *         `options` is not set, a function of `io` is missing, iconv does not know the charset, or another option has no
 *         valid value; or an input failure.
 */
undertext_status undertext_media_open_io(
    const undertext_io *io, const undertext_media_options *options, undertext_media **media,
    undertext_error *error);

/**
 * Frees a media; its readers, timelines and cues stay usable.
 *
 * Threads: one thread.
 *
 * @param media the handle; NULL does nothing.
 */
void undertext_media_free(undertext_media *media);

/**
 * Returns the description of the input as JSON, as `undertext probe --json` prints it, but without line breaks.
 *
 * The first call may load FFmpeg and read the input, and blocks until that is done.
 *
 * Threads: one thread.
 *
 * @param media the media.
 * @return a string that belongs to `media`, or NULL if `media` is NULL. If the input cannot be described, the string
 *         is a JSON object with the failure.
 */
const char *undertext_media_json(undertext_media *media);

/** The type of a stream that undertext_media_select_language() selects. */
typedef enum undertext_stream_type {
    /** Audio. */
    UNDERTEXT_STREAM_TYPE_AUDIO = 1,
    /** Subtitles. */
    UNDERTEXT_STREAM_TYPE_TEXT = 2
} undertext_stream_type;

/**
 * Selects the audio or the subtitles by language; "content" of undertext_media_json() has the result.
 *
 * The selection decides which renditions of an HLS or DASH presentation readers open from now on; open readers do not
 * change. Of other inputs, it changes the description only. Default streams come before others.
 *
 * The first call may load FFmpeg and read the input, and blocks until that is done.
 *
 * Threads: one thread.
 *
 * @param media    the media.
 * @param type     the type of the stream.
 * @param language a BCP 47 tag or an ISO 639-2 code, which also matches narrower ones, "en" also "en-US"; NULL for none.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if no stream has the language;
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `media` is NULL, `type` is unknown, or `language` is no language. Nothing
 *         has changed on failure.
 */
undertext_status undertext_media_select_language(
    undertext_media *media, undertext_stream_type type, const char *language, undertext_error *error);

/** The kind of a subtitle track or cue. */
typedef enum undertext_kind {
    /** Text. */
    UNDERTEXT_KIND_TEXT = 1,
    /** Images. */
    UNDERTEXT_KIND_BITMAP = 2
} undertext_kind;

/** An output struct for a subtitle track. */
typedef struct undertext_track {
    /** sizeof(undertext_track). */
    size_t size;
    /**
     * The index of the stream in the input; the `stream` parameter of other functions. Captions within a video stream
     * and pages of teletext have indices after those of the streams of the container.
     */
    int32_t stream;
    /** The kind of the cues: an undertext_kind. */
    int32_t kind;
    /** The name of the codec, such as "subrip" or "hdmv_pgs_subtitle"; never NULL. */
    const char *codec;
    /** The BCP 47 language tag, such as "en" or "pt-BR", or NULL if unknown. */
    const char *language;
    /** The title from the file, or NULL if there is none. */
    const char *title;
    /** `true` if the track is shown even when subtitles are off. */
    bool is_forced;
    /** `true` if the track is for the deaf and hard of hearing. */
    bool is_hearing_impaired;
    /** `true` if the container marks the track as a default. */
    bool is_default;
    /** `true` if the track is a commentary. */
    bool is_commentary;
    /** `true` if there is a decoder for the codec. */
    bool is_decodable;
    uint8_t reserved[3];
    /** The size of the canvas of images in pixels; 0 if the container does not state it. */
    uint32_t width, height;
} undertext_track;

/**
 * Returns the number of subtitle tracks.
 *
 * Threads: one thread.
 *
 * @param media the media.
 * @return the number; 0 if `media` is NULL.
 */
size_t undertext_media_track_count(const undertext_media *media);

/**
 * Describes a subtitle track.
 *
 * Threads: one thread.
 *
 * @param media the media.
 * @param index the index among the subtitle tracks, from 0; not the index of the stream.
 * @param track receives the description; not NULL. Its strings belong to `media`.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if `index` is not less than the number of tracks; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `media` or `track` is NULL or the size of `track` is not set.
 */
undertext_status undertext_media_track(
    const undertext_media *media, size_t index, undertext_track *track);

/* ----------------------------------------------------------------------------------------------- cues */

/**
 * A text, or images, with a start and an end; each reference is freed with undertext_cue_free().
 *
 * A cue never changes, does not depend on the handle that it came from, and can be used by any thread.
 */
typedef struct undertext_cue undertext_cue;

/** An output struct for a cue. */
typedef struct undertext_cue_info {
    /** sizeof(undertext_cue_info). */
    size_t size;
    /** The times at which the cue appears and disappears, in nanoseconds; `end` is not included. */
    int64_t start, end;
    /** The kind of the content: an undertext_kind. */
    int32_t kind;
    /** The layer: cues with higher values are drawn on top. */
    int32_t layer;
    /** `true` if the cue is shown even when subtitles are off. */
    bool is_forced;
    uint8_t reserved[7];
    /** The text without styles, its lines separated by line feeds, which may be empty; NULL for images. */
    const char *text;
    /** The text as WebVTT cue text, with tags and the default color classes of WebVTT; NULL for images. */
    const char *webvtt;
    /** The WebVTT cue settings, such as "line:0 align:left", "" for the default position; NULL for images. */
    const char *settings;
    /** The number of images; 0 for text. */
    size_t image_count;
    /** The size of the canvas of the images in pixels; 0 if unknown, and for text. */
    uint32_t canvas_width, canvas_height;
} undertext_cue_info;

/** An output struct for an image of a cue. */
typedef struct undertext_image {
    /** sizeof(undertext_image). */
    size_t size;
    /** The position of the top left corner on the canvas in pixels. */
    int32_t x, y;
    /** The size in pixels. */
    uint32_t width, height;
    /** The number of bytes per row. */
    size_t stride;
    /** The pixels, `height` rows of `stride` bytes: R, G, B, A with straight alpha. They belong to the cue. */
    const uint8_t *pixels;
} undertext_image;

/**
 * Describes a cue.
 *
 * The first call creates the strings.
 *
 * Threads: any thread.
 *
 * @param cue  the cue.
 * @param info receives the description; not NULL. Its strings are valid until the last reference to `cue` is freed.
 * @return UNDERTEXT_STATUS_OK, or UNDERTEXT_STATUS_INVALID_ARGUMENT if `cue` or `info` is NULL or the size of `info` is
 *         not set.
 */
undertext_status undertext_cue_get(const undertext_cue *cue, undertext_cue_info *info);

/**
 * Returns an image of a cue.
 *
 * The first call for an image creates its pixels.
 *
 * Threads: any thread.
 *
 * @param cue   the cue.
 * @param index the index of the image, from 0.
 * @param image receives the image; not NULL. Its pixels are valid until the last reference to `cue` is freed.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if `index` is not less than the number of images; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `cue` or `image` is NULL or the size of `image` is not set.
 */
undertext_status undertext_cue_image(
    const undertext_cue *cue, size_t index, undertext_image *image);

/**
 * Adds a reference to a cue.
 *
 * Threads: any thread.
 *
 * @param cue the cue.
 * @return `cue`, whose new reference the caller frees; NULL if `cue` is NULL.
 */
undertext_cue *undertext_cue_retain(undertext_cue *cue);

/**
 * Frees a reference to a cue; the last one frees the cue.
 *
 * Threads: any thread, when no call uses this reference any more.
 *
 * @param cue the cue; NULL does nothing.
 */
void undertext_cue_free(undertext_cue *cue);

/**
 * A reader of the cues of a track; free it with undertext_reader_free().
 *
 * Only one thread at a time may use a reader, its media, and other readers of the media.
 */
typedef struct undertext_reader undertext_reader;

/**
 * Opens a reader for the cues of a track.
 *
 * The reader reads only what it needs: if the file has an index of the track, a few kilobytes per cue. Opening may
 * read from the input and blocks meanwhile; the cancellation of the media stops it.
 *
 * Threads: one thread for `media`.
 *
 * @param media  the media.
 * @param stream the index of the stream: undertext_track.stream.
 * @param from   the time from which cues are returned, including cues that are shown then and began before;
 *               UNDERTEXT_NO_TIME for the beginning.
 * @param to     the time before which returned cues begin; UNDERTEXT_NO_TIME for the end. A time that is not after
 *               `from` is no failure: at most cues that begin before `to` and are still shown at `from` are returned.
 * @param reader receives the handle, which the caller frees, or NULL on failure; not NULL.
 * @param error  receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if `media` or `reader` is NULL;
 *         UNDERTEXT_STATUS_NOT_FOUND if there is no such subtitle stream; UNDERTEXT_STATUS_UNSUPPORTED if there is no
 *         decoder for it; or another input failure.
 */
undertext_status undertext_reader_open(
    undertext_media *media, int32_t stream, int64_t from, int64_t to, undertext_reader **reader,
    undertext_error *error);

/**
 * Reads the next cue.
 *
 * Cues are returned in the order of their starts, except where a file stores text out of order. A cue is returned
 * when its end is known. Blocks while reading; the cancellation of the media stops it.
 *
 * Threads: one thread.
 *
 * @param reader the reader.
 * @param cue    receives a cue, which the caller frees with undertext_cue_free(), or NULL at the end and on failure;
 *               not NULL.
 * @param error  receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_END after the last cue; UNDERTEXT_STATUS_INVALID_ARGUMENT if `reader`
 *         or `cue` is NULL; or an input failure, after which the reader should be freed.
 */
undertext_status undertext_reader_next(
    undertext_reader *reader, undertext_cue **cue, undertext_error *error);

/**
 * Returns the next diagnostic of reading: something that was lost, repaired or is doubtful.
 *
 * Each diagnostic is returned once, also after the reader failed; diagnostics that are not taken are freed with the
 * reader.
 *
 * Threads: one thread.
 *
 * @param reader  the reader.
 * @param message receives a line that is valid until the next call of this function with `reader`, or until `reader`
 *                is freed; NULL if there is none. Not NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_END if there are no more diagnostics now; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `reader` or `message` is NULL.
 */
undertext_status undertext_reader_diagnostic(undertext_reader *reader, const char **message);

/**
 * Frees a reader; its media and the cues that it returned stay usable.
 *
 * Threads: one thread.
 *
 * @param reader the handle; NULL does nothing.
 */
void undertext_reader_free(undertext_reader *reader);

/* ------------------------------------------------------------------------------------------- timeline */

/**
 * A set of cues, indexed by time; free it with undertext_timeline_free().
 *
 * Only one thread at a time may use a timeline.
 */
typedef struct undertext_timeline undertext_timeline;

/**
 * Creates an empty timeline.
 *
 * Threads: any thread.
 *
 * @return the handle, which the caller frees; never NULL.
 */
undertext_timeline *undertext_timeline_create(void);

/**
 * Reads all cues of a track into a new timeline.
 *
 * Blocks while reading; the cancellation of the media stops it. The diagnostics of reading are dropped; use an
 * undertext_reader and undertext_timeline_add() to get them.
 *
 * Threads: one thread for `media`.
 *
 * @param media    the media.
 * @param stream   the index of the stream: undertext_track.stream.
 * @param timeline receives the handle, which the caller frees. On failure it receives a timeline of the cues that
 *                 were read before, which the caller frees, too, or NULL if there are none. Not NULL.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK, also if the track has no cues; UNDERTEXT_STATUS_INVALID_ARGUMENT if `media` or
 *         `timeline` is NULL; UNDERTEXT_STATUS_NOT_FOUND if there is no such subtitle stream;
 *         UNDERTEXT_STATUS_UNSUPPORTED if there is no decoder for it; or another input failure.
 */
undertext_status undertext_timeline_read(
    undertext_media *media, int32_t stream, undertext_timeline **timeline, undertext_error *error);

/**
 * Adds a cue, in any order.
 *
 * Ignores a cue that is equal to one of the timeline, and a cue that ends at or before its start.
 *
 * Threads: one thread.
 *
 * @param timeline the timeline.
 * @param cue      the cue; the caller keeps its reference. NULL does nothing.
 */
void undertext_timeline_add(undertext_timeline *timeline, const undertext_cue *cue);

/**
 * Returns the number of cues.
 *
 * Threads: one thread.
 *
 * @param timeline the timeline.
 * @return the number; 0 if `timeline` is NULL.
 */
size_t undertext_timeline_count(const undertext_timeline *timeline);

/**
 * Returns the cues that are shown at a time, in drawing order: by layer, then by start.
 *
 * Threads: one thread.
 *
 * @param timeline the timeline.
 * @param time     the time in nanoseconds.
 * @param cues     receives the first cues, at most `capacity`, each a new reference that the caller frees with
 *                 undertext_cue_free(). The same cue may have another address than when it was added. NULL to get
 *                 only the number.
 * @param capacity the number of elements of `cues`; further elements stay unchanged. Ignored if `cues` is NULL.
 * @return the number of cues that are shown, which may exceed `capacity`.
 */
size_t undertext_timeline_at(
    const undertext_timeline *timeline, int64_t time, undertext_cue **cues, size_t capacity);

/**
 * Returns the first time after a time at which the shown cues change.
 *
 * Threads: one thread.
 *
 * @param timeline the timeline.
 * @param time     the time in nanoseconds.
 * @return the time in nanoseconds, or UNDERTEXT_NO_TIME if there is no later change.
 */
int64_t undertext_timeline_next_change(const undertext_timeline *timeline, int64_t time);

/**
 * Returns the last time before a time at which the shown cues changed.
 *
 * Threads: one thread.
 *
 * @param timeline the timeline.
 * @param time     the time in nanoseconds.
 * @return the time in nanoseconds, or UNDERTEXT_NO_TIME if there is no earlier change.
 */
int64_t undertext_timeline_previous_change(const undertext_timeline *timeline, int64_t time);

/**
 * Returns a counter that changes if and only if the cues of the timeline change.
 *
 * Threads: one thread.
 *
 * @param timeline the timeline.
 * @return the counter; 0 if `timeline` is NULL.
 */
uint64_t undertext_timeline_generation(const undertext_timeline *timeline);

/**
 * Removes the cues that end at or before a time.
 *
 * Threads: one thread.
 *
 * @param timeline the timeline.
 * @param before   the time in nanoseconds.
 */
void undertext_timeline_discard(undertext_timeline *timeline, int64_t before);

/**
 * Frees a timeline; cues that it returned stay valid.
 *
 * Threads: one thread.
 *
 * @param timeline the handle; NULL does nothing.
 */
void undertext_timeline_free(undertext_timeline *timeline);

/* ------------------------------------------------------------------------------------------ documents */

/**
 * Creates a cue of text.
 *
 * Threads: any thread.
 *
 * @param start    the time at which the cue appears, in nanoseconds.
 * @param end      the time at which it disappears; later than `start`.
 * @param webvtt   the text as WebVTT cue text, `&amp;`, `&lt;` and `&gt;` for `&`, `<` and `>`; not NULL.
 * @param settings the WebVTT cue settings, such as "line:0 align:left", of which invalid ones are ignored; or NULL for
 *                 the default position.
 * @return the cue, which the caller frees with undertext_cue_free(); NULL if `webvtt` is NULL, a time is
 *         UNDERTEXT_NO_TIME, or `end` is not later than `start`.
 */
undertext_cue *undertext_cue_create(
    int64_t start, int64_t end, const char *webvtt, const char *settings);

/**
 * Returns a copy of a cue with other times. Its text or images, styles and layout stay; times within the text, as of
 * karaoke, keep their proportion.
 *
 * Threads: any thread.
 *
 * @param cue   the cue.
 * @param start the time at which the copy appears, in nanoseconds.
 * @param end   the time at which it disappears; later than `start`.
 * @return the copy, which the caller frees with undertext_cue_free(); NULL if `cue` is NULL, a time is
 *         UNDERTEXT_NO_TIME, or `end` is not later than `start`.
 */
undertext_cue *undertext_cue_retimed(const undertext_cue *cue, int64_t start, int64_t end);

/**
 * The header and all cues of a track in memory; free it with undertext_document_free().
 *
 * Only one thread at a time may use a document. It does not depend on the media that it was read from.
 */
typedef struct undertext_document undertext_document;

/**
 * Creates a document without cues and styles.
 *
 * Threads: any thread.
 *
 * @return the handle, which the caller frees; never NULL.
 */
undertext_document *undertext_document_create(void);

/**
 * Reads the header, the cues and the attached fonts of a track.
 *
 * Blocks while reading; the cancellation of the media stops it.
 *
 * Threads: one thread for `media`.
 *
 * @param media    the media.
 * @param stream   the index of the stream: undertext_track.stream.
 * @param from     the time from which cues are read, as for undertext_reader_open(); UNDERTEXT_NO_TIME for the
 *                 beginning.
 * @param to       the time before which cues begin; UNDERTEXT_NO_TIME for the end.
 * @param document receives the handle, which the caller frees, or NULL on failure; not NULL.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK, also if there are no cues; or a failure of undertext_reader_open() or
 *         undertext_reader_next().
 */
undertext_status undertext_document_read(
    undertext_media *media, int32_t stream, int64_t from, int64_t to, undertext_document **document,
    undertext_error *error);

/**
 * Returns the number of cues.
 *
 * Threads: one thread.
 *
 * @param document the document.
 * @return the number; 0 if `document` is NULL.
 */
size_t undertext_document_count(const undertext_document *document);

/**
 * Returns a cue, in the order of their starts.
 *
 * Threads: one thread.
 *
 * @param document the document.
 * @param index    the index of the cue, from 0.
 * @return the cue, which the caller frees with undertext_cue_free(); NULL if `document` is NULL or `index` is not less
 *         than the number of cues.
 */
undertext_cue *undertext_document_cue(const undertext_document *document, size_t index);

/**
 * Replaces all cues.
 *
 * Threads: one thread.
 *
 * @param document the document; NULL does nothing.
 * @param cues     the cues in any order, `count` ones, of which NULL ones are ignored; the caller keeps its references.
 *                 NULL removes all cues.
 * @param count    the number of elements of `cues`; ignored if `cues` is NULL.
 */
void undertext_document_set_cues(
    undertext_document *document, undertext_cue *const *cues, size_t count);

/**
 * Returns the next diagnostic of reading or encoding the document: something that was lost, repaired or is doubtful.
 *
 * Each diagnostic is returned once.
 *
 * Threads: one thread.
 *
 * @param document the document.
 * @param message  receives a line that is valid until the next call of this function with `document`, or until
 *                 `document` is freed; NULL if there is none. Not NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_END if there are no more diagnostics now; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `document` or `message` is NULL.
 */
undertext_status undertext_document_diagnostic(undertext_document *document, const char **message);

/**
 * Frees a document; cues and encodings that it returned stay valid.
 *
 * Threads: one thread.
 *
 * @param document the handle; NULL does nothing.
 */
void undertext_document_free(undertext_document *document);

/**
 * The files that a document becomes in a format, and the losses; free it with undertext_encoding_free().
 *
 * An encoding never changes, and can be used by any thread.
 */
typedef struct undertext_encoding undertext_encoding;

/** An output struct for a file of an encoding. */
typedef struct undertext_output {
    /** sizeof(undertext_output). */
    size_t size;
    /** The extension of the file name, without the dot; never NULL. */
    const char *extension;
    /** The bytes, `length` of them; text is UTF-8 unless the format has characters of its own. Never NULL. */
    const uint8_t *bytes;
    /** The number of bytes. */
    size_t length;
} undertext_output;

/**
 * Encodes a document as a file, or as the two files of VobSub.
 *
 * Threads: one thread.
 *
 * @param document the document.
 * @param format   the format by the names of `undertext convert --to`: for text "vtt", "srt", "ass", "ssa", "ttml",
 *                 "scc", "stl", "json" or "jsonl", for images "sup" or "vobsub"; or by the extension of its files, such
 *                 as "dfxp" or "idx"; not NULL.
 * @param encoding receives the handle, which the caller frees, or NULL on failure; not NULL.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if an argument is NULL or there is no such format;
 *         UNDERTEXT_STATUS_UNSUPPORTED if the format has images and the document text or the other way round, or the
 *         format is written as a folder; or UNDERTEXT_STATUS_LIMIT if an image is too large.
 */
undertext_status undertext_document_encode(
    undertext_document *document, const char *format, undertext_encoding **encoding,
    undertext_error *error);

/**
 * Returns a file of an encoding, the main one first.
 *
 * Threads: any thread.
 *
 * @param encoding the encoding.
 * @param index    the index of the file, from 0.
 * @param output   receives the file; not NULL. Its string and bytes belong to `encoding`.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if there is no such file: images of which nothing is visible
 *         become none; or UNDERTEXT_STATUS_INVALID_ARGUMENT if `encoding` or `output` is NULL or the size of `output`
 *         is not set.
 */
undertext_status undertext_encoding_get(
    const undertext_encoding *encoding, size_t index, undertext_output *output);

/**
 * Returns what the format could not represent, as JSON: an array of objects with "kind", such as "position" or "font",
 * "count", and "example" with the index "cue" and the "start" in seconds of the first affected cue.
 *
 * Threads: any thread.
 *
 * @param encoding the encoding.
 * @return a string that belongs to `encoding`; NULL if `encoding` is NULL.
 */
const char *undertext_encoding_losses(const undertext_encoding *encoding);

/**
 * Frees an encoding and its files.
 *
 * Threads: any thread, when no call uses the encoding and its bytes any more.
 *
 * @param encoding the handle; NULL does nothing.
 */
void undertext_encoding_free(undertext_encoding *encoding);

/* ----------------------------------------------------------------------------------------- extraction */

/**
 * A function that is called about ten times a second while an input is extracted, and once at the end, on any thread.
 *
 * `fraction` is the part of the input that has been read, from 0 to 1, or negative if it is unknown. The function must
 * return soon and must not call functions with the media.
 */
typedef void (*undertext_progress)(void *context, double fraction);

/** The options of undertext_media_extract(); 0 and NULL are the defaults. */
typedef struct undertext_extract_options {
    /** sizeof(undertext_extract_options). */
    size_t size;
    /**
     * The selected tracks as for `undertext extract --tracks`, such as "en+text,fr+forced" or "2", or NULL for all.
     */
    const char *tracks;
    /**
     * The formats as for `undertext extract --format`: "native", or at most one format for text and one for images,
     * such as "srt,sup". NULL for "vtt,png", or with `file` for its extension.
     */
    const char *format;
    /**
     * The folder of the outputs, which is created if it is missing, or NULL for that of the input. The names of the
     * outputs are those of `undertext extract`.
     */
    const char *folder;
    /**
     * The path of the only output, as the OUTPUT of `undertext convert`, or NULL. Exactly one track must be selected.
     */
    const char *file;
    /** A folder for attached fonts and covers, or NULL to write none. */
    const char *attachments;
    /**
     * The BCP 47 languages, joined by `+`, in which text in images is recognized, such as "de+en"; NULL for no
     * recognition. Images can then become formats of text.
     */
    const char *recognition;
    /** `true` to write only cues that are forced. */
    bool forced_only;
    /** `true` to drop the styles of text. */
    bool strip_styling;
    /** `true` to replace outputs that exist; otherwise they are a failure. */
    bool replace;
    /** `true` to leave out tracks whose outputs exist. */
    bool skip_existing;
    uint8_t reserved[4];
    /** Called with the progress, or NULL. */
    undertext_progress progress;
    /** A pointer for `progress`; it belongs to the caller. */
    void *progress_context;
} undertext_extract_options;

/**
 * Extracts tracks to files, in one pass.
 *
 * Outputs get their names when they are complete; a failure or a cancellation removes unfinished ones. Blocks until all
 * outputs are written; the cancellation of the media stops it. An input that can be read only once cannot be extracted
 * again.
 *
 * Threads: one thread.
 *
 * @param media   the media.
 * @param options the options, or NULL for the defaults.
 * @param report  receives the report as JSON, or NULL if nothing was attempted. It is the object of an input that
 *                `undertext extract --report` writes, but with "outcome" ("complete", "no-track", "incomplete" or
 *                "failed") in place of the exit code. The string belongs to `media` and is valid until the next call of
 *                this function with it, or until it is freed. May be NULL.
 * @param error   receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK if the outcome is "complete" or "incomplete"; "tracks" of the report then has what was
 *         lost. UNDERTEXT_STATUS_NOT_FOUND if no track matches, or with `file` if the track has no cues;
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `media` is NULL, the size of `options` is not set, or options are
 *         invalid or contradict each other; UNDERTEXT_STATUS_PERMISSION, UNDERTEXT_STATUS_IO or
 *         UNDERTEXT_STATUS_FAILED if outputs cannot be written (`error->code` is "output-exists" if they exist); or an
 *         input failure.
 */
undertext_status undertext_media_extract(
    undertext_media *media, const undertext_extract_options *options, const char **report,
    undertext_error *error);

/* ---------------------------------------------------------------------------------------------- model */

/**
 * The subtitle state of a player: the available subtitles, the selection, delays, and the cues shown now; free it
 * with undertext_model_free().
 *
 * Any thread may use a model. The model reads selected subtitles on threads of its own.
 */
typedef struct undertext_model undertext_model;

/** A place for subtitles on the screen. */
typedef enum undertext_place {
    /** No place: the value of undertext_subtitle.place for subtitles that are not selected; not a valid argument. */
    UNDERTEXT_PLACE_NONE = -1,
    /** The place of the main subtitles. */
    UNDERTEXT_PLACE_FIRST = 0,
    /**
     * The place of a second language; drawn at the top unless a style sets its position. Cues of the two places do not
     * avoid each other: see "position" of undertext_renderer_set_style().
     */
    UNDERTEXT_PLACE_SECOND = 1
} undertext_place;

/** The loading state of subtitles. */
typedef enum undertext_state {
    /** The subtitles are not in use. */
    UNDERTEXT_STATE_IDLE = 0,
    /** The subtitles are being opened, or the cues at the player's time are not read yet. */
    UNDERTEXT_STATE_LOADING = 1,
    /** The cues at the player's time are known; reading may continue. */
    UNDERTEXT_STATE_READY = 2,
    /** Loading failed: undertext_subtitle.error. Cues that were read before are still shown. */
    UNDERTEXT_STATE_FAILED = 3
} undertext_state;

/** An output struct for available subtitles: a track of the media file, or of a subtitle file or URL. */
typedef struct undertext_subtitle {
    /** sizeof(undertext_subtitle). */
    size_t size;
    /**
     * The identifier, unique within the model; never NULL. It contains the path, or the URL without user, password and
     * tokens, and stays the same if the input is added again by the same process.
     */
    const char *id;
    /**
     * The name for a menu, which need not be unique: the title, otherwise the language tag with "(SDH)", "(forced)" or
     * "(commentary)", otherwise a file name; never NULL.
     */
    const char *name;
    /** The BCP 47 language tag, or NULL if unknown. */
    const char *language;
    /** The name of the codec, or NULL if it is unknown before the file is opened. */
    const char *codec;
    /**
     * The origin: "video" for a track of the media file, "folder" for a file found beside it, "application" for
     * undertext_model_add_file().
     */
    const char *source;
    /** The kind of the cues: an undertext_kind; of a file that is not opened yet, the one expected from its name. */
    int32_t kind;
    /** The loading state: an undertext_state. */
    int32_t state;
    /** An undertext_place: UNDERTEXT_PLACE_NONE if not selected, UNDERTEXT_PLACE_FIRST if selected for both places. */
    int32_t place;
    /** `true` if the subtitles are meant to be shown even when subtitles are off. */
    bool is_forced;
    /** `true` if the subtitles are for the deaf and hard of hearing. */
    bool is_hearing_impaired;
    /** `true` if the container marks the subtitles as a default. */
    bool is_default;
    /** `true` if the subtitles are a commentary. */
    bool is_commentary;
    /** `true` if the subtitles are not a track of the media file. */
    bool is_external;
    /** `true` if the subtitles are selected for the second place, even if also for the first. */
    bool is_second;
    uint8_t reserved[6];
    /** The delay of these subtitles in nanoseconds, without that of the model; negative shows them earlier. */
    int64_t delay;
    /** The reason of UNDERTEXT_STATE_FAILED, or NULL in all other states. */
    const char *error;
    /**
     * The first warning of reading, such as invalid characters or a charset that was detected with low confidence, or
     * NULL if there is none; undertext_list_warning() returns all of them.
     */
    const char *warning;
} undertext_subtitle;

/**
 * A snapshot of the subtitles of a model; free it with undertext_list_free().
 *
 * A list never changes, does not depend on its model, and can be used by any thread.
 */
typedef struct undertext_list undertext_list;

/** The options of undertext_model_create_with(); 0 and NULL are the defaults. */
typedef struct undertext_model_options {
    /** sizeof(undertext_model_options). */
    size_t size;
    /**
     * The cancellation of everything that the model reads, or NULL. After it is set, the model can read nothing
     * any more. The model keeps a reference; the caller still frees the handle.
     */
    undertext_cancellation *cancellation;
    /** The user agent of HTTP requests, or NULL for "undertext". */
    const char *user_agent;
    /** The maximum size of a subtitle file that is read from a URL, in bytes; 0 for 64 MiB. Not for media files. */
    uint64_t address_size_limit;
    /**
     * The time in nanoseconds for which a live presentation is followed; 0 to read up to its live edge. Values that are
     * not positive mean 0.
     */
    int64_t live_duration;
    /**
     * Changes text before it is parsed, or NULL. It is called on any thread, and by several threads at once if several
     * inputs are read.
     */
    undertext_text_hook text_hook;
    /** A pointer for `text_hook`; it belongs to the caller, who keeps it valid as long as `text_hook` may be called. */
    void *text_hook_context;
} undertext_model_options;

/**
 * Creates a model without subtitles, with the default options.
 *
 * Threads: any thread.
 *
 * @return the handle, which the caller frees; never NULL.
 */
undertext_model *undertext_model_create(void);

/**
 * Creates a model without subtitles.
 *
 * Threads: any thread.
 *
 * @param options the options, or NULL for the defaults.
 * @param model   receives the handle, which the caller frees, or NULL on failure; not NULL.
 * @param error   receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK, or UNDERTEXT_STATUS_INVALID_ARGUMENT if `model` is NULL or the size of `options` is not
 *         set.
 */
undertext_status undertext_model_create_with(
    const undertext_model_options *options, undertext_model **model, undertext_error *error);

/**
 * Frees a model and stops its reading. If renderers of the model exist, that happens when the last one is freed.
 *
 * Does not wait for reads in progress; files are closed in the background. Lists and cues stay valid.
 *
 * Threads: any thread, when no call uses this pointer any more. To end a call that waits for a server, use
 * undertext_model_cancel() or the cancellation of the options, and wait until the call has returned.
 *
 * @param model the handle; NULL does nothing.
 */
void undertext_model_free(undertext_model *model);

/**
 * Stops the undertext_model_add_video() and undertext_model_add_file() calls that are running on other threads, which
 * return UNDERTEXT_STATUS_CANCELLED. Later calls, and the reading of selected subtitles, are not affected.
 *
 * Threads: any thread.
 *
 * @param model the model; NULL does nothing.
 */
void undertext_model_cancel(undertext_model *model);

/**
 * Adds the subtitle tracks of a media file, and the subtitle files that belong to it.
 *
 * Subtitle files are found by their names, beside the media file and in folders such as `Subs`; most of them are
 * opened only when selected. Adding an input again replaces its subtitles, and reloads selected ones. Tracks that
 * cannot be decoded are added in UNDERTEXT_STATE_FAILED.
 *
 * If the media file cannot be opened, the files beside it are added nevertheless; if its folder cannot be read, its
 * tracks are. The function then returns the first failure.
 *
 * A damaged file may be added without subtitles and without a failure; undertext_media_json() of an undertext_media
 * reports the reason.
 *
 * Blocks until the headers are read and the folders are searched; undertext_model_cancel() stops it.
 *
 * Threads: any thread.
 *
 * @param model         the model.
 * @param input         the path or URL of the media file; not NULL.
 * @param with_sidecars `true` to look for subtitle files; ignored unless `input` is a path.
 * @param error         receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK, also if there are no subtitles; UNDERTEXT_STATUS_INVALID_ARGUMENT if `model` or `input`
 *         is NULL; or an input failure.
 */
undertext_status undertext_model_add_video(
    undertext_model *model, const char *input, bool with_sidecars, undertext_error *error);

/**
 * Adds the tracks of a subtitle file or URL.
 *
 * The language and the flags come from the file and from its name, such as `movie.en.forced.srt`. Adding an input
 * again replaces its subtitles, and reloads selected ones, for example with another charset. Tracks that cannot be
 * decoded are added in UNDERTEXT_STATE_FAILED.
 *
 * Blocks until the tracks are known; undertext_model_cancel() stops it.
 *
 * Threads: any thread.
 *
 * @param model    the model.
 * @param input    the path or URL; not NULL.
 * @param language the BCP 47 or ISO 639 language, or NULL for that of the file or its name.
 * @param charset  the charset of text by its name in iconv, or NULL to detect it.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if `model` or `input` is NULL, the language is not
 *         valid, or iconv does not know the charset; UNDERTEXT_STATUS_NOT_FOUND if the input does not exist or has no
 *         subtitles; UNDERTEXT_STATUS_LIMIT if a URL exceeds undertext_model_options.address_size_limit; or another
 *         input failure. Nothing is added on failure.
 */
undertext_status undertext_model_add_file(
    undertext_model *model, const char *input, const char *language, const char *charset,
    undertext_error *error);

/**
 * Adds the subtitle tracks of a media file that functions of the caller read, as undertext_model_add_video() without
 * subtitle files beside it.
 *
 * Blocks until the headers are read; undertext_model_cancel() stops it as soon as undertext_io.read returns.
 *
 * Threads: any thread. The functions are called on this thread, and on threads of the model.
 *
 * @param model the model.
 * @param io    the functions; not NULL. The struct is copied; its `context` must stay valid until undertext_io.close,
 *              which follows after the subtitles are removed or the model is freed.
 * @param error receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK, also if there are no subtitles; UNDERTEXT_STATUS_INVALID_ARGUMENT if `model` or `io` is
 *         NULL, the size of `io` is not set, or a function of `io` is missing; or an input failure.
 */
undertext_status undertext_model_add_video_io(
    undertext_model *model, const undertext_io *io, undertext_error *error);

/**
 * Adds the tracks of a subtitle file that functions of the caller read, as undertext_model_add_file().
 *
 * Blocks until the tracks are known; undertext_model_cancel() stops it as soon as undertext_io.read returns.
 *
 * Threads: any thread. The functions are called on this thread, and on threads of the model.
 *
 * @param model    the model.
 * @param io       the functions; not NULL. The struct is copied; its `context` must stay valid until
 *                 undertext_io.close, which follows after the subtitles are removed or the model is freed.
 * @param language the BCP 47 or ISO 639 language, or NULL for that of the file or its name.
 * @param charset  the charset of text by its name in iconv, or NULL to detect it.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if `model` or `io` is NULL, the size of `io` is not
 *         set, a function of `io` is missing, the language is not valid, or iconv does not know the charset;
 *         UNDERTEXT_STATUS_NOT_FOUND if the input has no subtitles; or another input failure. Nothing is added on
 *         failure.
 */
undertext_status undertext_model_add_file_io(
    undertext_model *model, const undertext_io *io, const char *language, const char *charset,
    undertext_error *error);

/**
 * Removes all subtitles, for example before another media file is played.
 *
 * The delay of the model stays, and so do selections by undertext_model_select_language(), which apply to subtitles
 * that are added later. Lists and cues stay valid.
 *
 * Threads: any thread.
 *
 * @param model the model; NULL does nothing.
 */
void undertext_model_clear(undertext_model *model);

/**
 * Returns a snapshot of the available subtitles, in the order in which they were added.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @return a list, which the caller frees with undertext_list_free(); NULL only if `model` is NULL.
 */
undertext_list *undertext_model_list(undertext_model *model);

/**
 * Returns the number of subtitles of a list.
 *
 * Threads: any thread.
 *
 * @param list the list.
 * @return the number; 0 if `list` is NULL.
 */
size_t undertext_list_count(const undertext_list *list);

/**
 * Describes subtitles of a list.
 *
 * Threads: any thread.
 *
 * @param list     the list.
 * @param index    the index in the list, from 0.
 * @param subtitle receives the description; not NULL. Its strings belong to `list`.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if `index` is not less than the number of subtitles; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `list` or `subtitle` is NULL or the size of `subtitle` is not set.
 */
undertext_status undertext_list_get(
    const undertext_list *list, size_t index, undertext_subtitle *subtitle);

/**
 * Returns a warning or error of reading subtitles: something that was lost, repaired or is doubtful.
 *
 * A list has the diagnostics of what was read when it was created, without those of severity `info`. At most one
 * hundred diagnostics of a track are kept.
 *
 * Threads: any thread.
 *
 * @param list    the list.
 * @param index   the index of the subtitles in the list, from 0.
 * @param number  the index of the warning, from 0; 0 is undertext_subtitle.warning.
 * @param message receives a line that belongs to `list`, or NULL if there is none; not NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if there is no such warning or `index` is too large; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `list` or `message` is NULL.
 */
undertext_status undertext_list_warning(
    const undertext_list *list, size_t index, size_t number, const char **message);

/**
 * Frees a list and its strings.
 *
 * Threads: any thread, when no call uses the list and its strings any more.
 *
 * @param list the handle; NULL does nothing.
 */
void undertext_list_free(undertext_list *list);

/**
 * Returns a counter that changes if a new list would differ from an earlier one, for example because subtitles were
 * added, selected or loaded, or have failed.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @return the counter, which never decreases; 0 if `model` is NULL.
 */
uint64_t undertext_model_generation(undertext_model *model);

/**
 * A function that is called when something of a model changed.
 *
 * It is called by one thread at a time, on any thread, also within calls of other functions with the model. It must
 * return soon and must not call functions of this library: it wakes the thread of the player, which calls
 * undertext_model_update() or undertext_model_generation() then.
 */
typedef void (*undertext_wakeup)(void *context);

/**
 * Sets the function that is called after each change: of the list, a selection, a delay, the shown cues, or the loaded
 * cues. Several changes may lead to one call. Changes by the caller's own calls lead to calls, too: a loop then runs
 * once more, which is harmless.
 *
 * When this function returns, the earlier callback is not running and will not be called again. The same is true of
 * undertext_model_free(). Do not call it in a callback.
 *
 * Threads: any thread.
 *
 * @param model    the model; NULL does nothing.
 * @param callback the function, or NULL for none.
 * @param context  a pointer that the library passes to `callback`; it belongs to the caller.
 */
void undertext_model_set_wakeup(
    undertext_model *model, undertext_wakeup callback, void *context);

/**
 * Returns a descriptor that becomes readable after each change, for poll() and event loops; an eventfd. Changes are
 * those of undertext_model_set_wakeup(), including those by the caller's own calls.
 *
 * Read its 8 bytes before looking at the model, which makes it unreadable until the next change; reading never blocks.
 * Changes before the first call of this function are not reported. The callback of undertext_model_set_wakeup() can be
 * used at the same time.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @return the descriptor, always the same for a model. It belongs to the model, which closes it when it is freed; the
 *         caller must not close it or write to it. -1 if `model` is NULL or the system has no descriptor left.
 */
int undertext_model_wakeup_descriptor(undertext_model *model);

/**
 * Selects subtitles for a place, and ends undertext_model_select_language() for that place.
 *
 * Returns at once; the subtitles are read in the background. Selecting failed subtitles again retries.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @param place the place.
 * @param id    the undertext_subtitle.id of the subtitles, or NULL to turn the place off.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if there are no subtitles with that identifier; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `model` is NULL or there is no such place. Nothing changes on failure.
 */
undertext_status undertext_model_select(
    undertext_model *model, undertext_place place, const char *id);

/**
 * Selects subtitles for a place by language, now and whenever subtitles are added or fail, until
 * undertext_model_select() or another call of this function for that place.
 *
 * Of the best language, full subtitles are preferred to those for the hard of hearing, these to forced subtitles, and
 * these to commentary; then text is preferred to images, and separate files to tracks. Subtitles of unknown language
 * are selected only if there are no others. The second place never selects the subtitles of the first.
 *
 * Returns at once; the subtitles are read in the background.
 *
 * Threads: any thread.
 *
 * @param model     the model.
 * @param place     the place.
 * @param languages BCP 47 tags or ISO 639 codes in order of preference, separated by commas without spaces, such as
 *                  "pt-BR,en"; names such as "English" are not codes. NULL to turn the place off.
 * @param audio     the language of the audio, which matters only for forced subtitles, or NULL. If `languages` is NULL,
 *                  forced subtitles of this language, or the forced cues of other subtitles of this language, are
 *                  shown; undertext_subtitle.place does not report them as selected.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if no subtitles match now, although later ones may; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `model` is NULL, there is no such place, `languages` is empty, or a
 *         language is not valid, in which case nothing changes.
 */
undertext_status undertext_model_select_language(
    undertext_model *model, undertext_place place, const char *languages, const char *audio);

/**
 * Sets the delay of all subtitles of a model.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @param delay the delay in nanoseconds; negative shows subtitles earlier.
 */
void undertext_model_set_delay(undertext_model *model, int64_t delay);

/**
 * Returns the delay of all subtitles of a model.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @return the delay in nanoseconds; 0 if `model` is NULL.
 */
int64_t undertext_model_delay(undertext_model *model);

/**
 * Sets the delay of single subtitles, which is added to that of the model.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @param id    the undertext_subtitle.id of the subtitles; not NULL.
 * @param delay the delay in nanoseconds; negative shows them earlier.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_NOT_FOUND if there are no subtitles with that identifier; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `model` or `id` is NULL.
 */
undertext_status undertext_model_set_subtitle_delay(
    undertext_model *model, const char *id, int64_t delay);

/**
 * Sets the player's time; call it for every frame and after a seek.
 *
 * Never waits for input: after a seek, cues that are not loaded are read in the background, and a later call shows
 * them.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @param time  the player's time in nanoseconds.
 * @return `true` if the shown cues of either place changed since the last call of this function or of
 *         undertext_renderer_draw().
 */
bool undertext_model_update(undertext_model *model, int64_t time);

/**
 * Waits until the cues at the player's time are known, for example to draw a still image.
 *
 * Blocks; a player should rather call undertext_model_update() again.
 *
 * Threads: any thread.
 *
 * @param model   the model.
 * @param timeout the maximum wait in nanoseconds; negative values mean 0.
 * @return `true` if the cues of all selected subtitles are known, or loading failed, or nothing is selected; `false`
 *         after the timeout.
 */
bool undertext_model_wait(undertext_model *model, int64_t timeout);

/**
 * Returns the next time at which the shown cues may change.
 *
 * Only cues that are already read are considered, so a player should also call undertext_model_update() from time to
 * time while subtitles are loading. Overlays of animated subtitles change between these times, too: draw every frame
 * while undertext_overlay.is_animated is set.
 *
 * Threads: any thread.
 *
 * @param model the model.
 * @param time  the player's time in nanoseconds.
 * @return the time in nanoseconds, after `time`, or UNDERTEXT_NO_TIME if no change is known.
 */
int64_t undertext_model_next_change(undertext_model *model, int64_t time);

/**
 * Returns the cues of a place that are shown now, in drawing order.
 *
 * The times of the cues are on the player's clock and include all delays. Now is the time of the last
 * undertext_model_update() or undertext_renderer_draw().
 *
 * Threads: any thread.
 *
 * @param model    the model.
 * @param place    the place.
 * @param cues     receives the first cues, at most `capacity`, each a reference that the caller frees with
 *                 undertext_cue_free(); NULL to get only the number.
 * @param capacity the number of elements of `cues`; further elements stay unchanged. Ignored if `cues` is NULL.
 * @return the number of cues that are shown, which may exceed `capacity`; 0 if there is no such place.
 */
size_t undertext_model_cues(
    undertext_model *model, undertext_place place, undertext_cue **cues, size_t capacity);

/* ------------------------------------------------------------------------------------------- overlays */

/**
 * A renderer that draws the selected subtitles of a model as pixels; free it with undertext_renderer_free().
 *
 * Only one thread at a time may use a renderer. Other threads may use its model, and other renderers of the model, at
 * the same time.
 */
typedef struct undertext_renderer undertext_renderer;

/** The order of the bytes of a pixel in memory. */
typedef enum undertext_pixels {
    /** R, G, B, A. */
    UNDERTEXT_PIXELS_RGBA = 0,
    /** B, G, R, A. */
    UNDERTEXT_PIXELS_BGRA = 1
} undertext_pixels;

/** The sizes and the pixel format of overlays. */
typedef struct undertext_geometry {
    /** sizeof(undertext_geometry). */
    size_t size;
    /**
     * The size of a decoded frame of the video in pixels, 1 to 65535 each, after cropping and before the pixel aspect
     * ratio is applied. Alternatively, the size at which the video is displayed, with a `pixel_aspect` of 0.
     */
    uint32_t video_width, video_height;
    /** The pixel aspect ratio of the video, width divided by height, positive and finite; 0 for 1. */
    double pixel_aspect;
    /**
     * The size of the overlay in square pixels, at most 8192 each. The video is centered in the overlay and as large as
     * possible. 0 for `video_width` and `video_height`; with a `pixel_aspect` other than 1, set the size on the screen
     * instead, such as 1024x576 for 720x576 pixels at 64:45.
     */
    uint32_t width, height;
    /** The order of the bytes: an undertext_pixels. */
    int32_t pixels;
    uint32_t reserved;
} undertext_geometry;

/** A part of an overlay; empty if its width or height is 0. This struct has no size and never grows. */
typedef struct undertext_rectangle {
    /** The position of the top left corner in pixels. */
    int32_t x, y;
    /** The size in pixels. */
    uint32_t width, height;
} undertext_rectangle;

/** An output struct for the pixels to composite over the video. */
typedef struct undertext_overlay {
    /** sizeof(undertext_overlay). */
    size_t size;
    /** The size in pixels. */
    uint32_t width, height;
    /** The number of bytes per row. */
    size_t stride;
    /**
     * The pixels, `height` rows of `stride` bytes, with premultiplied alpha. They belong to the renderer and are valid
     * until the next undertext_renderer_draw() call, or until the renderer is freed.
     */
    const uint8_t *pixels;
    /** A rectangle that contains all visible pixels; empty if nothing is visible. */
    undertext_rectangle bounds;
    /**
     * A rectangle that contains all pixels that differ from the previous undertext_renderer_draw() call with the
     * renderer; empty if there are none. The first overlay of a size, and a preview, differ from a transparent one.
     */
    undertext_rectangle dirty;
    /**
     * A counter, never 0: overlays of a renderer with the same value have the same size and pixels. Every preview has
     * a value of its own.
     */
    uint64_t change_id;
    /** `true` if the subtitles are animated, so that every frame needs a new overlay. */
    bool is_animated;
    uint8_t reserved[7];
} undertext_overlay;

/**
 * Creates a renderer for the selected subtitles of a model.
 *
 * The renderer keeps the model alive, and follows its selection, delays and loading.
 *
 * Threads: any thread.
 *
 * @param model    the model.
 * @param geometry the sizes and the pixel format; not NULL.
 * @param renderer receives the handle, which the caller frees, or NULL on failure; not NULL.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if an argument is NULL, the size of `geometry` is not
 *         set, or `geometry` has no video size, an invalid pixel aspect ratio or an unknown pixel format;
 *         UNDERTEXT_STATUS_LIMIT if a size is too large; or UNDERTEXT_STATUS_UNSUPPORTED if the build lacks
 *         UNDERTEXT_FEATURE_RENDERING. A missing libass is reported by undertext_renderer_draw().
 */
undertext_status undertext_renderer_create(
    undertext_model *model, const undertext_geometry *geometry, undertext_renderer **renderer,
    undertext_error *error);

/**
 * Creates a renderer for the cues of a document, as they are at this moment.
 *
 * It draws in UNDERTEXT_PLACE_FIRST, and undertext_renderer_draw() takes times of the cues. Later changes of the document
 * have no effect; the renderer does not depend on it.
 *
 * Threads: one thread for `document`.
 *
 * @param document the document.
 * @param geometry the sizes and the pixel format; not NULL.
 * @param renderer receives the handle, which the caller frees, or NULL on failure; not NULL.
 * @param error    receives the error; may be NULL.
 * @return a status of undertext_renderer_create().
 */
undertext_status undertext_renderer_create_document(
    const undertext_document *document, const undertext_geometry *geometry,
    undertext_renderer **renderer, undertext_error *error);

/**
 * Changes the sizes and the pixel format of later overlays; the current pixels stay valid.
 *
 * Threads: one thread.
 *
 * @param renderer the renderer.
 * @param geometry the sizes and the pixel format; not NULL.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK, UNDERTEXT_STATUS_INVALID_ARGUMENT or UNDERTEXT_STATUS_LIMIT as
 *         undertext_renderer_create(). Nothing changes on failure.
 */
undertext_status undertext_renderer_set_geometry(
    undertext_renderer *renderer, const undertext_geometry *geometry, undertext_error *error);

/**
 * Sets a style property of a place; properties that are not set keep the style of the content.
 *
 * Threads: one thread.
 *
 * @param renderer the renderer.
 * @param place    the place.
 * @param key      the property, as for `undertext render --style`: "foreground", "background", "window", "edge",
 *                 "edge-color", "font", "scale", "bold", "italic", "opacity", "position", "align", "margin-left",
 *                 "margin-right", "margin-vertical", or "content-first": the properties, separated by commas, that apply
 *                 only where the content states none; not NULL.
 * @param value    the value, such as "#ffff00" for "foreground", "1.5" for "scale" or "uniform" for "edge"; NULL for
 *                 the style of the content. "Viewer styles" in Documentation/Rendering.md lists the values of each key.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if `renderer` or `key` is NULL, there is no such
 *         place, or the key or value is not valid, in which case nothing changes; or UNDERTEXT_STATUS_LIMIT if the
 *         loaded subtitles exceed a limit.
 */
undertext_status undertext_renderer_set_style(
    undertext_renderer *renderer, undertext_place place, const char *key, const char *value,
    undertext_error *error);

/**
 * Reads the viewer's style settings, for both places.
 *
 * Each property of the file overrides what undertext_renderer_set_style() set before (the style of the application),
 * and is overridden by what it sets later (a choice of the viewer while watching). Invalid lines are ignored and
 * reported by undertext_renderer_diagnostic(). The file is read once; later changes have no effect.
 *
 * Threads: one thread.
 *
 * @param renderer the renderer.
 * @param path     the path of a file with lines such as `scale=1.5`, at most 64 KiB; NULL for
 *                 $XDG_CONFIG_HOME/undertext/style.conf or, without that variable, ~/.config/undertext/style.conf,
 *                 which need not exist.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_INVALID_ARGUMENT if `renderer` is NULL; UNDERTEXT_STATUS_LIMIT if the
 *         file is too large; or another input failure. If the file cannot be read, nothing changes.
 */
undertext_status undertext_renderer_load_settings(
    undertext_renderer *renderer, const char *path, undertext_error *error);

/**
 * Returns the next diagnostic of drawing: a missing font, a message of libass, a cue that was not drawn because it
 * exceeds the cost limit of a frame, or an invalid line of the viewer's settings.
 *
 * Each diagnostic is returned once. undertext_list_warning() returns the diagnostics of reading.
 *
 * Threads: one thread.
 *
 * @param renderer the renderer.
 * @param message  receives a line that is valid until the next call of this function with `renderer`, or until
 *                 `renderer` is freed; NULL if there is none. Not NULL.
 * @return UNDERTEXT_STATUS_OK; UNDERTEXT_STATUS_END if there are no more diagnostics now; or
 *         UNDERTEXT_STATUS_INVALID_ARGUMENT if `renderer` or `message` is NULL.
 */
undertext_status undertext_renderer_diagnostic(
    undertext_renderer *renderer, const char **message);

/**
 * Sets the player's time, as undertext_model_update() does, and returns the overlay at that time.
 *
 * Never waits for input, but may take as long as libass needs to draw a frame. Unchanged subtitles are not drawn
 * again: upload the pixels only if `change_id` differs from that of the last uploaded overlay.
 *
 * Threads: one thread.
 *
 * @param renderer the renderer.
 * @param time     the player's time in nanoseconds; overlays change at whole milliseconds.
 * @param overlay  receives the overlay; not NULL. Its pixels belong to `renderer`: undertext_overlay.pixels.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK, also if nothing is visible; UNDERTEXT_STATUS_INVALID_ARGUMENT if `renderer` or `overlay`
 *         is NULL or the size of `overlay` is not set; UNDERTEXT_STATUS_MISSING_LIBRARY if libass is not installed and
 *         there is text to draw; UNDERTEXT_STATUS_LIMIT if the subtitles have too many cues or too large a script; or
 *         UNDERTEXT_STATUS_IO if libass fails.
 */
undertext_status undertext_renderer_draw(
    undertext_renderer *renderer, int64_t time, undertext_overlay *overlay,
    undertext_error *error);

/**
 * Draws a text, or the first visible cue that is loaded, in the style of a place, as in a settings dialog.
 *
 * Uses the sizes of the renderer, and changes neither the model nor the overlays of undertext_renderer_draw(). Never
 * waits for input.
 *
 * Threads: one thread.
 *
 * @param renderer the renderer.
 * @param place    the place.
 * @param text     plain text, lines separated by line feeds, or NULL for the first cue of the place that is loaded and
 *                 visible.
 * @param overlay  receives the overlay, which is empty if nothing is visible; not NULL. Its pixels belong to `renderer`
 *                 and are valid until the next call of this function with it, or until it is freed.
 * @param error    receives the error; may be NULL.
 * @return UNDERTEXT_STATUS_OK, also if nothing is visible; UNDERTEXT_STATUS_INVALID_ARGUMENT if `renderer` or `overlay`
 *         is NULL, there is no such place, or the size of `overlay` is not set; or another failure of
 *         undertext_renderer_draw().
 */
undertext_status undertext_renderer_preview(
    undertext_renderer *renderer, undertext_place place, const char *text,
    undertext_overlay *overlay, undertext_error *error);

/**
 * Frees a renderer and the pixels of its overlays.
 *
 * Threads: one thread.
 *
 * @param renderer the handle; NULL does nothing.
 */
void undertext_renderer_free(undertext_renderer *renderer);

#ifdef __cplusplus
}

/** Returns the initial value of a struct with a `size` member. */
template <typename Struct> static inline Struct undertext_sized()
{
    Struct value = Struct();
    value.size = sizeof(Struct);
    return value;
}
#endif

#endif
