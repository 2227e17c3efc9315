/*
 * undertext.h: subtitles of media files, for players in C and C++.
 *
 * Undertext finds, decodes and draws every subtitle of a film: text and images, tracks of the
 * film and files beside it. There are three ways in, each usable without the others:
 *
 *   undertext_media     a file: its streams, and the cues of a track one after another
 *   undertext_timeline  cues at hand: which are shown at a time, and when that changes
 *   undertext_model     what a player holds: a list of subtitles, one or two chosen, delays, what
 *                       is shown now; undertext_renderer draws that as pixels
 *
 * Times are nanoseconds, int64_t, on the clock of the player: the film begins at 0. A cue is shown
 * from its start up to, but not including, its end. UNDERTEXT_NO_TIME stands for "none".
 *
 * Strings are UTF-8 and end with a zero byte; zero bytes within text become U+FFFD. Where a
 * function takes an `input`, anything with `://` is a URL and all else the path of a file.
 *
 * Handles are made by one function and freed by another; freeing NULL does nothing. What a function
 * hands out as `const` belongs to the handle that it was asked of, and lasts until that is freed or, where
 * the function says so, until its next call.
 *
 * Structs begin with their own size, so that later versions may add members: fill in
 * `sizeof`, as UNDERTEXT_INIT does. Members behind that size are neither read nor written. Members
 * named `reserved` must be 0; UNDERTEXT_INIT sees to that, too. Members whose values are those of an
 * enum are int32_t, so that a value that a later version adds is no fault.
 *
 * Errors are returned as undertext_status, and told in words in an undertext_error if one is
 * given; NULL is accepted. A status of zero or more is no failure.
 *
 * The library itself prints nothing. FFmpeg does: it has one log for the whole process, which goes to
 * standard error unless the program says otherwise, by av_log_set_callback or av_log_set_level, or by
 * undertext_silence_ffmpeg.
 *
 * Threads: a handle is for one thread at a time; a media and its readers count as one, all else may
 * be used on different threads at once. Safe on any thread at any time are all functions of
 * undertext_model, undertext_list, undertext_cancellation and undertext_cue, except those that free:
 * nothing may be freed while another call is using it. Lists and cues never change, are independent of
 * what they came from, and may be passed on.
 *
 * The library changes nothing that belongs to the whole process, unless it is asked to by
 * undertext_silence_ffmpeg: no signal handlers, no locale, no allocation limits, no log callbacks.
 * FFmpeg, libass, libcurl and others are loaded when they are first needed; where one is missing, the
 * error names the package.
 */
#ifndef UNDERTEXT_H
#define UNDERTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this header; undertext_version() tells that of the library. */
#define UNDERTEXT_VERSION_MAJOR 0
#define UNDERTEXT_VERSION_MINOR 1
#define UNDERTEXT_VERSION_PATCH 0

/* Enumerations are passed as int, and a bool is a byte. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define UNDERTEXT_CHECK(condition, message) static_assert(condition, message)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define UNDERTEXT_CHECK(condition, message) _Static_assert(condition, message)
#else
#define UNDERTEXT_CHECK(condition, message) struct undertext_unchecked
#endif

/** No time: unknown, or from the beginning or to the end where a window is asked for. */
#define UNDERTEXT_NO_TIME INT64_MIN

/** Makes the initial value of a struct: `undertext_error error = UNDERTEXT_INIT(undertext_error);` */
#ifdef __cplusplus
#define UNDERTEXT_INIT(type) undertext_sized<type>()
#else
#define UNDERTEXT_INIT(type) { .size = sizeof(type) }
#endif

/* ------------------------------------------------------------------------- the library itself */

/**
 * The version of the library, such as "0.1.0".
 *
 * @return a string that lasts for ever.
 */
const char *undertext_version(void);

/** Abilities that a build may lack. */
typedef enum undertext_feature {
    /** Drawing of subtitles (undertext_renderer). */
    UNDERTEXT_FEATURE_RENDERING = 1
} undertext_feature;

/**
 * Whether this build has an ability; functions that need one it lacks answer UNDERTEXT_UNSUPPORTED.
 *
 * That the ability is built in does not say that the library it needs is installed.
 */
