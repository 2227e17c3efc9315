/* Shows what mpv has selected, and subtitles that mpv does not know. */
#define _POSIX_C_SOURCE 200809L
#include "plugin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const track_property[PLACES] = {"sid", "secondary-sid"};
static const char *const visibility_property[PLACES] = {"sub-visibility", "secondary-sub-visibility"};

/* A subtitle track that mpv knows. */
typedef struct known_track {
    int64_t id;       /* the value of sid; 0 for none */
    int64_t ff_index; /* of the stream, or -1 */
    bool is_external;
    const char *file; /* of an external track; belongs to the node */
} known_track;

static known_track describe(const mpv_node *entry)
{
    known_track track = {.ff_index = -1};
    bool is_subtitle = false;
    for (int index = 0; entry->format == MPV_FORMAT_NODE_MAP && index < entry->u.list->num; index++) {
        const char *key = entry->u.list->keys[index];
        const mpv_node *value = &entry->u.list->values[index];
        if (value->format == MPV_FORMAT_STRING && strcmp(key, "type") == 0)
            is_subtitle = strcmp(value->u.string, "sub") == 0;
        else if (value->format == MPV_FORMAT_STRING && strcmp(key, "external-filename") == 0)
            track.file = value->u.string;
        else if (value->format == MPV_FORMAT_INT64 && strcmp(key, "id") == 0)
            track.id = value->u.int64;
        else if (value->format == MPV_FORMAT_INT64 && strcmp(key, "ff-index") == 0)
            track.ff_index = value->u.int64;
        else if (value->format == MPV_FORMAT_FLAG && strcmp(key, "external") == 0)
            track.is_external = value->u.flag != 0;
    }
    if (!is_subtitle)
        track.id = 0;
    return track;
}

/* Returns the stream at the end of an identifier such as `video:movie.mkv#2`, or -1, and the length before it. */
static int64_t stream_of(const char *id, size_t *length)
{
    const char *mark = strrchr(id, '#');
    *length = strlen(id);
    if (mark == NULL || mark[1] == '\0' || strspn(mark + 1, "0123456789") != strlen(mark + 1))
        return -1;
    *length = (size_t)(mark - id);
    return strtoll(mark + 1, NULL, 10);
}

