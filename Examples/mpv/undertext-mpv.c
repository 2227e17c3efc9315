/*
 * A player: libmpv shows the video, Undertext finds and draws the subtitles.
 *
 * README.md in this folder lists options, keys, commands and events.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <locale.h>
#include <mpv/client.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <undertext.h>

enum { OVERLAY = 1 };

/* The properties of mpv that are observed; those of `observed` follow. */
enum { TIME = 1, SIZE, AUDIO_TRACK, OBSERVED };

/* The events, in the order of their names. */
typedef enum event {
    ITEM, STATUS, DURATION, WAITING, PLAYING, PAUSED, SEEKED, RATE, VOLUME, MUTED, LOOPING, AUDIO,
    CHOSEN, SECOND_CHOSEN, CUES, SECOND_CUES, DELAY, SCALE, STYLE, FAILED, EVENT_COUNT
} event;

static const char *const event_names[EVENT_COUNT] = {
    "item", "status", "duration", "waiting", "playing", "paused", "seeked", "rate", "volume", "muted",
    "looping", "audio", "chosen", "second-chosen", "cues", "second-cues", "delay", "scale", "style",
    "failed",
};

/* The properties of mpv whose changes are events. */
static const struct {
    const char *name;
    event event;
    mpv_format format;
    double scale;
} observed[] = {
    {"path", ITEM, MPV_FORMAT_STRING, 0},
    {"duration", DURATION, MPV_FORMAT_DOUBLE, 1},
    {"paused-for-cache", WAITING, MPV_FORMAT_FLAG, 0},
    {"pause", PAUSED, MPV_FORMAT_FLAG, 0},
    {"speed", RATE, MPV_FORMAT_DOUBLE, 1},
    {"volume", VOLUME, MPV_FORMAT_DOUBLE, 0.01},
    {"mute", MUTED, MPV_FORMAT_FLAG, 0},
    {"loop-file", LOOPING, MPV_FORMAT_STRING, 0},
};

static const int64_t SECOND = INT64_C(1000000000);
static const double LONGEST_DELAY = 1e6; /* in seconds */
static const size_t MOST_FAILURES = 8192; /* in bytes, of one batch */

/* The events that were not printed yet: at most one of each, and a few failures. */
typedef struct events {
    bool is_unwanted[EVENT_COUNT];
    char *told[EVENT_COUNT];    /* the last value */
    char *pending[EVENT_COUNT]; /* the value to be printed, or NULL */
    uint64_t order[EVENT_COUNT];
    uint64_t count;
    int64_t interval, printed;  /* in microseconds */
} events;

typedef struct player {
    mpv_handle *mpv;
    undertext_model *model;
    undertext_renderer *renderer;
    undertext_geometry geometry;
    int64_t time;
    uint64_t shown;      /* the change_id of the overlay that mpv shows */
    uint64_t generation; /* of the list that was reported last */
    bool has_failed[2];
    bool is_seeking;
    double scale;
    events events;
} player;

static const char USAGE[] =
    "usage: undertext-mpv FILE [--sub FILE]... [--lang LANG] [--second LANG]\n"
    "                     [--style KEY=VALUE]... [--mpv OPTION=VALUE]...\n"
    "                     [--events NAME,...] [--batch SECONDS]\n";

static const char *const bindings[][2] = {
    {"j", "subtitles next"},      {"J", "subtitles previous"},  {"k", "second next"},
    {"K", "second previous"},     {"v", "subtitles off"},       {"z", "delay -0.1"},
    {"x", "delay +0.1"},          {"Z", "delay 0"},             {"G", "scale +0.1"},
    {"F", "scale -0.1"},          {"y", "style foreground #ffff00"},
    {"Y", "style foreground"},
};

static const char *const defaults[][2] = {
    {"input-default-bindings", "yes"}, {"input-vo-keyboard", "yes"}, {"osc", "yes"},
    {"terminal", "no"},                {"sid", "no"},                {"sub-auto", "no"},
    {"idle", "no"},                    {"keep-open", "no"},
};

/* Returns a copy with line breaks as \n, and without control characters, which names of files may contain. */
static char *clean(const char *text)
{
    char *copy = malloc(2 * strlen(text) + 1), *end = copy;
    for (; copy != NULL && *text != '\0'; text++) {
        if (*text == '\n') {
            *end++ = '\\';
            *end++ = 'n';
        } else if ((unsigned char)*text >= ' ') {
            *end++ = *text;
        }
    }
    if (copy != NULL)
        *end = '\0';
    return copy;
}