bool undertext_has(undertext_feature feature);

UNDERTEXT_CHECK(
    sizeof(undertext_feature) == sizeof(int) && sizeof(bool) == 1,
    "libundertext was built without -fshort-enums");

/**
 * Keeps FFmpeg's log messages off standard error; the last one explains an error instead.
 *
 * This is state of the whole process: it takes the place of a callback that the program gave to
 * av_log_set_callback, so only who owns the process may ask for it. FFmpeg is not loaded for it.
 */
void undertext_silence_ffmpeg(void);

/** How a call ended. */
typedef enum undertext_status {
    /** As asked. */
    UNDERTEXT_OK = 0,
    /** There is nothing more. */
    UNDERTEXT_END = 1,
    /** The caller gave something that makes no sense, such as NULL where a handle is needed. */
    UNDERTEXT_INVALID_ARGUMENT = -1,
    /** There is no such file, stream or item. */
    UNDERTEXT_NOT_FOUND = -2,
    /** The system or a server refused access. */
    UNDERTEXT_PERMISSION = -3,
    /** It is no media file, or damaged beyond what can be skipped. */
    UNDERTEXT_MALFORMED = -4,
    /** Reading failed. */
    UNDERTEXT_IO = -5,
    /** This build, or this library at all, cannot do that. */
    UNDERTEXT_UNSUPPORTED = -6,
    /** A library that is needed is not installed. */
    UNDERTEXT_MISSING_LIBRARY = -7,
    /** Something is larger than allowed. */
    UNDERTEXT_LIMIT = -8,
    /** undertext_cancellation_cancel or undertext_model_cancel was called. */
    UNDERTEXT_CANCELLED = -9,
    /** It took too long. */
    UNDERTEXT_TIMEOUT = -10,
    /** The input would have opened something that nobody named. */
    UNDERTEXT_REFUSED = -11,
    /** Something else. */
    UNDERTEXT_FAILED = -100
} undertext_status;

/** What went wrong, in words. */
typedef struct undertext_error {
    /** sizeof(undertext_error) */
    size_t size;
    /** What the function returned: an undertext_status. */
    int32_t status;
    /** The file or address concerned is part of it; ends with a zero byte; empty after success. */
    char message[1024];
    uint32_t reserved;
} undertext_error;

/** What asks running calls to stop. */
typedef struct undertext_cancellation undertext_cancellation;

/** Makes a cancellation. @return the handle. */
undertext_cancellation *undertext_cancellation_create(void);

/** Asks all calls that it was given to to stop soon; it cannot be taken back. */
void undertext_cancellation_cancel(undertext_cancellation *cancellation);

/** Frees the handle; calls that were given it go on. */
void undertext_cancellation_free(undertext_cancellation *cancellation);

/* -------------------------------------------------------------------------------------- media */

/** An opened file: a film or a subtitle file. */
typedef struct undertext_media undertext_media;

/** How a file is read. */
typedef struct undertext_media_options {
    /** sizeof(undertext_media_options) */
    size_t size;
    /** What stops it; NULL = nothing. */
    undertext_cancellation *cancellation;
    /** The charset of text by iconv's name; NULL = found out. */
    const char *charset;
    /** Whether times are left as they are stored, rather than made to begin at 0. */
    bool source_times;
    uint8_t reserved[7];
    /** What web servers are told that we are; NULL = "undertext". */
    const char *user_agent;
} undertext_media_options;

/**
 * Opens a file and reads what it says of itself.
 *
 * @param input   a path or a URL.
 * @param options NULL = defaults.
 * @param media   gets the handle, or NULL on failure.
 * @return UNDERTEXT_OK or a failure.
 */
undertext_status undertext_media_open(
    const char *input, const undertext_media_options *options, undertext_media **media,
    undertext_error *error);

/** Frees a file; its readers go on working. */
void undertext_media_free(undertext_media *media);

/** The description that `undertext probe --json` prints. */
const char *undertext_media_json(undertext_media *media);

/** What a subtitle track holds. */
typedef enum undertext_kind {
    /** Text. */
    UNDERTEXT_KIND_TEXT = 1,
    /** Images. */
    UNDERTEXT_KIND_BITMAP = 2
} undertext_kind;