static bool is_same_file(const char *path, const char *other)
{
    struct stat one, two;
    if (strcmp(path, other) == 0)
        return true;
    if (strstr(path, "://") != NULL)
        return strncmp(path, other, strcspn(path, "?#")) == 0 && strcspn(path, "?#") == strcspn(other, "?#");
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

/* Returns true if an entry of the model's list is a track of mpv. */
static bool is_same(const undertext_subtitle *entry, const known_track *track)
{
    size_t length = 0;
    int64_t stream = stream_of(entry->id, &length);
    if (!track->is_external)
        return !entry->is_external && stream == track->ff_index;
    const char *path = strchr(entry->id, ':');
    if (!entry->is_external || track->file == NULL || path == NULL)
        return false;
    path++;
    char *file = strndup(path, length - (size_t)(path - entry->id));
    bool is_equal = file != NULL && is_same_file(file, track->file)
        && (stream < 0 || track->ff_index < 0 || stream == track->ff_index);
    free(file);
    return is_equal;
}

/* Finds the track of mpv with a number, or the one of an entry; its `id` is 0 if there is none. */
static known_track find_track(const mpv_node *tracks, int64_t id, const undertext_subtitle *entry)
{
    known_track none = {.id = 0};
    for (int index = 0; tracks->format == MPV_FORMAT_NODE_ARRAY && index < tracks->u.list->num; index++) {
        known_track track = describe(&tracks->u.list->values[index]);
        if (track.id != 0 && (entry != NULL ? is_same(entry, &track) : track.id == id))
            return track;
    }
    return none;
}

static mpv_node track_list(plugin *self)
{
    mpv_node tracks = {.format = MPV_FORMAT_NONE};
    mpv_get_property(self->mpv, "track-list", MPV_FORMAT_NODE, &tracks);
    return tracks;
}

/* Returns the number of the track that mpv has selected, 0 for none, -1 before mpv has chosen. */
static int64_t selected_by_mpv(plugin *self, undertext_place place)
{
    char *text = mpv_get_property_string(self->mpv, track_property[place]);
    int64_t id = text == NULL || strcmp(text, "auto") == 0 ? -1 : strtoll(text, NULL, 10);
    mpv_free(text);
    return id;
}

static void set_flag(plugin *self, const char *name, bool value)
{
    int flag = value;
    mpv_set_property(self->mpv, name, MPV_FORMAT_FLAG, &flag);
}

/* Makes mpv draw, or not. */
static void set_visibility(plugin *self, undertext_place place)
{
    selection *chosen = &self->selections[place];
    chosen->is_taken = self->model != NULL && self->is_open && self->is_enabled && !chosen->has_failed;
    set_flag(self, visibility_property[place], !chosen->is_taken && chosen->is_visible);
}

/* The time that mpv subtracts from the times of tracks within the input, and the model does not, or the opposite. */
static int64_t delay_of_tracks(plugin *self)
{
    double start = 0;
    int rebases = 1;
    if (mpv_get_property(self->mpv, "demuxer-start-time", MPV_FORMAT_DOUBLE, &start) < 0 || !isfinite(start)
        || fabs(start) > 1e8)
        return 0;
    mpv_get_property(self->mpv, "options/rebase-start-time", MPV_FORMAT_FLAG, &rebases);
    char *format = mpv_get_property_string(self->mpv, "file-format");
    bool model_subtracts = format != NULL
        && (strcmp(format, "mpegts") == 0 || strcmp(format, "mpeg") == 0 || strcmp(format, "hls") == 0);
    mpv_free(format);
    return (int64_t)llround(start * (double)SECOND) * ((model_subtracts ? 1 : 0) - (rebases ? 1 : 0));
}

/* Passes the selection of a place to the model. */
static void apply(plugin *self, undertext_place place)
{
    selection *chosen = &self->selections[place];
    undertext_model_select(self->model, place, chosen->is_visible ? chosen->id : NULL);
    if (chosen->id != NULL) {
        bool is_in_video = strncmp(chosen->id, "video:", 6) == 0;
        undertext_model_set_subtitle_delay(
            self->model, chosen->id, chosen->delay + (is_in_video ? delay_of_tracks(self) : 0));
    }
    set_visibility(self, place);
    menu_draw(self);
}

static void select_id(plugin *self, undertext_place place, const char *id, bool is_own)
{
    selection *chosen = &self->selections[place];
    char *copy = id != NULL ? strdup(id) : NULL;
    free(chosen->id);
    chosen->id = copy;
    chosen->is_own = is_own && copy != NULL;
    chosen->has_failed = false;
    chosen->is_reported = false;
    apply(self, place);
}

/* Leaves the track that mpv has selected to mpv. */
static void fail(plugin *self, undertext_place place, bool is_unreadable)
{
    selection *chosen = &self->selections[place];
    chosen->is_reported = is_unreadable;
    chosen->failed = selected_by_mpv(self, place);
    undertext_model_select(self->model, place, NULL);
    free(chosen->id);
    chosen->id = NULL;
    chosen->is_own = false;
    chosen->has_failed = true;
    set_visibility(self, place);
    menu_draw(self);
}

void selection_follow(plugin *self, undertext_place place)
{
    selection *chosen = &self->selections[place];
    int64_t id = selected_by_mpv(self, place);
    if (self->model == NULL || !self->is_open || id < 0)
        return;
    if (id == 0) {
        if (!chosen->is_own && (chosen->id != NULL || chosen->has_failed))
            select_id(self, place, NULL, false);
        return;
    }
    mpv_node tracks = track_list(self);
    known_track track = find_track(&tracks, id, NULL);
    undertext_list *list = undertext_model_list(self->model);
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    bool is_found = false;
    for (size_t index = 0; track.id != 0 && !is_found && index < undertext_list_count(list); index++)
        is_found = undertext_list_get(list, index, &entry) == UNDERTEXT_STATUS_OK && is_same(&entry, &track);
    if (is_found) {
        bool is_left = chosen->has_failed && chosen->failed == id && chosen->is_reported;
        if (!is_left && (chosen->id == NULL || strcmp(chosen->id, entry.id) != 0))
            select_id(self, place, entry.id, false);
        chosen->is_own = false;
    } else if (track.id != 0 && !(chosen->has_failed && chosen->failed == id)) {
        fail(self, place, false);
        /* A file that the user added to mpv. */
        if (track.is_external && track.file != NULL)
            session_add(self->session, track.file, false);
    }
    undertext_list_free(list);
    mpv_free_node_contents(&tracks);
}

/* Selects subtitles of the list. If mpv knows them, mpv selects them, too, so that its keys and controls agree. */
static void choose(plugin *self, undertext_place place, const undertext_subtitle *entry)
{
    mpv_node tracks = track_list(self);
    known_track track = entry != NULL ? find_track(&tracks, 0, entry) : (known_track){.id = 0};
    mpv_free_node_contents(&tracks);
    select_id(self, place, entry != NULL ? entry->id : NULL, track.id == 0);
    char *value = track.id == 0 ? strdup("no") : format_text("%lld", (long long)track.id);
    if (value != NULL)
        mpv_set_property_string(self->mpv, track_property[place], value);
    free(value);
}

static bool is_selected(const undertext_subtitle *entry, undertext_place place)
{
    return place == UNDERTEXT_PLACE_SECOND ? entry->is_second : entry->place == UNDERTEXT_PLACE_FIRST;
}

/* Selects by languages; returns false if nothing matches. */
static bool choose_language(plugin *self, undertext_place place, const char *languages)
{
    undertext_status status = undertext_model_select_language(self->model, place, languages, NULL);
    if (status == UNDERTEXT_STATUS_INVALID_ARGUMENT)
        plugin_log(self, "'%s' is no list of languages", languages);
    undertext_list *list = undertext_model_list(self->model);
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    bool is_found = false;
    for (size_t index = 0; status == UNDERTEXT_STATUS_OK && !is_found && index < undertext_list_count(list); index++)
        is_found = undertext_list_get(list, index, &entry) == UNDERTEXT_STATUS_OK && is_selected(&entry, place);
    if (is_found)
        choose(self, place, &entry);
    else
        apply(self, place);
    undertext_list_free(list);
    return is_found;
}

/* Selects the entry `step` places further in the list; after the last one, none. */
static void choose_next(plugin *self, undertext_place place, size_t step)
{
    const char *id = self->selections[place].id, *other = self->selections[1 - place].id;
    undertext_list *list = undertext_model_list(self->model);
    size_t count = undertext_list_count(list), now = count;
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    for (size_t index = 0; id != NULL && index < count; index++)
        if (undertext_list_get(list, index, &entry) == UNDERTEXT_STATUS_OK && strcmp(entry.id, id) == 0)
            now = index;
    /* Subtitles of the other place are left out, because they would be shown twice. */
    do {
        now = (now + (step == 1 ? 1 : count)) % (count + 1);
        undertext_list_get(list, now, &entry);
    } while (now != count && (entry.state == UNDERTEXT_STATE_FAILED || (other != NULL && strcmp(entry.id, other) == 0)));
    choose(self, place, now == count ? NULL : &entry);
    char *name = now == count ? strdup("off") : strdup(entry.name);
    undertext_list_free(list);
    if (name != NULL)
        plugin_show(self, "%s: %s", place == UNDERTEXT_PLACE_FIRST ? "subtitles" : "second subtitles", name);
    free(name);
}

void selection_choose(plugin *self, undertext_place place, const char *word)
{
    if (self->model == NULL || !self->is_open) {
        plugin_show(self, "the subtitles are not open yet");
        return;
    }
    self->selections[place].is_visible = true;
    if (strcmp(word, "next") == 0 || strcmp(word, "previous") == 0) {
        choose_next(self, place, word[0] == 'n' ? 1 : SIZE_MAX);
        return;
    }
    if (strcmp(word, "off") == 0) {
        choose(self, place, NULL);
        return;
    }
    undertext_list *list = undertext_model_list(self->model);
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    bool is_found = false;
    for (size_t index = 0; !is_found && index < undertext_list_count(list); index++)
        is_found = undertext_list_get(list, index, &entry) == UNDERTEXT_STATUS_OK && strcmp(entry.id, word) == 0;
    if (is_found)
        choose(self, place, &entry);
    else if (!choose_language(self, place, word))
        plugin_show(self, "there are no subtitles called %s", word);
    undertext_list_free(list);
}

/* Selects by language where mpv has selected nothing although it was free to. */
static void choose_defaults(plugin *self)
{
    char *option = mpv_get_property_string(self->mpv, "options/sid");
    char *slang = mpv_get_property_string(self->mpv, "options/slang");
    const char *languages = *self->options.languages != '\0' ? self->options.languages : slang;
    if (self->selections[UNDERTEXT_PLACE_FIRST].id == NULL && !self->selections[UNDERTEXT_PLACE_FIRST].has_failed
        && languages != NULL && *languages != '\0' && option != NULL && strcmp(option, "auto") == 0)
        choose_language(self, UNDERTEXT_PLACE_FIRST, languages);
    if (*self->options.second != '\0' && self->selections[UNDERTEXT_PLACE_SECOND].id == NULL)
        choose_language(self, UNDERTEXT_PLACE_SECOND, self->options.second);
    mpv_free(option);
    mpv_free(slang);
}

/* Shows a download at once, in the first place. */
static void choose_download(plugin *self, const char *input)
{
    known_track file = {.is_external = true, .ff_index = -1, .file = input};
    undertext_list *list = undertext_model_list(self->model);
    for (size_t index = 0; index < undertext_list_count(list); index++) {
        undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
        if (undertext_list_get(list, index, &entry) == UNDERTEXT_STATUS_OK && is_same(&entry, &file)) {
            self->selections[UNDERTEXT_PLACE_FIRST].is_visible = true;
            choose(self, UNDERTEXT_PLACE_FIRST, &entry);
            break;
        }
    }
    undertext_list_free(list);
}

void selection_take_results(plugin *self)
{
    session_result result;
    while (session_take_result(self->session, &result)) {
        if (result.error.status < 0) {
            /* mpv's own drawing is a replacement for what the user may not have noticed. */
            if (result.is_download)
                plugin_show(self, "%s", result.error.message);
            else
                plugin_log(self, "%s", result.error.message);
        } else if (result.input != NULL) {
            if (result.is_download)
                choose_download(self, result.input);
        }
        bool is_first = result.input == NULL;
        self->is_open = self->is_open || is_first;
        for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++) {
            if (is_first)
                apply(self, (undertext_place)place);
            selection_follow(self, (undertext_place)place);
        }
        if (is_first)
            choose_defaults(self);
        free(result.input);
    }
}

