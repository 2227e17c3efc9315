/*
 * undertext.so: a C plugin of mpv that reads and draws subtitles with Undertext.
 *
 * mpv keeps choosing subtitles: its keys, options and controls work as before, and the plugin shows what mpv has
 * selected, hides mpv's own drawing meanwhile, and adds subtitles that mpv does not find. If something cannot be read,
 * mpv draws. Documentation/Mpv.md lists options, keys and commands.
 */
#define _POSIX_C_SOURCE 200809L
#include "plugin.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 16
#define LONGEST_DELAY 1e6 /* in seconds */

/* The observed properties. */
enum { TIME = 1, DIMENSIONS, TRACKS, FIRST, FIRST_VISIBLE, SECOND_SID, SECOND_VISIBLE, DELAY, SCALE, POSITION, IDLE, RATE };

static const struct {
    uint64_t id;
    const char *name;
    mpv_format format;
} observed[] = {
    {TIME, "time-pos", MPV_FORMAT_DOUBLE},
    {DIMENSIONS, "osd-dimensions", MPV_FORMAT_NONE},
    {DIMENSIONS, "video-out-params", MPV_FORMAT_NONE},
    {TRACKS, "track-list", MPV_FORMAT_NONE},
    {FIRST, "sid", MPV_FORMAT_NONE},
    {FIRST_VISIBLE, "sub-visibility", MPV_FORMAT_FLAG},
    {SECOND_SID, "secondary-sid", MPV_FORMAT_NONE},
    {SECOND_VISIBLE, "secondary-sub-visibility", MPV_FORMAT_FLAG},
    {DELAY, "sub-delay", MPV_FORMAT_DOUBLE},
    {SCALE, "sub-scale", MPV_FORMAT_DOUBLE},
    {POSITION, "sub-pos", MPV_FORMAT_DOUBLE},
    {IDLE, "core-idle", MPV_FORMAT_FLAG},
    {RATE, "container-fps", MPV_FORMAT_DOUBLE},
};

static char *format_list(const char *format, va_list arguments)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    vfprintf(stream, format, arguments);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

char *format_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    return text;
}

/* U+200E, U+200F, U+202A to U+202E, U+2028, U+2029 and U+2066 to U+2069; U+0080 to U+009F are control characters. */
static size_t unwanted(const unsigned char *text)
{
    if (text[0] < ' ' || text[0] == 0x7F)
        return 1;
    if (text[0] == 0xC2 && text[1] >= 0x80 && text[1] < 0xA0)
        return 2;
    if (text[0] != 0xE2 || (text[1] != 0x80 && text[1] != 0x81))
        return 0;
    bool is_direction = text[1] == 0x80
        ? text[2] == 0x8E || text[2] == 0x8F || (text[2] >= 0xA8 && text[2] <= 0xAE)
        : text[2] >= 0xA6 && text[2] <= 0xA9;
    return is_direction ? 3 : 0;
}

char *plain_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1), *end = copy;
    if (copy == NULL)
        return NULL;
    while (*text != '\0') {
        size_t length = unwanted((const unsigned char *)text);
        if (length == 0)
            *end++ = *text++;
        else
            *end++ = ' ';
        text += length;
    }
    *end = '\0';
    return copy;
}

void plugin_command(plugin *self, ...)
{
    const char *words[MOST_WORDS + 1];
    size_t count = 0;
    va_list arguments;
    va_start(arguments, self);
    while (count < MOST_WORDS && (words[count] = va_arg(arguments, const char *)) != NULL)
        count++;
    va_end(arguments);
    words[count] = NULL;
    mpv_command(self->mpv, words);
}

static void print(plugin *self, const char *text)
{
    char *line = text != NULL ? plain_text(text) : NULL;
    char *named = line != NULL ? format_text("[%s] %s", self->name, line) : NULL;
    if (named != NULL)
        plugin_command(self, "print-text", named, NULL);
    free(named);
    free(line);
}

void plugin_log(plugin *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    print(self, text);
    free(text);
}

void plugin_show(plugin *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    print(self, text);
    char *line = text != NULL ? plain_text(text) : NULL;
    char *named = line != NULL ? format_text("Undertext: %s", line) : NULL;
    if (named != NULL)
        plugin_command(self, "show-text", named, "3000", NULL);
    free(named);
    free(line);
    free(text);
}

