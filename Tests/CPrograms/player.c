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
    CHECK(undertext_renderer_create(model, &geometry, &renderer, &error) == UNDERTEXT_INVALID_ARGUMENT);
    CHECK(renderer == NULL);
    geometry.video_width = width;
    geometry.video_height = height;
    CHECK(undertext_renderer_create(model, &geometry, &renderer, &error) == UNDERTEXT_OK);
    return renderer;
}

/* Draws what is there at a time when it has been read. */
static undertext_overlay draw(undertext_model *model, undertext_renderer *renderer, double time)
{
    undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
    int64_t nanoseconds = (int64_t)(time * 1e9);
    undertext_model_update(model, nanoseconds);
    CHECK(undertext_model_wait(model, 120 * SECOND));
    CHECK(undertext_renderer_draw(renderer, nanoseconds, &overlay, &error) == UNDERTEXT_OK);
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
    CHECK(undertext_model_add_file(model, file, NULL, NULL, &error) == UNDERTEXT_OK);
    undertext_list *list = undertext_model_list(model);
    CHECK(undertext_list_get(list, 0, &subtitle) == UNDERTEXT_OK);
    CHECK(undertext_model_select(model, UNDERTEXT_FIRST, subtitle.id) == UNDERTEXT_OK);
    undertext_list_free(list);
    return model;
}

/*
 * What is drawn behind a seek is the same when the rest of the track has been read.
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
    CHECK(undertext_model_cues(model, UNDERTEXT_FIRST, shown, SIZE_MAX) == 1 && shown[0]);
    undertext_cue_free(shown[0]);
    /* Where what was read from the beginning on reaches this place, the two are joined. */
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
    /* A player that goes on shows one line, too. */
    undertext_overlay next = draw(model, renderer, time + 3);
    CHECK(next.bounds.height <= first.bounds.height + 8 && next.change_id != first.change_id);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

/* A style that is set within a cue takes the old text away in the gap behind it. */
static void check_gap(const char *file, double within, double gap)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 640, 360);
    undertext_overlay shown = draw(model, renderer, within);
    CHECK(visible(&shown) > 0);
    CHECK(undertext_renderer_set_style(renderer, UNDERTEXT_FIRST, "foreground", "yellow", &error)
          == UNDERTEXT_OK);
    undertext_overlay none = draw(model, renderer, gap);
    CHECK(visible(&none) == 0);
    CHECK(none.bounds.width == 0 && none.dirty.width > 0 && none.change_id != shown.change_id);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

/* Pixels stay until the next drawing, whatever happens to the sizes. */
static void check_pixels(const char *file, double time)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 320, 180);
    undertext_overlay before = draw(model, renderer, time);
    long count = visible(&before);
    undertext_geometry geometry = UNDERTEXT_INIT(undertext_geometry);
    geometry.video_width = 640;
    geometry.video_height = 360;
    CHECK(undertext_renderer_set_geometry(renderer, &geometry, &error) == UNDERTEXT_OK);
    CHECK(visible(&before) == count);
    undertext_overlay after = draw(model, renderer, time);
    CHECK(after.width == 640 && after.change_id > before.change_id && visible(&after) > count);
    geometry.pixels = 77;
    CHECK(undertext_renderer_set_geometry(renderer, &geometry, &error)
          == UNDERTEXT_INVALID_ARGUMENT);
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
    for (; undertext_list_warning(list, 0, count, &line) == UNDERTEXT_OK; count++) {
        CHECK(count > 0 || line == entry.warning);
        printf("subtitle: %s\n", line);
    }
    CHECK(line == NULL && (count > 0) == (entry.warning != NULL));
    CHECK(undertext_list_warning(list, 0, SIZE_MAX, &line) == UNDERTEXT_NOT_FOUND);
    CHECK(undertext_list_warning(list, 9, 0, &line) == UNDERTEXT_NOT_FOUND);
    CHECK(undertext_list_warning(list, 0, 0, NULL) == UNDERTEXT_INVALID_ARGUMENT);
    undertext_list_free(list);
    while (undertext_renderer_diagnostic(renderer, &line) == UNDERTEXT_OK)
        printf("renderer: %s\n", line);
    CHECK(line == NULL);
    undertext_renderer_free(renderer);
    undertext_model_free(model);
}