void selection_update(plugin *self)
{
    uint64_t generation = undertext_model_generation(self->model);
    if (self->model == NULL || generation == self->generation)
        return;
    self->generation = generation;
    undertext_list *list = undertext_model_list(self->model);
    for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++) {
        selection *chosen = &self->selections[place];
        for (size_t index = 0; chosen->id != NULL && index < undertext_list_count(list); index++) {
            undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
            if (undertext_list_get(list, index, &entry) != UNDERTEXT_STATUS_OK || strcmp(entry.id, chosen->id) != 0)
                continue;
            if (entry.state == UNDERTEXT_STATE_FAILED && !chosen->is_reported) {
                plugin_show(self, "%s", entry.error != NULL ? entry.error : "the subtitles cannot be read");
                chosen->is_reported = true;
                if (!chosen->is_own)
                    fail(self, (undertext_place)place, true);
            } else if (entry.warning != NULL && !chosen->is_reported) {
                plugin_log(self, "%s: %s", entry.name, entry.warning);
                chosen->is_reported = true;
            }
        }
    }
    undertext_list_free(list);
    menu_draw(self);
}

void selection_visibility_changed(plugin *self, undertext_place place, bool is_visible)
{
    selection *chosen = &self->selections[place];
    int now = is_visible;
    /* The event may be older than what this plugin has set since. */
    mpv_get_property(self->mpv, visibility_property[place], MPV_FORMAT_FLAG, &now);
    if (!chosen->is_taken)
        chosen->is_visible = now != 0;
    else if (now != 0)
        selection_show(self, place, !chosen->is_visible);
}