/* Prints the events that wait, in their order, unless the last batch was printed too short a time ago. */
static void print_events(player *self, bool at_once)
{
    events *events = &self->events;
    int64_t now = mpv_get_time_us(self->mpv);
    if (!at_once && events->printed != 0 && now - events->printed < events->interval)
        return;
    for (;;) {
        int first = EVENT_COUNT;
        for (int index = 0; index < EVENT_COUNT; index++)
            if (events->pending[index] != NULL
                && (first == EVENT_COUNT || events->order[index] < events->order[first]))
                first = index;
        if (first == EVENT_COUNT)
            return;
        const char *value = events->pending[first];
        printf("%s%s%s\n", event_names[first], *value != '\0' ? " " : "", value);
        fflush(stdout);
        free(events->pending[first]);
        events->pending[first] = NULL;
        events->printed = now;
    }
}

/* Adds a failure to those of the batch. */
static char *with_failure(const char *earlier, char *failure)
{
    static const char name[] = "\nfailed ";
    size_t size = strlen(earlier) + strlen(failure) + sizeof name;
    char *both = size < MOST_FAILURES ? malloc(size) : NULL;
    if (both != NULL)
        snprintf(both, size, "%s%s%s", earlier, name, failure);
    free(failure);
    return both;
}

/* Reports an event; a value that has not changed is none, except where something happened again. */
static void tell_value(player *self, event event, const char *value)
{
    events *events = &self->events;
    bool may_repeat = event == PLAYING || event == SEEKED || event >= CUES;
    char **told = &events->told[event], **pending = &events->pending[event];
    if (!may_repeat && strcmp(*told != NULL ? *told : "", value) == 0)
        return;
    char *copy = clean(value);
    if (copy == NULL)
        return;
    free(*told);
    *told = strdup(value);
    if (events->is_unwanted[event]) {
        free(copy);
        return;
    }
    if (event == FAILED && *pending != NULL) {
        copy = with_failure(*pending, copy);
        if (copy == NULL)
            return;
    } else {
        events->order[event] = events->count++;
    }
    free(*pending);
    *pending = copy;
    if (events->interval == 0)
        print_events(self, true);
}

static void tell(player *self, event event, const char *format, ...)
{
    char *value = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&value, &size);
    if (stream == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    if (fclose(stream) == 0)
        tell_value(self, event, value);
    free(value);
}

static void tell_cues(player *self, undertext_place place)
{
    undertext_cue *cues[8];
    size_t count = undertext_model_cues(self->model, place, cues, 8);
    char *value = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&value, &size);
    for (size_t index = 0; index < count && index < 8; index++) {
        undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
        undertext_cue_get(cues[index], &info);
        if (stream != NULL)
            fprintf(
                stream, "%s[%.3f %.3f %s]", index == 0 ? "" : " ", (double)info.start / 1e9,
                (double)info.end / 1e9, info.kind == UNDERTEXT_KIND_TEXT ? info.text : "(image)");
        undertext_cue_free(cues[index]);
    }
    if (stream != NULL && fclose(stream) == 0)
        tell_value(self, place == UNDERTEXT_PLACE_FIRST ? CUES : SECOND_CUES, value);
    free(value);
}

/* Reports the error of selected subtitles once, until subtitles without an error are selected. */
static void tell_failure(player *self, undertext_place place, const char *error)
{
    bool *told = &self->has_failed[place == UNDERTEXT_PLACE_SECOND];
    if (error != NULL && !*told)
        tell(self, FAILED, "subtitles %s", error);
    *told = error != NULL;
}

static void tell_list(player *self)
{
    uint64_t generation = undertext_model_generation(self->model);
    if (generation == self->generation)
        return;
    self->generation = generation;
    undertext_list *list = undertext_model_list(self->model);
    for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++) {
        undertext_subtitle chosen = UNDERTEXT_INIT(undertext_subtitle);
        for (size_t index = 0; index < undertext_list_count(list); index++) {
            undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
            undertext_list_get(list, index, &entry);
            if (place == UNDERTEXT_PLACE_SECOND ? entry.is_second : entry.place == UNDERTEXT_PLACE_FIRST)
                chosen = entry;
        }
        tell_value(
            self, place == UNDERTEXT_PLACE_SECOND ? SECOND_CHOSEN : CHOSEN,
            chosen.id != NULL ? chosen.id : "");
        tell_failure(self, (undertext_place)place, chosen.error);
    }
    undertext_list_free(list);
}