/** A subtitle track. */
typedef struct undertext_track {
    /** sizeof(undertext_track) */
    size_t size;
    /** The stream's index in the file: what other functions call `stream`. */
    int32_t stream;
    /** Text or images: an undertext_kind. */
    int32_t kind;
    /** The codec's name, such as "subrip" or "hdmv_pgs_subtitle". */
    const char *codec;
    /** BCP 47, such as "en" or "pt-BR"; NULL if it is not known. */
    const char *language;
    /** The title from the file, untrusted; NULL if there is none. */
    const char *title;
    /** Whether it is shown even when subtitles are off. */
    bool is_forced;
    /** Whether it is for the hard of hearing. */
    bool is_hearing_impaired;
    /** Whether the file names it as the one to show. */
    bool is_default;
    /** Whether it comments on the film. */
    bool is_commentary;
    /** Whether its cues can be decoded. */
    bool is_decodable;
    uint8_t reserved[3];
    /** The canvas of images, in pixels; 0 if it is not known. */
    uint32_t width, height;
} undertext_track;

/** How many subtitle tracks a file has. */
size_t undertext_media_track_count(const undertext_media *media);

/**
 * Describes a subtitle track; the strings belong to `media`.
 *
 * @param index from 0; not the stream's index.
 * @return UNDERTEXT_OK, or UNDERTEXT_NOT_FOUND behind the last.
 */
undertext_status undertext_media_track(
    const undertext_media *media, size_t index, undertext_track *track);

/* --------------------------------------------------------------------------------------- cues */

/** A cue: a text or images with its times. It never changes, and any thread may read it. */
typedef struct undertext_cue undertext_cue;

/** What a cue says. */
typedef struct undertext_cue_info {
    /** sizeof(undertext_cue_info) */
    size_t size;
    /** When it appears and disappears. */
    int64_t start, end;
    /** Text or images: an undertext_kind. */
    int32_t kind;
    /** Which lies on top: higher ones do. */
    int32_t layer;
    /** Whether it is shown even when subtitles are off. */
    bool is_forced;
    uint8_t reserved[7];
    /** The text without styles, lines separated by line feeds; NULL for images. */
    const char *text;
    /** The text as WebVTT cue text, with tags and WebVTT's own colors; NULL for images. */
    const char *webvtt;
    /** WebVTT's cue settings for its place, such as "line:0 align:left"; "" = the default place. */
    const char *settings;
    /** The number of images; 0 for text. */
    size_t image_count;
    /** The canvas that the places of images refer to, in pixels; 0 if nothing states it. */
    uint32_t canvas_width, canvas_height;
} undertext_cue_info;

/** An image of a cue. */
typedef struct undertext_image {
    /** sizeof(undertext_image) */
    size_t size;
    /** Left and top edge on the canvas, in pixels. */
    int32_t x, y;
    /** In pixels. */
    uint32_t width, height;
    /** Bytes from one row to the next. */
    size_t stride;
    /** R, G, B, A bytes, alpha not multiplied in; owned by the cue. */
    const uint8_t *pixels;
} undertext_image;

/** Reads a cue; the strings belong to the cue. */
undertext_status undertext_cue_get(const undertext_cue *cue, undertext_cue_info *info);

/**
 * Reads an image of a cue; the pixels are made at the first call and belong to the cue.
 *
 * @return UNDERTEXT_OK, or UNDERTEXT_NOT_FOUND behind the last.
 */
undertext_status undertext_cue_image(
    const undertext_cue *cue, size_t index, undertext_image *image);

/** Makes a second owner of a cue, to be freed, too. @return the same cue. */
undertext_cue *undertext_cue_retain(undertext_cue *cue);

/** Frees a cue. */
void undertext_cue_free(undertext_cue *cue);

/** What reads the cues of a track one after another. */
typedef struct undertext_reader undertext_reader;

/**
 * Begins to read the cues of a track.
 *
 * Only what is needed is read: where the file has an index of it, a few kilobytes for a cue.
 *
 * @param stream the track's stream index.
 * @param from   only cues that are shown at or behind it; UNDERTEXT_NO_TIME = from the beginning.
 * @param to     only cues that are shown before it; UNDERTEXT_NO_TIME = to the end.
 * @param reader gets the handle, or NULL on failure.
 */
