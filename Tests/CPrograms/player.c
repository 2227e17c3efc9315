/*
 * What a player does with the library, checked: player CASE ARGUMENT...
 *
 * Each line on standard error is something that is not as it should be; the exit code counts them.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <undertext.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

static int failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

static undertext_error error = UNDERTEXT_INIT(undertext_error);

static void pause_ms(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static undertext_renderer *make_renderer(undertext_model *model, uint32_t width, uint32_t height)
{
    undertext_geometry geometry = UNDERTEXT_INIT(undertext_geometry);
    undertext_renderer *renderer = NULL;
    CHECK(undertext_renderer_create(model, &geometry, &renderer, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(renderer == NULL);
    geometry.video_width = width;
    geometry.video_height = height;
    CHECK(undertext_renderer_create(model, &geometry, &renderer, &error) == UNDERTEXT_STATUS_OK);
    return renderer;
}

/* Draws a time after it has been read. */
static undertext_overlay draw(undertext_model *model, undertext_renderer *renderer, double time)
{
    undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
    int64_t nanoseconds = (int64_t)(time * 1e9);
    undertext_model_update(model, nanoseconds);
    CHECK(undertext_model_wait(model, 120 * SECOND));
    CHECK(undertext_renderer_draw(renderer, nanoseconds, &overlay, &error) == UNDERTEXT_STATUS_OK);
    return overlay;
}

static long visible(const undertext_overlay *overlay)
{
    long count = 0;
    for (uint32_t y = 0; y < overlay->height; y++)
        for (uint32_t x = 0; x < overlay->width; x++)
            count += overlay->pixels[y * overlay->stride + x * 4 + 3] != 0;
    return count;
}

/* A model with one file, of which the first subtitles are chosen. */
static undertext_model *model_of(const char *file)
{
    undertext_model *model = undertext_model_create();
    undertext_subtitle subtitle = UNDERTEXT_INIT(undertext_subtitle);
    CHECK(undertext_model_add_file(model, file, NULL, NULL, &error) == UNDERTEXT_STATUS_OK);
    undertext_list *list = undertext_model_list(model);
    CHECK(undertext_list_get(list, 0, &subtitle) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_model_select(model, UNDERTEXT_PLACE_FIRST, subtitle.id) == UNDERTEXT_STATUS_OK);
    undertext_list_free(list);
    return model;
}

/*
 * The image after a seek stays the same when the rest of the track has been read.
 *
 * A cue of two seconds begins every three seconds.
 */
static void check_seek(const char *file, int64_t seconds)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 640, 360);
    double time = (double)(seconds - seconds % 3) + 1.5;
    undertext_overlay first = draw(model, renderer, time);
    CHECK(visible(&first) > 0);
    /* There may be more room than there can be cues. */
    undertext_cue *shown[4] = {NULL};
    CHECK(undertext_model_cues(model, UNDERTEXT_PLACE_FIRST, shown, SIZE_MAX) == 1 && shown[0]);
    undertext_cue_free(shown[0]);
    /* The range read from the beginning reaches this position, and the two are joined. */
    int64_t cue_before = (seconds - seconds % 3 - 3) * SECOND, change = 0;
    for (int tries = 0; tries < 1000 && change != cue_before; tries++) {
        pause_ms(10);
        change = undertext_model_next_change(model, cue_before - SECOND / 2);
    }
    CHECK(change == cue_before);
    for (int tries = 0; tries < 30; tries++) {
        undertext_overlay later = draw(model, renderer, time);
        CHECK(memcmp(&first.bounds, &later.bounds, sizeof first.bounds) == 0);
        CHECK(first.change_id == later.change_id && later.dirty.width == 0);
        pause_ms(10);
    }
    /* Continued playback also shows one line. */
    undertext_overlay next = draw(model, renderer, time + 3);
    CHECK(next.bounds.height <= first.bounds.height + 8 && next.change_id != first.change_id);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

/* A style that is set within a cue removes the old text in the gap after it. */
static void check_gap(const char *file, double within, double gap)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 640, 360);
    undertext_overlay shown = draw(model, renderer, within);
    CHECK(visible(&shown) > 0);
    CHECK(undertext_renderer_set_style(renderer, UNDERTEXT_PLACE_FIRST, "foreground", "yellow", &error)
          == UNDERTEXT_STATUS_OK);
    undertext_overlay none = draw(model, renderer, gap);
    CHECK(visible(&none) == 0);
    CHECK(none.bounds.width == 0 && none.dirty.width > 0 && none.change_id != shown.change_id);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