/* Passes the current overlay to mpv if it changed. */
static void draw(player *self)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
    bool changed = undertext_model_update(self->model, self->time);
    tell_list(self);
    if (changed) {
        tell_cues(self, UNDERTEXT_PLACE_FIRST);
        tell_cues(self, UNDERTEXT_PLACE_SECOND);
    }
    if (self->renderer == NULL)
        return;
    if (undertext_renderer_draw(self->renderer, self->time, &overlay, &error) < 0) {
        tell(self, FAILED, "overlay %s", error.message);
        return;
    }
    if (overlay.change_id == self->shown)
        return;
    self->shown = overlay.change_id;
    if (overlay.bounds.width == 0 || overlay.bounds.height == 0) {
        const char *remove[] = {"overlay-remove", "1", NULL};
        mpv_command(self->mpv, remove);
        return;
    }
    /* mpv copies the pixels before it returns. */
    const uint8_t *first = overlay.pixels + (size_t)overlay.bounds.y * overlay.stride
        + (size_t)overlay.bounds.x * 4;
    char numbers[6][32];
    snprintf(numbers[0], sizeof numbers[0], "%" PRId32, overlay.bounds.x);
    snprintf(numbers[1], sizeof numbers[1], "%" PRId32, overlay.bounds.y);
    snprintf(numbers[2], sizeof numbers[2], "&%" PRIuPTR, (uintptr_t)first);
    snprintf(numbers[3], sizeof numbers[3], "%" PRIu32, overlay.bounds.width);
    snprintf(numbers[4], sizeof numbers[4], "%" PRIu32, overlay.bounds.height);
    snprintf(numbers[5], sizeof numbers[5], "%zu", overlay.stride);
    const char *add[] = {"overlay-add", "1", numbers[0], numbers[1], numbers[2], "0",
                         "bgra", numbers[3], numbers[4], numbers[5], NULL};
    mpv_command(self->mpv, add);
}

/* Adapts the overlays to the size of the window. dwidth and dheight include the pixel aspect ratio, so that stays 0. */
static void resize(player *self)
{
    int64_t width = 0, height = 0, video_width = 0, video_height = 0;
    mpv_get_property(self->mpv, "osd-width", MPV_FORMAT_INT64, &width);
    mpv_get_property(self->mpv, "osd-height", MPV_FORMAT_INT64, &height);
    mpv_get_property(self->mpv, "dwidth", MPV_FORMAT_INT64, &video_width);
    mpv_get_property(self->mpv, "dheight", MPV_FORMAT_INT64, &video_height);
    if (width <= 0 || height <= 0 || video_width <= 0 || video_height <= 0)
        return;
    self->geometry.video_width = (uint32_t)video_width;
    self->geometry.video_height = (uint32_t)video_height;
    self->geometry.width = (uint32_t)width;
    self->geometry.height = (uint32_t)height;
    self->geometry.pixels = UNDERTEXT_PIXELS_BGRA;
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    if (self->renderer != NULL
        && undertext_renderer_set_geometry(self->renderer, &self->geometry, &error) < 0)
        tell(self, FAILED, "overlay %s", error.message);
    draw(self);
}

static bool set_style(player *self, const char *key, const char *value)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    if (self->renderer == NULL)
        return false;
    for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++)
        if (undertext_renderer_set_style(
                self->renderer, (undertext_place)place, key, value, &error) < 0) {
            tell(self, FAILED, "style %s", error.message);
            return false;
        }
    return true;
}

/* Selects the subtitles `step` entries further in the list; none follow the last ones. Subtitles of the other
   place are skipped, because they would be shown twice. */
static void choose(player *self, undertext_place place, int step)
{
    undertext_list *list = undertext_model_list(self->model);
    int count = (int)undertext_list_count(list), now = count;
    for (int index = 0; index < count; index++) {
        undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
        undertext_list_get(list, (size_t)index, &entry);
        if (place == UNDERTEXT_PLACE_SECOND ? entry.is_second : entry.place == UNDERTEXT_PLACE_FIRST)
            now = index;
    }
    int next = now;
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    do {
        next = (next + step + count + 1) % (count + 1);
        undertext_list_get(list, (size_t)next, &entry);
    } while (next != count
             && (place == UNDERTEXT_PLACE_SECOND ? entry.place == UNDERTEXT_PLACE_FIRST : entry.is_second));
    undertext_model_select(self->model, place, next == count ? NULL : entry.id);
    undertext_list_free(list);
}