undertext_status undertext_reader_open(
    undertext_media *media, int32_t stream, int64_t from, int64_t to, undertext_reader **reader,
    undertext_error *error);

/**
 * The next cue, in the order in which they begin.
 *
 * @param cue gets a cue that the caller frees, or NULL.
 * @return UNDERTEXT_OK, UNDERTEXT_END behind the last, or a failure.
 */
undertext_status undertext_reader_next(
    undertext_reader *reader, undertext_cue **cue, undertext_error *error);

/**
 * What was lost, repaired or doubtful since the last call, one after another.
 *
 * @param message gets a line that lasts until the next call, or NULL.
 * @return UNDERTEXT_OK, or UNDERTEXT_END if nothing is left to tell.
 */
undertext_status undertext_reader_diagnostic(undertext_reader *reader, const char **message);

/** Frees a reader; its cues stay. */
void undertext_reader_free(undertext_reader *reader);

/* ----------------------------------------------------------------------------------- timeline */

/** Cues by time. */
typedef struct undertext_timeline undertext_timeline;

/** Makes an empty timeline. @return the handle. */
undertext_timeline *undertext_timeline_create(void);

/**
 * Reads all cues of a track into a new timeline.
 *
 * @param timeline gets the handle; on failure one with the cues that were read before it, or NULL if
 *                 there were none.
 * @return UNDERTEXT_OK or a failure.
 */
undertext_status undertext_timeline_read(
    undertext_media *media, int32_t stream, undertext_timeline **timeline, undertext_error *error);

/** Adds a cue; one that is there already changes nothing. */
void undertext_timeline_add(undertext_timeline *timeline, const undertext_cue *cue);

/** How many cues there are. */
size_t undertext_timeline_count(const undertext_timeline *timeline);

/**
 * The cues that are shown at a time, in drawing order.
 *
 * @param cues     gets up to `capacity` cues that the caller frees; NULL only counts.
 * @return how many are shown, which may be more than `capacity`.
 */
size_t undertext_timeline_at(
    const undertext_timeline *timeline, int64_t time, undertext_cue **cues, size_t capacity);

/** The first time behind `time` at which what is shown changes; UNDERTEXT_NO_TIME if it never does. */
int64_t undertext_timeline_next_change(const undertext_timeline *timeline, int64_t time);

/** The last time before `time` at which what is shown changed; UNDERTEXT_NO_TIME if it never did. */
int64_t undertext_timeline_previous_change(const undertext_timeline *timeline, int64_t time);

/** A number that changes whenever the stored cues do. */
uint64_t undertext_timeline_generation(const undertext_timeline *timeline);

/** Forgets the cues that end at or before a time. */
void undertext_timeline_discard(undertext_timeline *timeline, int64_t before);

/** Frees a timeline; its cues stay with whoever has them. */
void undertext_timeline_free(undertext_timeline *timeline);

/* -------------------------------------------------------------------------------------- model */

/** What a player holds: subtitles to choose from, those that are chosen, and what is shown now. */
typedef struct undertext_model undertext_model;

/** Which of the two that can be shown at once. */
typedef enum undertext_place {
    /** The main ones. */
    UNDERTEXT_FIRST = 0,
    /** Others beside them, as for learners; drawn at the top. */
    UNDERTEXT_SECOND = 1
} undertext_place;

/** How far subtitles are loaded. */
typedef enum undertext_state {
    /** Nobody has chosen them. */
    UNDERTEXT_STATE_IDLE = 0,
    /** They are being opened, or what is on screen is still being read. */
    UNDERTEXT_STATE_LOADING = 1,
    /** What is on screen is known. */
    UNDERTEXT_STATE_READY = 2,
    /** They cannot be shown; `error` tells why. */
    UNDERTEXT_STATE_FAILED = 3
} undertext_state;

/** Neither the first nor the second place. */
#define UNDERTEXT_NOT_CHOSEN (-1)