/* Pixels stay until the next drawing, regardless of size changes. */
static void check_pixels(const char *file, double time)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 320, 180);
    undertext_overlay before = draw(model, renderer, time);
    long count = visible(&before);
    undertext_geometry geometry = UNDERTEXT_INIT(undertext_geometry);
    geometry.video_width = 640;
    geometry.video_height = 360;
    CHECK(undertext_renderer_set_geometry(renderer, &geometry, &error) == UNDERTEXT_STATUS_OK);
    CHECK(visible(&before) == count);
    undertext_overlay after = draw(model, renderer, time);
    CHECK(after.width == 640 && after.change_id > before.change_id && visible(&after) > count);
    geometry.pixels = 77;
    CHECK(undertext_renderer_set_geometry(renderer, &geometry, &error)
          == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

/* A line for each: id's end, language, flags. */
static void print_list(undertext_model *model)
{
    undertext_list *list = undertext_model_list(model);
    for (size_t index = 0; index < undertext_list_count(list); index++) {
        undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
        undertext_list_get(list, index, &entry);
        printf("%s %s%s%s\n", entry.source, entry.language ? entry.language : "-",
               entry.is_forced ? " forced" : "", entry.is_hearing_impaired ? " sdh" : "");
    }
    undertext_list_free(list);
}

static void print_warnings(const char *file, double time)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 640, 360);
    draw(model, renderer, time);
    undertext_list *list = undertext_model_list(model);
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    undertext_list_get(list, 0, &entry);
    const char *line = NULL;
    size_t count = 0;
    for (; undertext_list_warning(list, 0, count, &line) == UNDERTEXT_STATUS_OK; count++) {
        CHECK(count > 0 || line == entry.warning);
        printf("subtitle: %s\n", line);
    }
    CHECK(line == NULL && (count > 0) == (entry.warning != NULL));
    CHECK(undertext_list_warning(list, 0, SIZE_MAX, &line) == UNDERTEXT_STATUS_NOT_FOUND);
    CHECK(undertext_list_warning(list, 9, 0, &line) == UNDERTEXT_STATUS_NOT_FOUND);
    CHECK(undertext_list_warning(list, 0, 0, NULL) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    undertext_list_free(list);
    while (undertext_renderer_diagnostic(renderer, &line) == UNDERTEXT_STATUS_OK)
        printf("renderer: %s\n", line);
    CHECK(line == NULL);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

/* The color of the most opaque pixel, drawn before and after the settings are applied. */
static void print_color(
    const char *file, double time, const char *settings, const char *before, const char *after)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 640, 360);
    if (*before)
        undertext_renderer_set_style(renderer, UNDERTEXT_PLACE_FIRST, "foreground", before, &error);
    CHECK(undertext_renderer_load_settings(renderer, *settings ? settings : NULL, &error)
          == UNDERTEXT_STATUS_OK);
    if (*after)
        undertext_renderer_set_style(renderer, UNDERTEXT_PLACE_FIRST, "foreground", after, &error);
    undertext_overlay overlay = draw(model, renderer, time);
    const uint8_t *best = NULL;
    for (uint32_t y = 0; y < overlay.height; y++)
        for (uint32_t x = 0; x < overlay.width; x++) {
            const uint8_t *pixel = overlay.pixels + y * overlay.stride + x * 4;
            if (pixel[3] == 255 && (best == NULL || pixel[0] + pixel[1] + pixel[2]
                                                        > best[0] + best[1] + best[2]))
                best = pixel;
        }
    CHECK(best != NULL);
    if (best != NULL)
        printf("%02x%02x%02x\n", best[0], best[1], best[2]);
    const char *line = NULL;
    while (undertext_renderer_diagnostic(renderer, &line) == UNDERTEXT_STATUS_OK)
        printf("%s\n", line);
    CHECK(undertext_renderer_load_settings(renderer, "/nowhere/style.conf", &error)
          == UNDERTEXT_STATUS_NOT_FOUND);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

typedef struct adding {
    undertext_model *model;
    char address[64];
    bool is_film;
    undertext_status status;
} adding;

static void *add(void *given)
{
    adding *job = given;
    job->status = job->is_film
        ? undertext_model_add_video(job->model, job->address, true, NULL)
        : undertext_model_add_file(job->model, job->address, NULL, NULL, NULL);
    return NULL;
}

/* A server that takes calls and never answers. */
static int silent_server(char *address, size_t size)
{
    struct sockaddr_in place;
    socklen_t length = sizeof place;
    int number = socket(AF_INET, SOCK_STREAM, 0);
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(number, (struct sockaddr *)&place, sizeof place) == 0 && listen(number, 16) == 0);
    CHECK(getsockname(number, (struct sockaddr *)&place, &length) == 0);
    snprintf(address, size, "http://127.0.0.1:%u/film.mkv", (unsigned)ntohs(place.sin_port));
    return number;
}