/* Changes a property of mpv by a signed number, or sets it. */
static void change_property(plugin *self, const char *name, const char *word)
{
    plugin_command(
        self, "osd-msg", word[0] == '+' || word[0] == '-' ? "add" : "set", name, word, NULL);
}

static void change_second_delay(plugin *self, const char *word)
{
    char *end = NULL;
    double seconds = strtod(word, &end);
    if (end == word || *end != '\0' || !(fabs(seconds) <= LONGEST_DELAY)) {
        plugin_show(self, "'%s' is no number of seconds, or too large", word);
        return;
    }
    int64_t delay = (int64_t)llround(seconds * (double)SECOND);
    if (word[0] == '+' || word[0] == '-')
        delay += self->selections[UNDERTEXT_PLACE_SECOND].delay;
    selection_set_second_delay(self, delay);
    plugin_show(
        self, "second delay %+.1f s",
        (double)self->selections[UNDERTEXT_PLACE_SECOND].delay / (double)SECOND);
}

/* Executes `script-message undertext COMMAND [ARGUMENT...]`. */
static void obey(plugin *self, int count, const char **words)
{
    const char *command = count > 1 ? words[1] : "", *argument = count > 2 ? words[2] : NULL;
    const char *value = count > 3 ? words[3] : NULL;
    if (strcmp(command, "menu") == 0) {
        menu_toggle(self);
    } else if (strcmp(command, "key") == 0 && argument != NULL) {
        menu_key(self, argument, value);
    } else if (strcmp(command, "subtitles") == 0 && argument != NULL) {
        selection_choose(self, UNDERTEXT_PLACE_FIRST, argument);
    } else if (strcmp(command, "second") == 0 && argument != NULL) {
        selection_choose(self, UNDERTEXT_PLACE_SECOND, argument);
    } else if (strcmp(command, "toggle") == 0) {
        bool is_visible = self->selections[UNDERTEXT_PLACE_FIRST].is_visible;
        selection_show(self, UNDERTEXT_PLACE_SECOND, !is_visible);
        selection_show(self, UNDERTEXT_PLACE_FIRST, !is_visible);
    } else if (strcmp(command, "delay") == 0 && argument != NULL) {
        change_property(self, "sub-delay", argument);
    } else if (strcmp(command, "second-delay") == 0 && argument != NULL) {
        change_second_delay(self, argument);
    } else if (strcmp(command, "scale") == 0 && argument != NULL) {
        change_property(self, "sub-scale", argument);
    } else if (strcmp(command, "style") == 0 && argument != NULL) {
        for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++)
            if (!overlay_set_style(self, (undertext_place)place, argument, value))
                break;
    } else if (strcmp(command, "second-style") == 0 && argument != NULL) {
        overlay_set_style(self, UNDERTEXT_PLACE_SECOND, argument, value);
    } else if (strcmp(command, "search") == 0) {
        search_start(self, argument != NULL ? argument : "");
    } else if (strcmp(command, "enable") == 0) {
        selection_enable(
            self, argument == NULL ? !self->is_enabled : strcmp(argument, "no") != 0);
    } else {
        plugin_show(self, "'%s' is no command, or lacks its argument", command);
    }
    overlay_draw(self);
}

static void message(plugin *self, const mpv_event_client_message *message)
{
    if (message->num_args > 0 && strcmp(message->args[0], "undertext") == 0)
        obey(self, message->num_args, message->args);
    else if (message->num_args > 3 && strcmp(message->args[0], "key-binding") == 0
             && message->args[2][0] != 'u')
        /* A key of the menu; with text if it is a letter. */
        menu_key(self, message->args[1], message->num_args > 4 ? message->args[4] : NULL);
}

static void start(plugin *self)
{
    char *input = mpv_get_property_string(self->mpv, "stream-open-filename");
    char *agent = mpv_get_property_string(self->mpv, "user-agent");
    if (input != NULL)
        self->session = session_open(
            self->mpv, input, agent != NULL && *agent != '\0' ? agent : NULL, self->options.sidecars);
    mpv_free(input);
    mpv_free(agent);
    if (self->session == NULL)
        return;
    self->model = session_model(self->session);
    self->generation = 0;
    self->diagnostics = 0;
    undertext_model_set_delay(self->model, (int64_t)llround(self->sub_delay * (double)SECOND));
    selection_start(self);
    overlay_resize(self);
}

static void stop(plugin *self)
{
    search_cancel(self);
    menu_close(self);
    overlay_stop(self);
    selection_stop(self);
    session_close(self->session);
    self->session = NULL;
    self->model = NULL;
    self->has_time = false;
}