/** Subtitles that can be chosen. */
typedef struct undertext_subtitle {
    /** sizeof(undertext_subtitle) */
    size_t size;
    /** What tells them from all others of the model. */
    const char *id;
    /** What a list shows; from the file, untrusted. */
    const char *name;
    /** BCP 47; NULL if it is not known. */
    const char *language;
    /** The codec's name; NULL before it is known. */
    const char *codec;
    /** Where they came from: "video", "folder", "application". */
    const char *source;
    /** Text or images: an undertext_kind. */
    int32_t kind;
    /** How far they are loaded: an undertext_state. */
    int32_t state;
    /** UNDERTEXT_FIRST, UNDERTEXT_SECOND or UNDERTEXT_NOT_CHOSEN; UNDERTEXT_FIRST in both places. */
    int32_t place;
    /** Whether they are meant to be shown even when subtitles are off. */
    bool is_forced;
    /** Whether they are for the hard of hearing. */
    bool is_hearing_impaired;
    /** Whether the film names them as those to show. */
    bool is_default;
    /** Whether they comment on the film. */
    bool is_commentary;
    /** Whether they are no part of the film. */
    bool is_external;
    /** Whether they are chosen for the second place, be it for both. */
    bool is_second;
    uint8_t reserved[6];
    /** How much later than stored they are shown, in nanoseconds. */
    int64_t delay;
    /** Why they cannot be shown, for the viewer; NULL if they can. */
    const char *error;
    /**
     * The first thing that was wrong or doubtful while reading, such as a guessed charset or characters
     * that could not be read; NULL if nothing was. The others are told by undertext_list_warning.
     */
    const char *warning;
} undertext_subtitle;

/** The subtitles of a model as they were at one time. It never changes, and any thread may read it. */
typedef struct undertext_list undertext_list;

/** How a model reads. */
typedef struct undertext_model_options {
    /** sizeof(undertext_model_options) */
    size_t size;
    /** What ends all that the model does, once and for ever; NULL = nothing. */
    undertext_cancellation *cancellation;
    /** What web servers are told that we are; NULL = "undertext". */
    const char *user_agent;
    /** Bytes that may be read of a subtitle file behind an address (not of a film); 0 = 64 MiB. */
    uint64_t address_size_limit;
} undertext_model_options;

/** Makes a model without subtitles. @return the handle. */
undertext_model *undertext_model_create(void);

/**
 * Makes a model without subtitles that reads as it is told.
 *
 * @param options NULL = defaults.
 * @param model   gets the handle, or NULL on failure.
 */
undertext_status undertext_model_create_with(
    const undertext_model_options *options, undertext_model **model, undertext_error *error);

/**
 * Stops all reading and frees the model.
 *
 * No other call may be using it. One that waits for a server ends by undertext_model_cancel, or by the
 * cancellation of undertext_model_options; wait until it has returned.
 */
void undertext_model_free(undertext_model *model);

/**
 * Ends the calls of undertext_model_add_video and undertext_model_add_file that are under way on other
 * threads: they return UNDERTEXT_CANCELLED. Later calls and subtitles that are chosen go on.
 */
void undertext_model_cancel(undertext_model *model);

/**
 * Adds the subtitle tracks of a film, and the subtitle files beside it.
 *
 * Blocks until the film's header is read; undertext_model_cancel ends that. Where the film cannot be opened
 * the files beside it are added all the same, and where its folder cannot be read its tracks are: then the
 * first failure is returned, and undertext_model_list tells what was added.
 *
 * @param input          the film.
 * @param with_sidecars  whether subtitle files beside it are looked for; of a URL none are.
 */
undertext_status undertext_model_add_video(
    undertext_model *model, const char *input, bool with_sidecars, undertext_error *error);

/**
 * Adds a subtitle file or the address of one.
 *
 * What it is meant for is taken from the file and from its name, as in film.en.forced.srt. Blocks until its
 * tracks are known; undertext_model_cancel ends that.
 *
 * @param language BCP 47; NULL = as the file or the name says.
 * @param charset  of its text, by iconv's name; NULL = found out.
 */
undertext_status undertext_model_add_file(
    undertext_model *model, const char *input, const char *language, const char *charset,
    undertext_error *error);

/** Takes everything out, as for another film. */
void undertext_model_clear(undertext_model *model);

/** The subtitles to choose from, as they are now. @return a list that the caller frees. */
undertext_list *undertext_model_list(undertext_model *model);