/* The colour of the most opaque pixel, drawn with what was set before and after the settings. */
static void print_color(
    const char *file, double time, const char *settings, const char *before, const char *after)
{
    undertext_model *model = model_of(file);
    undertext_renderer *renderer = make_renderer(model, 640, 360);
    if (*before)
        undertext_renderer_set_style(renderer, UNDERTEXT_FIRST, "foreground", before, &error);
    CHECK(undertext_renderer_load_settings(renderer, *settings ? settings : NULL, &error)
          == UNDERTEXT_OK);
    if (*after)
        undertext_renderer_set_style(renderer, UNDERTEXT_FIRST, "foreground", after, &error);
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
    while (undertext_renderer_diagnostic(renderer, &line) == UNDERTEXT_OK)
        printf("%s\n", line);
    CHECK(undertext_renderer_load_settings(renderer, "/nowhere/style.conf", &error)
          == UNDERTEXT_NOT_FOUND);
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

/* What waits for a server ends when it is told to, and a later call is not concerned. */
static void check_cancel(const char *file)
{
    undertext_cancellation *end = undertext_cancellation_create();
    undertext_model_options options = UNDERTEXT_INIT(undertext_model_options);
    options.cancellation = end;
    adding job = {0};
    CHECK(undertext_model_create_with(&options, &job.model, &error) == UNDERTEXT_OK);
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
        CHECK(job.status == UNDERTEXT_CANCELLED);
        close(call);
        if (step < 2)
            CHECK(undertext_model_add_file(job.model, file, NULL, NULL, &error) == UNDERTEXT_OK);
        else
            CHECK(undertext_model_add_file(job.model, file, NULL, NULL, &error)
                  == UNDERTEXT_CANCELLED);
    }
    close(server);
    undertext_model_free(job.model);
    undertext_cancellation_free(end);
}

/* What is read from an address has a limit, and the server hears who asks. */
static void check_address(const char *address, uint64_t size)
{
    undertext_model_options options = UNDERTEXT_INIT(undertext_model_options);
    undertext_model *model = NULL;
    options.user_agent = "Player";
    options.address_size_limit = size - 1;
    CHECK(undertext_model_create_with(&options, &model, &error) == UNDERTEXT_OK);
    CHECK(undertext_model_add_file(model, address, NULL, NULL, &error) == UNDERTEXT_LIMIT);
    undertext_model_free(model);
    options.address_size_limit = size;
    CHECK(undertext_model_create_with(&options, &model, &error) == UNDERTEXT_OK);
    CHECK(undertext_model_add_file(model, address, NULL, NULL, &error) == UNDERTEXT_OK);
    print_list(model);
    undertext_model_free(model);
    options.size = 0;
    CHECK(undertext_model_create_with(&options, &model, &error) == UNDERTEXT_INVALID_ARGUMENT);
    CHECK(model == NULL);
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
    CHECK(undertext_media_open(file, &options, &media, &error) == UNDERTEXT_OK);
    CHECK(undertext_media_track(media, 0, &track) == UNDERTEXT_OK);
    CHECK(undertext_timeline_read(media, track.stream, &timeline, &error) == UNDERTEXT_OK);
    CHECK(timeline != NULL && undertext_timeline_count(timeline) > 0);
    undertext_timeline_free(timeline);
    undertext_cancellation_cancel(cancellation);
    CHECK(undertext_timeline_read(media, track.stream, &timeline, &error) == UNDERTEXT_CANCELLED);
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

/* Plays with seeks, and draws with a renderer of its own. */
static void *play(void *given)
{
    playing *job = given;
    undertext_error told = UNDERTEXT_INIT(undertext_error);
    undertext_geometry geometry = UNDERTEXT_INIT(undertext_geometry);
    undertext_renderer *renderer = NULL;
    geometry.video_width = 320;
    geometry.video_height = 180;
    if (undertext_renderer_create(job->model, &geometry, &renderer, &told) != UNDERTEXT_OK)
        return "there is no renderer";
    char *failure = NULL;
    for (int step = 0; step < 300 && failure == NULL; step++) {
        undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
        undertext_cue *cues[4];
        int64_t time = step * INT64_C(7919) % 600 * SECOND / 10;
        undertext_model_update(job->model, time);
        if (step % 10 == 0)
            undertext_model_wait(job->model, SECOND / 10);
        if (undertext_renderer_draw(renderer, time, &overlay, &told) != UNDERTEXT_OK)
            failure = "a frame was not drawn";
        undertext_model_next_change(job->model, time);
        size_t count = undertext_model_cues(job->model, UNDERTEXT_FIRST, cues, 4);
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
            && undertext_list_get(list, (size_t)step % count, &subtitle) == UNDERTEXT_OK) {
            undertext_model_select(job->model, (undertext_place)(step % 2), subtitle.id);
            undertext_model_set_subtitle_delay(job->model, subtitle.id, step * SECOND / 100);
        }
        undertext_list_free(list);
        undertext_model_select_language(job->model, UNDERTEXT_SECOND, "de,en", "en");
        undertext_model_set_delay(job->model, undertext_model_delay(job->model) + 1);
        pthread_mutex_lock(&job->lock);
        undertext_cue *cue = job->passed;
        job->passed = NULL;
        pthread_mutex_unlock(&job->lock);
        undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
        if (cue != NULL && undertext_cue_get(cue, &info) != UNDERTEXT_OK)
            return "a cue cannot be read";
        undertext_cue_free(cue);
    }
    return NULL;
}

/* Adds files, and now and then takes all out, as another film begins. */
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
    CHECK(undertext_model_add_video(job.model, film, false, &error) == UNDERTEXT_OK);
    CHECK(undertext_model_select_language(job.model, UNDERTEXT_FIRST, "en", NULL) == UNDERTEXT_OK);
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