static void changed(plugin *self, uint64_t id, const mpv_event_property *property)
{
    double number = property->format == MPV_FORMAT_DOUBLE ? *(double *)property->data : 0;
    bool is_number = property->format == MPV_FORMAT_DOUBLE && isfinite(number);
    bool is_flag = property->format == MPV_FORMAT_FLAG, flag = is_flag && *(int *)property->data != 0;
    switch (id) {
    case TIME:
        self->has_time = is_number;
        self->time = number;
        break;
    case IDLE: self->is_playing = is_flag && !flag; break;
    case RATE: self->frame = is_number && number >= 20 ? 1 / number : 0; break;
    case DIMENSIONS: overlay_resize(self); break;
    case TRACKS:
    case FIRST: selection_follow(self, UNDERTEXT_PLACE_FIRST); break;
    case SECOND_SID: selection_follow(self, UNDERTEXT_PLACE_SECOND); break;
    case FIRST_VISIBLE:
        if (is_flag)
            selection_visibility_changed(self, UNDERTEXT_PLACE_FIRST, flag);
        break;
    case SECOND_VISIBLE:
        if (is_flag)
            selection_visibility_changed(self, UNDERTEXT_PLACE_SECOND, flag);
        break;
    case DELAY:
        self->sub_delay = is_number ? fmin(fmax(number, -LONGEST_DELAY), LONGEST_DELAY) : 0;
        undertext_model_set_delay(self->model, (int64_t)llround(self->sub_delay * (double)SECOND));
        menu_draw(self);
        break;
    case SCALE:
    case POSITION:
        *(id == SCALE ? &self->sub_scale : &self->sub_pos) = is_number ? number : id == SCALE ? 1 : 100;
        overlay_follow_mpv(self);
        menu_draw(self);
        break;
    }
}

static void handle(plugin *self, const mpv_event *event)
{
    switch (event->event_id) {
    case MPV_EVENT_FILE_LOADED:
        stop(self);
        start(self);
        break;
    case MPV_EVENT_END_FILE: stop(self); break;
    case MPV_EVENT_CLIENT_MESSAGE: message(self, event->data); break;
    case MPV_EVENT_PROPERTY_CHANGE: changed(self, event->reply_userdata, event->data); break;
    case MPV_EVENT_COMMAND_REPLY: search_reply(self, event); break;
    default: break;
    }
}

static void prepare(plugin *self)
{
    /* The visibility that this plugin sets must not be saved with the playback position. */
    plugin_command(self, "change-list", "watch-later-options", "remove", "sub-visibility", NULL);
    plugin_command(self, "change-list", "watch-later-options", "remove", "secondary-sub-visibility", NULL);
    char *section = format_text("%s-keys", self->name);
    char *binding = format_text("%s script-message-to %s undertext menu\n", self->options.menu_key, self->name);
    if (section != NULL && binding != NULL && *self->options.menu_key != '\0') {
        plugin_command(self, "define-section", section, binding, "default", NULL);
        plugin_command(self, "enable-section", section, NULL);
    }
    free(section);
    free(binding);
    for (size_t index = 0; index < sizeof observed / sizeof *observed; index++)
        mpv_observe_property(self->mpv, observed[index].id, observed[index].name, observed[index].format);
}

/* mpv calls this function on a thread of its own, and ends the plugin when it returns. */
__attribute__((visibility("default"))) int mpv_open_cplugin(mpv_handle *mpv)
{
    plugin self = {.mpv = mpv, .sub_scale = 1, .sub_pos = 100};
    self.name = strdup(mpv_client_name(mpv));
    if (self.name == NULL)
        return -1;
    options_read(&self);
    self.is_enabled = self.options.enabled;
    prepare(&self);
    for (bool is_running = true; is_running;) {
        bool has_event = true;
        /* Waits once, and then takes all events that are there, so that only the last time is drawn. */
        for (double timeout = -1; has_event && is_running; timeout = 0) {
            const mpv_event *event = mpv_wait_event(mpv, timeout);
            has_event = event->event_id != MPV_EVENT_NONE;
            is_running = event->event_id != MPV_EVENT_SHUTDOWN;
            handle(&self, event);
        }
        if (is_running) {
            selection_take_results(&self);
            selection_update(&self);
            overlay_draw(&self);
        }
    }
    stop(&self);
    free(self.menu.results);
    free(self.menu.status);
    options_free(&self);
    free(self.name);
    return 0;
}