/* Cancellation ends a call that waits for a server, and does not affect a later call. */
static void check_cancel(const char *file)
{
    undertext_cancellation *end = undertext_cancellation_create();
    undertext_model_options options = UNDERTEXT_INIT(undertext_model_options);
    options.cancellation = end;
    adding job = {0};
    CHECK(undertext_model_create_with(&options, &job.model, &error) == UNDERTEXT_STATUS_OK);
    int server = silent_server(job.address, sizeof job.address);
    for (int step = 0; step < 3; step++) {
        pthread_t thread;
        job.is_film = step != 1;
        CHECK(pthread_create(&thread, NULL, add, &job) == 0);
        /* It is under way as soon as the server was called. */
        int call = accept(server, NULL, NULL);
        if (step < 2)
            undertext_model_cancel(job.model);
        else
            undertext_cancellation_cancel(end);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(job.status == UNDERTEXT_STATUS_CANCELLED);
        close(call);
        if (step < 2)
            CHECK(undertext_model_add_file(job.model, file, NULL, NULL, &error) == UNDERTEXT_STATUS_OK);
        else
            CHECK(undertext_model_add_file(job.model, file, NULL, NULL, &error)
                  == UNDERTEXT_STATUS_CANCELLED);
    }
    close(server);
    undertext_model_free(job.model);
    undertext_cancellation_free(end);
}