/** How many subtitles a list has. */
size_t undertext_list_count(const undertext_list *list);

/**
 * Describes subtitles; the strings belong to the list.
 *
 * @return UNDERTEXT_OK, or UNDERTEXT_NOT_FOUND behind the last.
 */
undertext_status undertext_list_get(
    const undertext_list *list, size_t index, undertext_subtitle *subtitle);

/**
 * What was wrong or doubtful while reading subtitles, one after another, as far as they are read: the first
 * hundred.
 *
 * @param index   the place of the subtitles in the list.
 * @param number  0 for the first, which is undertext_subtitle.warning, and so on.
 * @param message gets a line that belongs to the list; NULL if there is none.
 * @return UNDERTEXT_OK, or UNDERTEXT_NOT_FOUND behind the last.
 */
undertext_status undertext_list_warning(
    const undertext_list *list, size_t index, size_t number, const char **message);

/** Frees a list. */
void undertext_list_free(undertext_list *list);

/**
 * A number that changes whenever a list would look different: something was added or chosen, has
 * been loaded or has failed.
 */
uint64_t undertext_model_generation(undertext_model *model);

/**
 * Chooses subtitles; choosing failed ones again tries again.
 *
 * @param id as the list tells; NULL = off.
 * @return UNDERTEXT_OK, or UNDERTEXT_NOT_FOUND if there is none of that id.
 */
undertext_status undertext_model_select(
    undertext_model *model, undertext_place place, const char *id);

/**
 * Chooses by language, now and whenever subtitles are added, until something else is chosen: full ones
 * before those for the hard of hearing, forced ones and commentary, text before images.
 *
 * @param languages BCP 47 or ISO 639, separated by commas, the best first; NULL = off.
 * @param audio     the language of the audio: while subtitles are off, forced ones of that
 *                  language are shown; NULL = none.
 * @return UNDERTEXT_OK, UNDERTEXT_NOT_FOUND if there are none now, or UNDERTEXT_INVALID_ARGUMENT if
 *         a language is none.
 */
undertext_status undertext_model_select_language(
    undertext_model *model, undertext_place place, const char *languages, const char *audio);

/** Shows all subtitles later than stored, in nanoseconds; negative = earlier. */
void undertext_model_set_delay(undertext_model *model, int64_t delay);

/** How much later than stored all subtitles are shown. */
int64_t undertext_model_delay(undertext_model *model);

/** Shows those of one id later than stored, besides the delay of all. */
undertext_status undertext_model_set_subtitle_delay(
    undertext_model *model, const char *id, int64_t delay);

/**
 * Tells where the player is; to be called with every frame, and after a seek.
 *
 * Never waits: what is on screen behind a seek is read in the background, and shown by a later call.
 *
 * @return whether what is shown changed.
 */
bool undertext_model_update(undertext_model *model, int64_t time);

/**
 * Waits until what is on screen now is known, or cannot be: for still images.
 *
 * @param timeout in nanoseconds.
 * @return whether it is known.
 */
bool undertext_model_wait(undertext_model *model, int64_t timeout);

/** When what is shown may change next, as far as is known; UNDERTEXT_NO_TIME = not known. */
int64_t undertext_model_next_change(undertext_model *model, int64_t time);

/**
 * The cues that are shown now, in drawing order; times are the player's, delays included.
 *
 * @param cues gets up to `capacity` cues that the caller frees; NULL only counts.
 * @return how many are shown, which may be more than `capacity`.
 */
size_t undertext_model_cues(
    undertext_model *model, undertext_place place, undertext_cue **cues, size_t capacity);

/* ----------------------------------------------------------------------------------- overlays */

/** What draws the chosen subtitles of a model as pixels. */
typedef struct undertext_renderer undertext_renderer;

/** The order of the bytes of a pixel. */
typedef enum undertext_pixels {
    /** R, G, B, A */
    UNDERTEXT_PIXELS_RGBA = 0,
    /** B, G, R, A */
    UNDERTEXT_PIXELS_BGRA = 1
} undertext_pixels;

