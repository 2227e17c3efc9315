"""The declarations of undertext.h; made by cdef.py, do not edit."""

VERSION = "0.9.0"

CDEF = """
const char *undertext_version(void);
typedef enum undertext_feature {
    UNDERTEXT_FEATURE_RENDERING = 1
} undertext_feature;
bool undertext_has(undertext_feature feature);
void undertext_silence_ffmpeg(void);
typedef enum undertext_status {
    UNDERTEXT_STATUS_OK = 0,
    UNDERTEXT_STATUS_END = 1,
    UNDERTEXT_STATUS_INVALID_ARGUMENT = -1,
    UNDERTEXT_STATUS_NOT_FOUND = -2,
    UNDERTEXT_STATUS_PERMISSION = -3,
    UNDERTEXT_STATUS_MALFORMED = -4,
    UNDERTEXT_STATUS_IO = -5,
    UNDERTEXT_STATUS_UNSUPPORTED = -6,
    UNDERTEXT_STATUS_MISSING_LIBRARY = -7,
    UNDERTEXT_STATUS_LIMIT = -8,
    UNDERTEXT_STATUS_CANCELLED = -9,
    UNDERTEXT_STATUS_TIMEOUT = -10,
    UNDERTEXT_STATUS_REFUSED = -11,
    UNDERTEXT_STATUS_ENCRYPTED = -12,
    UNDERTEXT_STATUS_FAILED = -100
} undertext_status;
typedef struct undertext_error {
    size_t size;
    int32_t status;
    char message[1024];
    uint32_t reserved;
    char code[32];
    char remedy[256];
} undertext_error;
typedef struct undertext_cancellation undertext_cancellation;
undertext_cancellation *undertext_cancellation_create(void);
void undertext_cancellation_cancel(undertext_cancellation *cancellation);
void undertext_cancellation_free(undertext_cancellation *cancellation);
typedef struct undertext_media undertext_media;
typedef struct undertext_text undertext_text;
typedef struct undertext_text_info {
    size_t size;
    const char *text;
    const char *codec;
    const char *source;
    const char *segment;
    bool is_file;
    uint8_t reserved[7];
} undertext_text_info;
typedef void (*undertext_text_hook)(void *context, undertext_text *text);
undertext_status undertext_text_get(const undertext_text *text, undertext_text_info *info);
undertext_status undertext_text_replace(undertext_text *text, const char *replacement);
typedef struct undertext_media_options {
    size_t size;
    undertext_cancellation *cancellation;
    const char *charset;
    bool source_times;
    uint8_t reserved[7];
    const char *user_agent;
    int64_t live_duration;
    undertext_text_hook text_hook;
    void *text_hook_context;
    const char *input_format;
    const char *language;
    const char *frame_rate;
} undertext_media_options;
undertext_status undertext_media_open(
    const char *input, const undertext_media_options *options, undertext_media **media,
    undertext_error *error);
typedef struct undertext_io {
    size_t size;
    void *context;
    const char *name;
    int64_t (*read)(void *context, uint8_t *buffer, size_t count);
    int64_t (*seek)(void *context, int64_t offset);
    int64_t (*get_size)(void *context);
    void (*close)(void *context);
} undertext_io;
undertext_status undertext_media_open_io(
    const undertext_io *io, const undertext_media_options *options, undertext_media **media,
    undertext_error *error);
void undertext_media_free(undertext_media *media);
const char *undertext_media_json(undertext_media *media);
typedef enum undertext_stream_type {
    UNDERTEXT_STREAM_TYPE_AUDIO = 1,
    UNDERTEXT_STREAM_TYPE_TEXT = 2
} undertext_stream_type;
undertext_status undertext_media_select_language(
    undertext_media *media, undertext_stream_type type, const char *language, undertext_error *error);
typedef enum undertext_kind {
    UNDERTEXT_KIND_TEXT = 1,
    UNDERTEXT_KIND_BITMAP = 2
} undertext_kind;
typedef struct undertext_track {
    size_t size;
    int32_t stream;
    int32_t kind;
    const char *codec;
    const char *language;
    const char *title;
    bool is_forced;
    bool is_hearing_impaired;
    bool is_default;
    bool is_commentary;
    bool is_decodable;
    uint8_t reserved[3];
    uint32_t width, height;
} undertext_track;
size_t undertext_media_track_count(const undertext_media *media);
undertext_status undertext_media_track(
    const undertext_media *media, size_t index, undertext_track *track);
typedef struct undertext_cue undertext_cue;
typedef struct undertext_cue_info {
    size_t size;
    int64_t start, end;
    int32_t kind;
    int32_t layer;
    bool is_forced;
    uint8_t reserved[7];
    const char *text;
    const char *webvtt;
    const char *settings;
    size_t image_count;
    uint32_t canvas_width, canvas_height;
} undertext_cue_info;
typedef struct undertext_image {
    size_t size;
    int32_t x, y;
    uint32_t width, height;
    size_t stride;
    const uint8_t *pixels;
} undertext_image;
undertext_status undertext_cue_get(const undertext_cue *cue, undertext_cue_info *info);
undertext_status undertext_cue_image(
    const undertext_cue *cue, size_t index, undertext_image *image);
undertext_cue *undertext_cue_retain(undertext_cue *cue);
void undertext_cue_free(undertext_cue *cue);
typedef struct undertext_reader undertext_reader;
undertext_status undertext_reader_open(
    undertext_media *media, int32_t stream, int64_t from, int64_t to, undertext_reader **reader,
    undertext_error *error);
undertext_status undertext_reader_next(
    undertext_reader *reader, undertext_cue **cue, undertext_error *error);
undertext_status undertext_reader_diagnostic(undertext_reader *reader, const char **message);
void undertext_reader_free(undertext_reader *reader);
typedef struct undertext_timeline undertext_timeline;
undertext_timeline *undertext_timeline_create(void);
undertext_status undertext_timeline_read(
    undertext_media *media, int32_t stream, undertext_timeline **timeline, undertext_error *error);
void undertext_timeline_add(undertext_timeline *timeline, const undertext_cue *cue);
size_t undertext_timeline_count(const undertext_timeline *timeline);
size_t undertext_timeline_at(
    const undertext_timeline *timeline, int64_t time, undertext_cue **cues, size_t capacity);
int64_t undertext_timeline_next_change(const undertext_timeline *timeline, int64_t time);
int64_t undertext_timeline_previous_change(const undertext_timeline *timeline, int64_t time);
uint64_t undertext_timeline_generation(const undertext_timeline *timeline);
void undertext_timeline_discard(undertext_timeline *timeline, int64_t before);
void undertext_timeline_free(undertext_timeline *timeline);
undertext_cue *undertext_cue_create(
    int64_t start, int64_t end, const char *webvtt, const char *settings);
undertext_cue *undertext_cue_retimed(const undertext_cue *cue, int64_t start, int64_t end);
typedef struct undertext_document undertext_document;
undertext_document *undertext_document_create(void);
undertext_status undertext_document_read(
    undertext_media *media, int32_t stream, int64_t from, int64_t to, undertext_document **document,
    undertext_error *error);
size_t undertext_document_count(const undertext_document *document);
undertext_cue *undertext_document_cue(const undertext_document *document, size_t index);
void undertext_document_set_cues(
    undertext_document *document, undertext_cue *const *cues, size_t count);
undertext_status undertext_document_diagnostic(undertext_document *document, const char **message);
void undertext_document_free(undertext_document *document);
typedef struct undertext_encoding undertext_encoding;
typedef struct undertext_output {
    size_t size;
    const char *extension;
    const uint8_t *bytes;
    size_t length;
} undertext_output;
undertext_status undertext_document_encode(
    undertext_document *document, const char *format, undertext_encoding **encoding,
    undertext_error *error);
undertext_status undertext_encoding_get(
    const undertext_encoding *encoding, size_t index, undertext_output *output);
const char *undertext_encoding_losses(const undertext_encoding *encoding);
void undertext_encoding_free(undertext_encoding *encoding);
typedef void (*undertext_progress)(void *context, double fraction);
typedef struct undertext_extract_options {
    size_t size;
    const char *tracks;
    const char *format;
    const char *folder;
    const char *file;
    const char *attachments;
    const char *recognition;
    bool forced_only;
    bool strip_styling;
    bool replace;
    bool skip_existing;
    uint8_t reserved[4];
    undertext_progress progress;
    void *progress_context;
} undertext_extract_options;
undertext_status undertext_media_extract(
    undertext_media *media, const undertext_extract_options *options, const char **report,
    undertext_error *error);
typedef struct undertext_model undertext_model;
typedef enum undertext_place {
    UNDERTEXT_PLACE_NONE = -1,
    UNDERTEXT_PLACE_FIRST = 0,
    UNDERTEXT_PLACE_SECOND = 1
} undertext_place;
typedef enum undertext_state {
    UNDERTEXT_STATE_IDLE = 0,
    UNDERTEXT_STATE_LOADING = 1,
    UNDERTEXT_STATE_READY = 2,
    UNDERTEXT_STATE_FAILED = 3
} undertext_state;
typedef struct undertext_subtitle {
    size_t size;
    const char *id;
    const char *name;
    const char *language;
    const char *codec;
    const char *source;
    int32_t kind;
    int32_t state;
    int32_t place;
    bool is_forced;
    bool is_hearing_impaired;
    bool is_default;
    bool is_commentary;
    bool is_external;
    bool is_second;
    uint8_t reserved[6];
    int64_t delay;
    const char *error;
    const char *warning;
} undertext_subtitle;
typedef struct undertext_list undertext_list;
typedef struct undertext_model_options {
    size_t size;
    undertext_cancellation *cancellation;
    const char *user_agent;
    uint64_t address_size_limit;
    int64_t live_duration;
    undertext_text_hook text_hook;
    void *text_hook_context;
} undertext_model_options;
undertext_model *undertext_model_create(void);
undertext_status undertext_model_create_with(
    const undertext_model_options *options, undertext_model **model, undertext_error *error);
void undertext_model_free(undertext_model *model);
void undertext_model_cancel(undertext_model *model);
undertext_status undertext_model_add_video(
    undertext_model *model, const char *input, bool with_sidecars, undertext_error *error);
undertext_status undertext_model_add_file(
    undertext_model *model, const char *input, const char *language, const char *charset,
    undertext_error *error);
undertext_status undertext_model_add_video_io(
    undertext_model *model, const undertext_io *io, undertext_error *error);
undertext_status undertext_model_add_file_io(
    undertext_model *model, const undertext_io *io, const char *language, const char *charset,
    undertext_error *error);
void undertext_model_clear(undertext_model *model);
undertext_list *undertext_model_list(undertext_model *model);
size_t undertext_list_count(const undertext_list *list);
undertext_status undertext_list_get(
    const undertext_list *list, size_t index, undertext_subtitle *subtitle);
undertext_status undertext_list_warning(
    const undertext_list *list, size_t index, size_t number, const char **message);
void undertext_list_free(undertext_list *list);
uint64_t undertext_model_generation(undertext_model *model);
typedef void (*undertext_wakeup)(void *context);
void undertext_model_set_wakeup(
    undertext_model *model, undertext_wakeup callback, void *context);
int undertext_model_wakeup_descriptor(undertext_model *model);
undertext_status undertext_model_select(
    undertext_model *model, undertext_place place, const char *id);
undertext_status undertext_model_select_language(
    undertext_model *model, undertext_place place, const char *languages, const char *audio);
void undertext_model_set_delay(undertext_model *model, int64_t delay);
int64_t undertext_model_delay(undertext_model *model);
undertext_status undertext_model_set_subtitle_delay(
    undertext_model *model, const char *id, int64_t delay);
bool undertext_model_update(undertext_model *model, int64_t time);
bool undertext_model_wait(undertext_model *model, int64_t timeout);
int64_t undertext_model_next_change(undertext_model *model, int64_t time);
size_t undertext_model_cues(
    undertext_model *model, undertext_place place, undertext_cue **cues, size_t capacity);
typedef struct undertext_renderer undertext_renderer;
typedef enum undertext_pixels {
    UNDERTEXT_PIXELS_RGBA = 0,
    UNDERTEXT_PIXELS_BGRA = 1
} undertext_pixels;
typedef struct undertext_geometry {
    size_t size;
    uint32_t video_width, video_height;
    double pixel_aspect;
    uint32_t width, height;
    int32_t pixels;
    uint32_t reserved;
} undertext_geometry;
typedef struct undertext_rectangle {
    int32_t x, y;
    uint32_t width, height;
} undertext_rectangle;
typedef struct undertext_overlay {
    size_t size;
    uint32_t width, height;
    size_t stride;
    const uint8_t *pixels;
    undertext_rectangle bounds;
    undertext_rectangle dirty;
    uint64_t change_id;
    bool is_animated;
    uint8_t reserved[7];
} undertext_overlay;
undertext_status undertext_renderer_create(
    undertext_model *model, const undertext_geometry *geometry, undertext_renderer **renderer,
    undertext_error *error);
undertext_status undertext_renderer_create_document(
    const undertext_document *document, const undertext_geometry *geometry,
    undertext_renderer **renderer, undertext_error *error);
undertext_status undertext_renderer_set_geometry(
    undertext_renderer *renderer, const undertext_geometry *geometry, undertext_error *error);
undertext_status undertext_renderer_set_style(
    undertext_renderer *renderer, undertext_place place, const char *key, const char *value,
    undertext_error *error);
undertext_status undertext_renderer_load_settings(
    undertext_renderer *renderer, const char *path, undertext_error *error);
undertext_status undertext_renderer_diagnostic(
    undertext_renderer *renderer, const char **message);
undertext_status undertext_renderer_draw(
    undertext_renderer *renderer, int64_t time, undertext_overlay *overlay,
    undertext_error *error);
undertext_status undertext_renderer_preview(
    undertext_renderer *renderer, undertext_place place, const char *text,
    undertext_overlay *overlay, undertext_error *error);
void undertext_renderer_free(undertext_renderer *renderer);
"""