/* Returns true if there may be subtitles in one of the languages, such as "en,fr-CA". Codes of three letters
   are left to the library, which knows that several of them name the same language. */
static bool may_have_language(player *self, const char *words)
{
    undertext_list *list = undertext_model_list(self->model);
    bool found = false;
    while (!found && *words != '\0') {
        size_t length = strcspn(words, ",-");
        found = length == 3;
        for (size_t index = 0; index < undertext_list_count(list); index++) {
            undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
            undertext_list_get(list, index, &entry);
            if (entry.language != NULL && strncmp(entry.language, words, length) == 0
                && (entry.language[length] == '\0' || entry.language[length] == '-'))
                found = true;
        }
        words += strcspn(words, ",");
        words += strspn(words, ",");
    }
    undertext_list_free(list);
    return found;
}

/* An option also applies to subtitles that are added later; a command without a match changes nothing. */
static void choose_by_word(player *self, undertext_place place, const char *word, bool is_option)
{
    if (strcmp(word, "next") == 0) {
        choose(self, place, 1);
    } else if (strcmp(word, "previous") == 0) {
        choose(self, place, -1);
    } else if (strcmp(word, "off") == 0) {
        undertext_model_select(self->model, place, NULL);
    } else if (undertext_model_select(self->model, place, word) != UNDERTEXT_STATUS_OK
               && ((!is_option && !may_have_language(self, word))
                   || undertext_model_select_language(self->model, place, word, NULL)
                       != UNDERTEXT_STATUS_OK)) {
        tell(self, FAILED, "command there are no subtitles called %s", word);
    }
}

/* Sets a number, or changes it if the word has a sign; returns false for other words and beyond `most`. */
static bool change_number(const char *word, double most, double *number)
{
    char *end = NULL;
    double value = strtod(word, &end);
    if (end == word || *end != '\0')
        return false;
    if (word[0] == '+' || word[0] == '-')
        value += *number;
    if (!(value >= -most && value <= most))
        return false;
    *number = value;
    return true;
}

/* Executes a command: `script-message undertext COMMAND [ARGUMENT...]`. */
static void obey(player *self, int count, const char **words)
{
    const char *command = count > 1 ? words[1] : "", *argument = count > 2 ? words[2] : NULL;
    double number = 0;
    if (strcmp(words[0], "undertext") != 0)
        return;
    if (strcmp(command, "subtitles") == 0 && argument != NULL) {
        choose_by_word(self, UNDERTEXT_PLACE_FIRST, argument, false);
    } else if (strcmp(command, "second") == 0 && argument != NULL) {
        choose_by_word(self, UNDERTEXT_PLACE_SECOND, argument, false);
    } else if (strcmp(command, "delay") == 0 && argument != NULL) {
        number = (double)undertext_model_delay(self->model) / 1e9;
        if (!change_number(argument, LONGEST_DELAY, &number)) {
            tell(self, FAILED, "command '%s' is no number of seconds, or too large", argument);
        } else {
            undertext_model_set_delay(self->model, (int64_t)(number * (double)SECOND));
            tell(self, DELAY, "%.3f", (double)undertext_model_delay(self->model) / 1e9);
        }
    } else if (strcmp(command, "scale") == 0 && argument != NULL) {
        number = self->scale;
        char text[32];
        if (!change_number(argument, 100, &number)) {
            tell(self, FAILED, "command '%s' is no factor, or too large", argument);
        } else if (snprintf(text, sizeof text, "%.2f", number), set_style(self, "scale", text)) {
            self->scale = number;
            tell(self, SCALE, "%s", text);
        }
    } else if (strcmp(command, "style") == 0 && argument != NULL) {
        if (set_style(self, argument, count > 3 ? words[3] : NULL))
            tell(self, STYLE, "%s %s", argument, count > 3 ? words[3] : "(content)");
    } else {
        tell(self, FAILED, "command '%s' is no command, or lacks its argument", command);
    }
    draw(self);
}