void selection_show(plugin *self, undertext_place place, bool is_visible)
{
    self->selections[place].is_visible = is_visible;
    if (self->model != NULL && self->is_open)
        apply(self, place);
    else
        set_visibility(self, place);
    plugin_command(self, "show-text", is_visible ? "Subtitles: visible" : "Subtitles: hidden", NULL);
}

void selection_set_second_delay(plugin *self, int64_t delay)
{
    self->selections[UNDERTEXT_PLACE_SECOND].delay = delay;
    if (self->model != NULL && self->is_open)
        apply(self, UNDERTEXT_PLACE_SECOND);
}

void selection_enable(plugin *self, bool is_enabled)
{
    self->is_enabled = is_enabled;
    if (!is_enabled)
        overlay_remove(self);
    for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++)
        set_visibility(self, (undertext_place)place);
    plugin_show(self, "%s", is_enabled ? "subtitles are drawn by Undertext" : "subtitles are drawn by mpv");
    menu_draw(self);
}

void selection_start(plugin *self)
{
    for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++) {
        int is_visible = 1;
        mpv_get_property(self->mpv, visibility_property[place], MPV_FORMAT_FLAG, &is_visible);
        self->selections[place] = (selection){.is_visible = is_visible != 0};
    }
}

void selection_stop(plugin *self)
{
    self->is_open = false;
    for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++) {
        selection *chosen = &self->selections[place];
        if (chosen->is_taken)
            set_flag(self, visibility_property[place], chosen->is_visible);
        chosen->is_taken = false;
        free(chosen->id);
        chosen->id = NULL;
    }
}