/** What overlays are drawn for. */
typedef struct undertext_geometry {
    /** sizeof(undertext_geometry) */
    size_t size;
    /** The video's pixels as they are stored. */
    uint32_t video_width, video_height;
    /** The width of a pixel of the video divided by its height; 0 = 1. */
    double pixel_aspect;
    /** The overlay's pixels; 0 = those of the video. The video lies in its middle, as large as fits. */
    uint32_t width, height;
    /** The order of bytes: an undertext_pixels. */
    int32_t pixels;
    uint32_t reserved;
} undertext_geometry;

/** A part of an overlay, in pixels. */
typedef struct undertext_rectangle {
    int32_t x, y;
    uint32_t width, height;
} undertext_rectangle;

/** What lies over the video. */
typedef struct undertext_overlay {
    /** sizeof(undertext_overlay) */
    size_t size;
    /** In pixels. */
    uint32_t width, height;
    /** Bytes from one row to the next. */
    size_t stride;
    /** Colors multiplied by alpha; lasts until the renderer draws again or is freed. */
    const uint8_t *pixels;
    /** Around all that is drawn; empty if nothing is. */
    undertext_rectangle bounds;
    /** Outside of it nothing differs from the overlay before this one; empty if that is shown still. */
    undertext_rectangle dirty;
    /**
     * Another number whenever something was drawn anew, as behind a change of the style: while it is the same, so are
     * the pixels.
     */
    uint64_t change_id;
    /** Whether something moves: then every frame needs another overlay. */
    bool is_animated;
    uint8_t reserved[7];
} undertext_overlay;

/**
 * Makes a renderer of what is chosen in a model.
 *
 * The renderer keeps the model alive.
 *
 * @param renderer gets the handle, or NULL on failure.
 */
undertext_status undertext_renderer_create(
    undertext_model *model, const undertext_geometry *geometry, undertext_renderer **renderer,
    undertext_error *error);

/** Draws for other sizes from now on. */
undertext_status undertext_renderer_set_geometry(
    undertext_renderer *renderer, const undertext_geometry *geometry, undertext_error *error);

/**
 * Sets one property of how the viewer wants subtitles to look; what is not set is as the content says.
 *
 * @param key   as for `undertext render --style`, such as "foreground", "scale", "edge".
 * @param value such as "#ffff00", "1.5", "uniform"; NULL = as the content says.
 */
undertext_status undertext_renderer_set_style(
    undertext_renderer *renderer, undertext_place place, const char *key, const char *value,
    undertext_error *error);

/**
 * Reads the viewer's own settings of how subtitles look, for both places.
 *
 * They count before what undertext_renderer_set_style set earlier (the application's wishes), and behind
 * what it sets later (what the viewer says while watching), property by property. A line that is wrong is
 * left out and told by undertext_renderer_diagnostic.
 *
 * @param path a file of lines such as "scale=1.5"; NULL = $XDG_CONFIG_HOME/undertext/style.conf, else
 *             ~/.config/undertext/style.conf, which need not exist.
 * @return UNDERTEXT_OK, or a failure if the file cannot be read; nothing has changed then.
 */
undertext_status undertext_renderer_load_settings(
    undertext_renderer *renderer, const char *path, undertext_error *error);

/**
 * What could not be drawn as it should be since the last call, one after another: a font that is missing,
 * what libass says of a script, what would take too long to draw.
 *
 * What was wrong with the subtitles themselves is told by undertext_list_warning.
 *
 * @param message gets a line that lasts until the next call, or NULL.
 * @return UNDERTEXT_OK, or UNDERTEXT_END if nothing is left to tell.
 */
undertext_status undertext_renderer_diagnostic(
    undertext_renderer *renderer, const char **message);

/**
 * What is shown at a time; also tells the model the time, as undertext_model_update does.
 *
 * Nothing is drawn again while nothing changes: compare `change_id`.
 */
undertext_status undertext_renderer_draw(
    undertext_renderer *renderer, int64_t time, undertext_overlay *overlay,
    undertext_error *error);

/** Frees a renderer. */
void undertext_renderer_free(undertext_renderer *renderer);

#ifdef __cplusplus
}

/** The initial value of a struct that begins with its size. */
template <typename Struct> static inline Struct undertext_sized()
{
    Struct value = Struct();
    value.size = sizeof(Struct);
    return value;
}
#endif

#endif