/* Reports a property of mpv whose changes are events. */
static void tell_property(player *self, size_t index, const mpv_event_property *property)
{
    event event = observed[index].event;
    if (property->format != observed[index].format) {
        /* It is not available: there is no item, or its duration is not known. */
        tell_value(self, event, "");
    } else if (property->format == MPV_FORMAT_FLAG) {
        tell_value(self, event, *(int *)property->data ? "yes" : "no");
    } else if (property->format == MPV_FORMAT_DOUBLE) {
        tell(self, event, "%.3f", *(double *)property->data * observed[index].scale);
    } else if (event == LOOPING) {
        tell_value(self, event, strcmp(*(char **)property->data, "no") == 0 ? "no" : "yes");
    } else {
        tell_value(self, event, *(char **)property->data);
    }
}

/* Reports the audio track: its number, and its language if it is known. */
static void tell_audio(player *self)
{
    char *track = mpv_get_property_string(self->mpv, "current-tracks/audio/id");
    char *language = mpv_get_property_string(self->mpv, "current-tracks/audio/lang");
    tell(
        self, AUDIO, "%s%s%s", track != NULL ? track : "", language != NULL ? " " : "",
        language != NULL ? language : "");
    mpv_free(track);
    mpv_free(language);
}

static void handle(player *self, const mpv_event *event)
{
    if (event->event_id == MPV_EVENT_CLIENT_MESSAGE) {
        const mpv_event_client_message *message = event->data;
        if (message->num_args > 0)
            obey(self, message->num_args, message->args);
    } else if (event->event_id == MPV_EVENT_START_FILE) {
        tell_value(self, STATUS, "loading");
    } else if (event->event_id == MPV_EVENT_FILE_LOADED) {
        tell_value(self, STATUS, "ready");
    } else if (event->event_id == MPV_EVENT_SEEK) {
        self->is_seeking = true;
    } else if (event->event_id == MPV_EVENT_PLAYBACK_RESTART) {
        double time = (double)self->time / 1e9;
        mpv_get_property(self->mpv, "time-pos", MPV_FORMAT_DOUBLE, &time);
        if (self->is_seeking)
            tell(self, SEEKED, "%.3f", time);
        self->is_seeking = false;
        tell(self, PLAYING, "%.3f", time);
    } else if (event->event_id == MPV_EVENT_PROPERTY_CHANGE) {
        const mpv_event_property *property = event->data;
        if (event->reply_userdata == SIZE) {
            resize(self);
        } else if (event->reply_userdata == TIME && property->format == MPV_FORMAT_DOUBLE) {
            self->time = (int64_t)(*(double *)property->data * (double)SECOND);
            draw(self);
        } else if (event->reply_userdata == AUDIO_TRACK) {
            tell_audio(self);
        } else if (event->reply_userdata >= OBSERVED) {
            tell_property(self, event->reply_userdata - OBSERVED, property);
        }
    }
}

/* Reports the end of a file; returns false if it failed. */
static bool tell_end(player *self, const mpv_event_end_file *end)
{
    if (end->reason == MPV_END_FILE_REASON_ERROR) {
        tell_value(self, STATUS, "failed");
        tell(self, FAILED, "playback %s", mpv_error_string(end->error));
        return false;
    }
    if (end->reason == MPV_END_FILE_REASON_EOF)
        tell_value(self, STATUS, "ended");
    return true;
}

static int run(player *self)
{
    for (size_t index = 0; index < sizeof bindings / sizeof *bindings; index++) {
        char command[128];
        snprintf(command, sizeof command, "script-message undertext %s", bindings[index][1]);
        const char *bind[] = {"keybind", bindings[index][0], command, NULL};
        mpv_command(self->mpv, bind);
    }
    mpv_observe_property(self->mpv, TIME, "time-pos", MPV_FORMAT_DOUBLE);
    mpv_observe_property(self->mpv, SIZE, "osd-dimensions", MPV_FORMAT_NONE);
    mpv_observe_property(self->mpv, SIZE, "video-out-params", MPV_FORMAT_NONE);
    mpv_observe_property(self->mpv, AUDIO_TRACK, "current-tracks/audio", MPV_FORMAT_NONE);
    for (size_t index = 0; index < sizeof observed / sizeof *observed; index++)
        mpv_observe_property(
            self->mpv, OBSERVED + index, observed[index].name, observed[index].format);
    for (;;) {
        /* Without events, cues may have been read in the background. */
        const mpv_event *event = mpv_wait_event(self->mpv, 0.1);
        if (event->event_id == MPV_EVENT_SHUTDOWN)
            return EXIT_SUCCESS;
        if (event->event_id == MPV_EVENT_NONE) {
            draw(self);
        } else if (event->event_id == MPV_EVENT_END_FILE) {
            if (!tell_end(self, event->data))
                return EXIT_FAILURE;
        } else {
            handle(self, event);
        }
        print_events(self, false);
    }
}