/* Reads from an address are limited, and the server receives the user agent. */
static void check_address(const char *address, uint64_t size)
{
    undertext_model_options options = UNDERTEXT_INIT(undertext_model_options);
    undertext_model *model = NULL;
    options.user_agent = "Player";
    options.address_size_limit = size - 1;
    CHECK(undertext_model_create_with(&options, &model, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_model_add_file(model, address, NULL, NULL, &error) == UNDERTEXT_STATUS_LIMIT);
    undertext_model_free(model);
    options.address_size_limit = size;
    CHECK(undertext_model_create_with(&options, &model, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_model_add_file(model, address, NULL, NULL, &error) == UNDERTEXT_STATUS_OK);
    print_list(model);
    undertext_model_free(model);
    options.size = 0;
    CHECK(undertext_model_create_with(&options, &model, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(model == NULL);
}

/* An input in memory that records requests and fails on demand. */
typedef struct memory {
    uint8_t *bytes;
    int64_t size, position;
    /* The number of reads until one fails, and what that returns. */
    int reads_left;
    int64_t failure;
    int is_closed, sizes;
} memory;

static int64_t read_memory(void *context, uint8_t *buffer, size_t count)
{
    memory *self = context;
    CHECK(!self->is_closed && count > 0 && self->position < self->size);
    if (self->reads_left-- == 0)
        return self->failure;
    /* Fewer bytes than requested are allowed. */
    int64_t length = self->size - self->position;
    length = length < 1000 ? length : 1000;
    length = length < (int64_t)count ? length : (int64_t)count;
    memcpy(buffer, self->bytes + self->position, (size_t)length);
    self->position += length;
    return length;
}

static int64_t seek_memory(void *context, int64_t offset)
{
    memory *self = context;
    CHECK(!self->is_closed && offset >= 0 && offset < self->size);
    self->position = offset;
    return offset;
}

static int64_t memory_size(void *context)
{
    ((memory *)context)->sizes++;
    return ((memory *)context)->size;
}

static void close_memory(void *context)
{
    ((memory *)context)->is_closed++;
}

static undertext_io memory_io(memory *self)
{
    undertext_io io = UNDERTEXT_INIT(undertext_io);
    io.context = self;
    io.name = "own.mkv";
    io.read = read_memory;
    io.seek = seek_memory;
    io.get_size = memory_size;
    io.close = close_memory;
    self->position = self->is_closed = self->sizes = 0;
    self->reads_left = 1000000;
    return io;
}

/* A file is closed on a thread of the library after its model is freed. */
static bool is_closed_soon(memory *self)
{
    for (int tries = 0; tries < 1000 && !*(volatile int *)&self->is_closed; tries++)
        pause_ms(10);
    return self->is_closed == 1;
}

/* The same tracks and cues come of a file, and of functions that read it. */
static void check_io(const char *file)
{
    memory input = {0};
    FILE *opened = fopen(file, "rb");
    CHECK(opened != NULL);
    fseek(opened, 0, SEEK_END);
    input.size = ftell(opened);
    rewind(opened);
    input.bytes = malloc((size_t)input.size);
    CHECK(fread(input.bytes, 1, (size_t)input.size, opened) == (size_t)input.size);
    fclose(opened);

    undertext_media *plain = NULL, *own = NULL;
    undertext_timeline *cues[2] = {NULL};
    undertext_track track = UNDERTEXT_INIT(undertext_track);
    undertext_io io = memory_io(&input);
    CHECK(undertext_media_open(file, NULL, &plain, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_media_open_io(&io, NULL, &own, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_media_track_count(own) == undertext_media_track_count(plain));
    CHECK(undertext_media_track(own, 0, &track) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_timeline_read(plain, track.stream, &cues[0], &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_timeline_read(own, track.stream, &cues[1], &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_timeline_count(cues[0]) > 0);
    CHECK(undertext_timeline_count(cues[0]) == undertext_timeline_count(cues[1]));
    CHECK(!input.is_closed && input.sizes == 1);
    undertext_media_free(own);
    CHECK(input.is_closed == 1);
    undertext_media_free(plain);
    undertext_timeline_free(cues[0]);
    undertext_timeline_free(cues[1]);

    /* Failures end the opening, name the input, and close it. */
    int64_t failures_told[][2] = {{UNDERTEXT_STATUS_IO, UNDERTEXT_STATUS_IO},
                                  {UNDERTEXT_STATUS_CANCELLED, UNDERTEXT_STATUS_CANCELLED},
                                  {INT64_MAX, UNDERTEXT_STATUS_IO}};
    for (size_t index = 0; index < 3; index++) {
        io = memory_io(&input);
        input.reads_left = 0;
        input.failure = failures_told[index][0];
        CHECK(undertext_media_open_io(&io, NULL, &own, &error) == failures_told[index][1]);
        CHECK(own == NULL && input.is_closed == 1 && strstr(error.message, "own.mkv"));
    }
    int64_t size = input.size;
    io = memory_io(&input);
    input.size = -1;
    CHECK(undertext_media_open_io(&io, NULL, &own, &error) == UNDERTEXT_STATUS_UNSUPPORTED);
    CHECK(input.is_closed == 1);
    input.size = size;
    io = memory_io(&input);
    io.seek = NULL;
    CHECK(undertext_media_open_io(&io, NULL, &own, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(undertext_media_open_io(NULL, NULL, &own, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(!input.is_closed && input.sizes == 0);

    /* A model keeps its input, and reads it on its own threads. */
    io = memory_io(&input);
    undertext_model *model = undertext_model_create();
    undertext_model_options options = UNDERTEXT_INIT(undertext_model_options);
    CHECK(undertext_model_add_video_io(model, &io, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_model_select_language(model, UNDERTEXT_PLACE_FIRST, "en", NULL)
          == UNDERTEXT_STATUS_OK);
    undertext_model_update(model, 0);
    CHECK(undertext_model_wait(model, 60 * SECOND));
    CHECK(undertext_model_next_change(model, 0) != UNDERTEXT_NO_TIME && !input.is_closed);
    undertext_model_free(model);
    CHECK(is_closed_soon(&input));
    io = memory_io(&input);
    options.live_duration = SECOND;
    CHECK(undertext_model_create_with(&options, &model, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_model_add_file_io(model, &io, "de", NULL, &error) == UNDERTEXT_STATUS_OK);
    print_list(model);
    undertext_model_free(model);
    CHECK(is_closed_soon(&input));
    free(input.bytes);
}

/* Who is woken. */
typedef struct waking {
    pthread_mutex_t lock;
    int calls;
} waking;

static void note_wakeup(void *context)
{
    waking *self = context;
    pthread_mutex_lock(&self->lock);
    self->calls++;
    pthread_mutex_unlock(&self->lock);
}

static int take_calls(waking *self)
{
    pthread_mutex_lock(&self->lock);
    int calls = self->calls;
    self->calls = 0;
    pthread_mutex_unlock(&self->lock);
    return calls;
}

static bool is_readable(int descriptor)
{
    uint64_t count = 0;
    return read(descriptor, &count, sizeof count) == sizeof count && count > 0;
}

/* A callback and a descriptor report changes, and neither is used after it was taken back. */
static void check_wakeup(const char *file)
{
    waking told = {.lock = PTHREAD_MUTEX_INITIALIZER};
    undertext_model *model = undertext_model_create();
    int descriptor = undertext_model_wakeup_descriptor(model);
    CHECK(descriptor >= 0 && descriptor == undertext_model_wakeup_descriptor(model));
    CHECK(undertext_model_wakeup_descriptor(NULL) == -1);
    CHECK(!is_readable(descriptor));
    undertext_model_set_wakeup(model, note_wakeup, &told);
    CHECK(undertext_model_add_file(model, file, "en", NULL, &error) == UNDERTEXT_STATUS_OK);
    CHECK(take_calls(&told) > 0 && is_readable(descriptor) && !is_readable(descriptor));
    /* Reading happens on another thread, which wakes this one. */
    undertext_model_select_language(model, UNDERTEXT_PLACE_FIRST, "en", NULL);
    int calls = 0;
    bool is_told = false;
    for (int tries = 0; tries < 1000 && undertext_model_next_change(model, 0) == UNDERTEXT_NO_TIME;
         tries++)
        pause_ms(10);
    for (int tries = 0; tries < 100 && (calls == 0 || !is_told); tries++, pause_ms(10)) {
        calls += take_calls(&told);
        is_told = is_told || is_readable(descriptor);
    }
    CHECK(calls > 0 && is_told);
    CHECK(undertext_model_wait(model, 60 * SECOND));
    undertext_model_set_wakeup(model, NULL, NULL);
    take_calls(&told);
    undertext_model_set_delay(model, SECOND);
    CHECK(take_calls(&told) == 0 && is_readable(descriptor));
    undertext_model_set_wakeup(model, note_wakeup, &told);
    undertext_renderer *renderer = make_renderer(model, 320, 180);
    undertext_model_set_delay(model, 0);
    CHECK(take_calls(&told) > 0);
    /* The renderer keeps the model, but not the callback. */
    undertext_model_free(model);
    take_calls(&told);
    undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
    CHECK(undertext_renderer_draw(renderer, 2 * SECOND, &overlay, &error) == UNDERTEXT_STATUS_OK);
    undertext_renderer_free(renderer);
    CHECK(take_calls(&told) == 0);
}

/* A preview shows the style, and leaves what is drawn over the video alone. */
static void check_preview(const char *file, double time)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 320, 180);
    undertext_overlay shown = draw(model, renderer, time), small, large, second, none;
    long count = visible(&shown);
    small = large = second = none = (undertext_overlay)UNDERTEXT_INIT(undertext_overlay);
    CHECK(undertext_renderer_preview(renderer, UNDERTEXT_PLACE_FIRST, "Words", &small, &error)
          == UNDERTEXT_STATUS_OK);
    uint32_t height = small.bounds.height;
    CHECK(visible(&small) > 0 && small.width == 320 && small.height == 180);
    CHECK(undertext_renderer_set_style(renderer, UNDERTEXT_PLACE_FIRST, "scale", "2", &error)
          == UNDERTEXT_STATUS_OK);
    CHECK(undertext_renderer_preview(renderer, UNDERTEXT_PLACE_FIRST, "Words", &large, &error)
          == UNDERTEXT_STATUS_OK);
    CHECK(large.bounds.height > height * 3 / 2 && large.bounds.y > 90);
    CHECK(small.change_id != large.change_id && large.change_id != shown.change_id);
    /* What was drawn before stays. */
    CHECK(visible(&shown) == count);
    /* The cue of the file; the second position is at the top and has none. */
    CHECK(undertext_renderer_preview(renderer, UNDERTEXT_PLACE_FIRST, NULL, &large, &error)
          == UNDERTEXT_STATUS_OK);
    CHECK(visible(&large) > 0);
    CHECK(undertext_renderer_preview(renderer, UNDERTEXT_PLACE_SECOND, "Words", &second, &error)
          == UNDERTEXT_STATUS_OK);
    CHECK(visible(&second) > 0 && second.bounds.y + second.bounds.height < 90);
    CHECK(undertext_renderer_preview(renderer, UNDERTEXT_PLACE_SECOND, NULL, &none, &error)
          == UNDERTEXT_STATUS_OK);
    CHECK(visible(&none) == 0 && none.bounds.width == 0);
    CHECK(undertext_renderer_preview(renderer, UNDERTEXT_PLACE_NONE, "Words", &none, &error)
          == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

/* Identifiers of URLs are without what must not be seen, and differ nevertheless. */
static void check_secrets(const char *address)
{
    char first[256], second[256];
    snprintf(first, sizeof first, "http://user:hidden@%s?token=one", address + strlen("http://"));
    snprintf(second, sizeof second, "http://user:hidden@%s?token=two", address + strlen("http://"));
    undertext_model *model = undertext_model_create();
    CHECK(undertext_model_add_file(model, first, NULL, NULL, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_model_add_file(model, second, NULL, NULL, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_model_add_file(model, first, NULL, NULL, &error) == UNDERTEXT_STATUS_OK);
    undertext_list *list = undertext_model_list(model);
    CHECK(undertext_list_count(list) == 2);
    for (size_t index = 0; index < undertext_list_count(list); index++) {
        undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
        undertext_list_get(list, index, &entry);
        CHECK(strstr(entry.id, "hidden") == NULL && strstr(entry.id, "one") == NULL
              && strstr(entry.id, "two") == NULL && strstr(entry.id, "film.en.srt") != NULL);
    }
    undertext_list_free(list);
    undertext_model_free(model);
}

/* Statuses of failures that the caller can cause. */
static void check_statuses(const char *file)
{
    undertext_media *media = NULL;
    char below[4096], long_name[4096];
    snprintf(below, sizeof below, "%s/film.mkv", file);
    memset(long_name, 'x', sizeof long_name);
    long_name[0] = '/';
    long_name[300] = '\0';
    CHECK(undertext_media_open(below, NULL, &media, &error) == UNDERTEXT_STATUS_NOT_FOUND);
    CHECK(undertext_media_open(long_name, NULL, &media, &error) == UNDERTEXT_STATUS_NOT_FOUND);
}

/* What a hook saw. */
typedef struct seen {
    int calls, files;
    char source[4096];
} seen;

static void note_text(void *context, undertext_text *text)
{
    seen *self = context;
    undertext_text_info info = UNDERTEXT_INIT(undertext_text_info);
    CHECK(undertext_text_get(NULL, &info) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(undertext_text_get(text, &info) == UNDERTEXT_STATUS_OK);
    CHECK(info.segment == NULL && strcmp(info.codec, "subrip") == 0);
    CHECK(undertext_text_replace(text, NULL) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(undertext_text_replace(text, "first") == UNDERTEXT_STATUS_OK);
    if (info.is_file)
        CHECK(undertext_text_replace(text, "1\n00:00:01,000 --> 00:00:02,000\nchanged\n")
              == UNDERTEXT_STATUS_OK);
    else
        CHECK(undertext_text_replace(text, "changed") == UNDERTEXT_STATUS_OK);
    snprintf(self->source, sizeof self->source, "%s", info.source);
    self->calls++;
    self->files += info.is_file;
}

/* Text is changed before it is parsed, in a media and in a model. */
static void check_hook(const char *film, const char *file)
{
    const char *inputs[2] = {film, file};
    for (int index = 0; index < 2; index++) {
        seen told = {0};
        undertext_media_options options = UNDERTEXT_INIT(undertext_media_options);
        options.text_hook = note_text;
        options.text_hook_context = &told;
        undertext_media *media = NULL;
        undertext_reader *reader = NULL;
        undertext_cue *cue = NULL;
        undertext_track track = UNDERTEXT_INIT(undertext_track);
        CHECK(undertext_media_open(inputs[index], &options, &media, &error) == UNDERTEXT_STATUS_OK);
        for (size_t number = 0; undertext_media_track(media, number, &track) == UNDERTEXT_STATUS_OK;
             number++)
            if (strcmp(track.codec, "subrip") == 0)
                break;
        CHECK(undertext_reader_open(media, track.stream, UNDERTEXT_NO_TIME, UNDERTEXT_NO_TIME,
                                    &reader, &error) == UNDERTEXT_STATUS_OK);
        CHECK(undertext_reader_next(reader, &cue, &error) == UNDERTEXT_STATUS_OK);
        undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
        CHECK(undertext_cue_get(cue, &info) == UNDERTEXT_STATUS_OK);
        CHECK(info.text != NULL && strcmp(info.text, "changed") == 0);
        CHECK(told.calls > 0 && (told.files == 1) == (index == 1));
        CHECK(strcmp(told.source, inputs[index]) == 0);
        undertext_cue_free(cue);
        undertext_reader_free(reader);
        undertext_media_free(media);

        seen of_model = {0};
        undertext_model_options model_options = UNDERTEXT_INIT(undertext_model_options);
        undertext_model *model = NULL;
        undertext_cue *shown[1] = {NULL};
        model_options.text_hook = note_text;
        model_options.text_hook_context = &of_model;
        CHECK(undertext_model_create_with(&model_options, &model, &error) == UNDERTEXT_STATUS_OK);
        CHECK(undertext_model_add_file(model, inputs[index], "en", NULL, &error)
              == UNDERTEXT_STATUS_OK);
        undertext_model_select_language(model, UNDERTEXT_PLACE_FIRST, "en", NULL);
        undertext_model_update(model, 3 * SECOND / 2);
        CHECK(undertext_model_wait(model, 60 * SECOND));
        CHECK(undertext_model_cues(model, UNDERTEXT_PLACE_FIRST, shown, 1) == 1);
        info = (undertext_cue_info)UNDERTEXT_INIT(undertext_cue_info);
        CHECK(undertext_cue_get(shown[0], &info) == UNDERTEXT_STATUS_OK);
        CHECK(info.text != NULL && strcmp(info.text, "changed") == 0);
        undertext_cue_free(shown[0]);
        undertext_model_free(model);
    }
}

/* What was read of nothing is no timeline. */
static void check_timeline(const char *file)
{
    undertext_media_options options = UNDERTEXT_INIT(undertext_media_options);
    undertext_media *media = NULL;
    undertext_timeline *timeline = NULL;
    undertext_cancellation *cancellation = undertext_cancellation_create();
    options.cancellation = cancellation;
    undertext_track track = UNDERTEXT_INIT(undertext_track);
    CHECK(undertext_media_open(file, &options, &media, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_media_track(media, 0, &track) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_timeline_read(media, track.stream, &timeline, &error) == UNDERTEXT_STATUS_OK);
    CHECK(timeline != NULL && undertext_timeline_count(timeline) > 0);
    undertext_timeline_free(timeline);
    undertext_cancellation_cancel(cancellation);
    CHECK(undertext_timeline_read(media, track.stream, &timeline, &error) == UNDERTEXT_STATUS_CANCELLED);
    CHECK(timeline == NULL);
    undertext_media_free(media);
    undertext_cancellation_free(cancellation);
}

/* What several threads do with one model. */
typedef struct playing {
    undertext_model *model;
    const char *film, *file;
    pthread_mutex_t lock;
    /* A cue that one thread got and another reads. */
    undertext_cue *passed;
} playing;

/* Plays with seeks, and draws with its own renderer. */
static void *play(void *given)
{
    playing *job = given;
    undertext_error told = UNDERTEXT_INIT(undertext_error);
    undertext_geometry geometry = UNDERTEXT_INIT(undertext_geometry);
    undertext_renderer *renderer = NULL;
    geometry.video_width = 320;
    geometry.video_height = 180;
    if (undertext_renderer_create(job->model, &geometry, &renderer, &told) != UNDERTEXT_STATUS_OK)
        return "there is no renderer";
    char *failure = NULL;
    for (int step = 0; step < 300 && failure == NULL; step++) {
        undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
        undertext_cue *cues[4];
        int64_t time = step * INT64_C(7919) % 600 * SECOND / 10;
        undertext_model_update(job->model, time);
        if (step % 10 == 0)
            undertext_model_wait(job->model, SECOND / 10);
        if (undertext_renderer_draw(renderer, time, &overlay, &told) != UNDERTEXT_STATUS_OK)
            failure = "a frame was not drawn";
        undertext_model_next_change(job->model, time);
        size_t count = undertext_model_cues(job->model, UNDERTEXT_PLACE_FIRST, cues, 4);
        for (size_t index = 0; index < count && index < 4; index++) {
            pthread_mutex_lock(&job->lock);
            undertext_cue *old = job->passed;
            job->passed = cues[index];
            pthread_mutex_unlock(&job->lock);
            undertext_cue_free(old);
        }
    }
    undertext_renderer_free(renderer);
    return (void *)failure;
}

/* Chooses now these, now those, and reads what the other thread got. */
static void *choose(void *given)
{
    playing *job = given;
    for (int step = 0; step < 300; step++) {
        undertext_list *list = undertext_model_list(job->model);
        undertext_subtitle subtitle = UNDERTEXT_INIT(undertext_subtitle);
        size_t count = undertext_list_count(list);
        if (count > 0
            && undertext_list_get(list, (size_t)step % count, &subtitle) == UNDERTEXT_STATUS_OK) {
            undertext_model_select(job->model, (undertext_place)(step % 2), subtitle.id);
            undertext_model_set_subtitle_delay(job->model, subtitle.id, step * SECOND / 100);
        }
        undertext_list_free(list);
        undertext_model_select_language(job->model, UNDERTEXT_PLACE_SECOND, "de,en", "en");
        undertext_model_set_delay(job->model, undertext_model_delay(job->model) + 1);
        pthread_mutex_lock(&job->lock);
        undertext_cue *cue = job->passed;
        job->passed = NULL;
        pthread_mutex_unlock(&job->lock);
        undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
        if (cue != NULL && undertext_cue_get(cue, &info) != UNDERTEXT_STATUS_OK)
            return "a cue cannot be read";
        undertext_cue_free(cue);
    }
    return NULL;
}

/* Adds files, and occasionally removes all, as when another video begins. */
static void *add_and_clear(void *given)
{
    playing *job = given;
    uint64_t last = 0;
    for (int step = 0; step < 40; step++) {
        if (step % 10 == 9) {
            undertext_model_clear(job->model);
            undertext_model_add_video(job->model, job->film, false, NULL);
        }
        undertext_model_add_file(job->model, job->file, "de", NULL, NULL);
        uint64_t generation = undertext_model_generation(job->model);
        if (generation < last)
            return "a generation was told twice";
        last = generation;
        undertext_model_cancel(job->model);
    }
    return NULL;
}

/* What the header allows on several threads, all at once. */
static void check_threads(const char *film, const char *file)
{
    playing job = {.model = undertext_model_create(), .film = film, .file = file};
    void *(*bodies[])(void *) = {play, play, choose, add_and_clear};
    pthread_t threads[4];
    pthread_mutex_init(&job.lock, NULL);
    CHECK(undertext_model_add_video(job.model, film, false, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_model_select_language(job.model, UNDERTEXT_PLACE_FIRST, "en", NULL) == UNDERTEXT_STATUS_OK);
    for (int index = 0; index < 4; index++)
        CHECK(pthread_create(&threads[index], NULL, bodies[index], &job) == 0);
    for (int index = 0; index < 4; index++) {
        void *failure = NULL;
        CHECK(pthread_join(threads[index], &failure) == 0);
        if (failure != NULL)
            fprintf(stderr, "%s\n", (const char *)failure), failures++;
    }
    undertext_cue_free(job.passed);
    undertext_model_free(job.model);
    pthread_mutex_destroy(&job.lock);
}

/* Languages of a presentation, and languages and types that there are none of. */
static void check_languages(const char *input)
{
    undertext_media *media = NULL;
    CHECK(undertext_media_open(input, NULL, &media, &error) == UNDERTEXT_STATUS_OK);
    const char *before = undertext_media_json(media);
    CHECK(before != NULL && undertext_media_json(media) == before);
    CHECK(undertext_media_select_language(NULL, UNDERTEXT_STREAM_TYPE_AUDIO, "de", &error)
          == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(undertext_media_select_language(media, (undertext_stream_type)7, "de", &error)
          == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(undertext_media_select_language(media, UNDERTEXT_STREAM_TYPE_AUDIO, "no tag", &error)
          == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(undertext_media_select_language(media, UNDERTEXT_STREAM_TYPE_AUDIO, "fr", &error)
          == UNDERTEXT_STATUS_NOT_FOUND);
    CHECK(undertext_media_json(media) == before);
    CHECK(undertext_media_select_language(media, UNDERTEXT_STREAM_TYPE_AUDIO, "ger", &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_media_select_language(media, UNDERTEXT_STREAM_TYPE_TEXT, "de", &error) == UNDERTEXT_STATUS_OK);
    printf("%s\n", undertext_media_json(media));
    CHECK(undertext_media_select_language(media, UNDERTEXT_STREAM_TYPE_TEXT, NULL, NULL) == UNDERTEXT_STATUS_OK);
    printf("%s\n", undertext_media_json(media));
    undertext_media_free(media);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *input = argc > 2 ? argv[2] : "";
    double time = argc > 3 ? strtod(argv[3], NULL) : 0;
    if (strcmp(what, "seek") == 0) {
        check_seek(input, (int64_t)time);
    } else if (strcmp(what, "gap") == 0) {
        check_gap(input, time, strtod(argv[4], NULL));
    } else if (strcmp(what, "pixels") == 0) {
        check_pixels(input, time);
    } else if (strcmp(what, "video") == 0 || strcmp(what, "silent-video") == 0) {
        if (strcmp(what, "silent-video") == 0)
            undertext_silence_ffmpeg();
        undertext_model *model = undertext_model_create();
        printf("%d\n", undertext_model_add_video(model, input, true, &error));
        print_list(model);
        undertext_model_free(model);
    } else if (strcmp(what, "file") == 0) {
        undertext_model *model = undertext_model_create();
        printf("%d\n", undertext_model_add_file(model, input, NULL, NULL, &error));
        print_list(model);
        undertext_model_free(model);
    } else if (strcmp(what, "warnings") == 0) {
        print_warnings(input, time);
    } else if (strcmp(what, "color") == 0 && argc == 7) {
        print_color(input, time, argv[4], argv[5], argv[6]);
    } else if (strcmp(what, "cancel") == 0) {
        check_cancel(input);
    } else if (strcmp(what, "address") == 0) {
        check_address(input, (uint64_t)time);
    } else if (strcmp(what, "io") == 0) {
        check_io(input);
    } else if (strcmp(what, "wakeup") == 0) {
        check_wakeup(input);
    } else if (strcmp(what, "preview") == 0) {
        check_preview(input, time);
    } else if (strcmp(what, "hook") == 0 && argc == 4) {
        check_hook(input, argv[3]);
    } else if (strcmp(what, "languages") == 0) {
        check_languages(input);
    } else if (strcmp(what, "secrets") == 0) {
        check_secrets(input);
    } else if (strcmp(what, "statuses") == 0) {
        check_statuses(input);
    } else if (strcmp(what, "threads") == 0 && argc == 4) {
        check_threads(input, argv[3]);
    } else if (strcmp(what, "timeline") == 0) {
        check_timeline(input);
    } else {
        fprintf(stderr, "player: there is no case '%s' of so many arguments\n", what);
        return 64;
    }
    return failures;
}