static int usage(void)
{
    fputs(USAGE, stderr);
    return 64;
}

/* Has only events of these names, such as "playing,cues", printed; returns false for other words. */
static bool choose_events(player *self, const char *names)
{
    for (int index = 0; index < EVENT_COUNT; index++)
        self->events.is_unwanted[index] = true;
    while (*names != '\0') {
        size_t length = strcspn(names, ",");
        int found = 0;
        while (found < EVENT_COUNT
               && (strlen(event_names[found]) != length
                   || strncmp(event_names[found], names, length) != 0))
            found++;
        if (found == EVENT_COUNT)
            return false;
        self->events.is_unwanted[found] = false;
        names += length;
        names += *names == ',';
    }
    return true;
}

/* Applies the options; called after the renderer is created, because --style needs it. */
static int take_options(player *self, int argc, char **argv)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    for (int index = 2; index + 1 < argc; index += 2) {
        const char *option = argv[index];
        char *value = argv[index + 1], *equals = strchr(value, '=');
        if (strcmp(option, "--sub") == 0) {
            if (undertext_model_add_file(self->model, value, NULL, NULL, &error) < 0)
                tell(self, FAILED, "subtitles %s", error.message);
        } else if (strcmp(option, "--lang") == 0) {
            choose_by_word(self, UNDERTEXT_PLACE_FIRST, value, true);
        } else if (strcmp(option, "--second") == 0) {
            choose_by_word(self, UNDERTEXT_PLACE_SECOND, value, true);
        } else if (strcmp(option, "--events") == 0) {
            if (!choose_events(self, value))
                return usage();
        } else if (strcmp(option, "--batch") == 0) {
            double seconds = 0;
            if (!change_number(value, 3600, &seconds) || seconds < 0)
                return usage();
            self->events.interval = (int64_t)(seconds * 1e6);
        } else if (strcmp(option, "--mpv") == 0 && equals != NULL) {
            *equals = '\0';
            int status = mpv_set_option_string(self->mpv, value, equals + 1);
            if (status < 0)
                tell(self, FAILED, "option %s: %s", value, mpv_error_string(status));
        } else if (strcmp(option, "--style") == 0 && equals != NULL) {
            *equals = '\0';
            if (!set_style(self, value, equals + 1))
                return usage();
        } else {
            return usage();
        }
    }
    return argc % 2 == 0 ? 0 : usage();
}

int main(int argc, char **argv)
{
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(USAGE, stdout);
        return 0;
    }
    /* A file whose name begins with a hyphen must be passed as ./-name. */
    if (argc < 2 || argv[1][0] == '-')
        return usage();
    /* libmpv requires it. */
    setlocale(LC_NUMERIC, "C");
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    player self = {.geometry = UNDERTEXT_INIT(undertext_geometry), .scale = 1};
    self.geometry.video_width = 1280;
    self.geometry.video_height = 720;
    self.mpv = mpv_create();
    self.model = undertext_model_create();
    if (self.mpv == NULL)
        return EXIT_FAILURE;
    for (size_t index = 0; index < sizeof defaults / sizeof *defaults; index++)
        mpv_set_option_string(self.mpv, defaults[index][0], defaults[index][1]);
    if (undertext_model_add_video(self.model, argv[1], true, &error) < 0)
        tell(&self, FAILED, "subtitles %s", error.message);
    if (undertext_renderer_create(self.model, &self.geometry, &self.renderer, &error) < 0)
        tell(&self, FAILED, "overlay %s", error.message);
    /* Before --style, which overrides the settings. */
    if (self.renderer != NULL && undertext_renderer_load_settings(self.renderer, NULL, &error) < 0)
        tell(&self, FAILED, "style %s", error.message);
    int result = take_options(&self, argc, argv);
    if (result == 0) {
        const char *load[] = {"loadfile", argv[1], NULL};
        result = mpv_initialize(self.mpv) < 0 || mpv_command(self.mpv, load) < 0
            ? EXIT_FAILURE : run(&self);
    }
    print_events(&self, true);
    undertext_renderer_free(self.renderer);
    undertext_model_free(self.model);
    for (int index = 0; index < EVENT_COUNT; index++)
        free(self.events.told[index]);
    mpv_terminate_destroy(self.mpv);
    return result;
}
