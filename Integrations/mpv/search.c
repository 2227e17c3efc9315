/* Searches and downloads with the command `undertext search`, which mpv runs without waiting for it. */
#define _POSIX_C_SOURCE 200809L
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

#define MOST_ARGUMENTS 16
#define MOST_OUTPUT (1 << 20)

typedef struct arguments {
    mpv_node nodes[MOST_ARGUMENTS];
    mpv_node_list list;
} arguments;

static void push(arguments *self, const char *word)
{
    if (self->list.num < MOST_ARGUMENTS) {
        mpv_node *node = &self->nodes[self->list.num++];
        node->format = MPV_FORMAT_STRING;
        node->u.string = (char *)(uintptr_t)word;
    }
}

/* Returns the environment with the keys of the options, ended by NULL; the caller frees the array and its last two. */
static char **environment(plugin *self, size_t *own)
{
    size_t count = 0;
    while (environ != NULL && environ[count] != NULL)
        count++;
    char **all = calloc(count + 3, sizeof *all);
    if (all == NULL)
        return NULL;
    const char *keys[] = {self->options.opensubtitles_api_key, self->options.assrt_token};
    const char *const names[] = {"OPENSUBTITLES_API_KEY=", "ASSRT_TOKEN="};
    size_t used = 0;
    for (size_t index = 0; index < count; index++)
        if ((*keys[0] == '\0' || strncmp(environ[index], names[0], strlen(names[0])) != 0)
            && (*keys[1] == '\0' || strncmp(environ[index], names[1], strlen(names[1])) != 0))
            all[used++] = environ[index];
    *own = used;
    for (size_t index = 0; index < 2; index++)
        if (*keys[index] != '\0' && (all[used] = format_text("%s%s", names[index], keys[index])) != NULL)
            used++;
    return all;
}

/* Runs the command with arguments; mpv sends its output as a reply. */
static void run(plugin *self, uint64_t reply, arguments *words)
{
    size_t own = 0, count = 0;
    char **variables = environment(self, &own);
    while (variables != NULL && variables[count] != NULL)
        count++;
    mpv_node *variable_nodes = calloc(count + 1, sizeof *variable_nodes);
    if (variables == NULL || variable_nodes == NULL)
        goto finished;
    for (size_t index = 0; index < count; index++) {
        variable_nodes[index].format = MPV_FORMAT_STRING;
        variable_nodes[index].u.string = variables[index];
    }
    words->list.values = words->nodes;
    mpv_node_list variable_list = {.num = (int)count, .values = variable_nodes};
    char *names[] = {"name", "args", "env", "playback_only", "capture_stdout", "capture_stderr", "capture_size"};
    mpv_node values[] = {
        {.format = MPV_FORMAT_STRING, .u.string = "subprocess"},
        {.format = MPV_FORMAT_NODE_ARRAY, .u.list = &words->list},
        {.format = MPV_FORMAT_NODE_ARRAY, .u.list = &variable_list},
        {.format = MPV_FORMAT_FLAG, .u.flag = 0},
        {.format = MPV_FORMAT_FLAG, .u.flag = 1},
        {.format = MPV_FORMAT_FLAG, .u.flag = 1},
        {.format = MPV_FORMAT_INT64, .u.int64 = MOST_OUTPUT},
    };
    mpv_node_list map = {.num = sizeof values / sizeof *values, .values = values, .keys = names};
    mpv_node command = {.format = MPV_FORMAT_NODE_MAP, .u.list = &map};
    if (mpv_command_node_async(self->mpv, reply, &command) >= 0)
        self->is_searching = true;
finished:
    for (size_t index = own; index < count; index++)
        free(variables[index]);
    free(variable_nodes);
    free(variables);
}

/* What to search: the title that the user entered, or the media file. The caller frees it. */
static char *target(plugin *self)
{
    if (*self->menu.query != '\0')
        return strdup(self->menu.query);
    char *path = mpv_get_property_string(self->mpv, "path");
    char *copy = NULL;
    if (path != NULL && path[0] == '-')
        copy = format_text("./%s", path);
    else if (path != NULL)
        copy = strdup(path);
    mpv_free(path);
    return copy;
}

/* Returns the folder of downloads if it has to be named: beside the video is the default of the command. */
static char *folder(plugin *self)
{
    if (*self->options.download_folder != '\0') {
        const char *expand[] = {"expand-path", self->options.download_folder, NULL};
        mpv_node node = {.format = MPV_FORMAT_NONE};
        char *copy = NULL;
        if (mpv_command_ret(self->mpv, expand, &node) >= 0 && node.format == MPV_FORMAT_STRING)
            copy = strdup(node.u.string);
        mpv_free_node_contents(&node);
        return copy;
    }
    char *path = mpv_get_property_string(self->mpv, "path");
    char *copy = NULL;
    if (path != NULL && strstr(path, "://") == NULL && *self->menu.query != '\0') {
        /* A title has no folder, so its subtitles go beside the video, too. */
        const char *slash = strrchr(path, '/');
        copy = slash == NULL ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
    }
    mpv_free(path);
    return copy;
}

static void perform(plugin *self, uint64_t reply, const char *number)
{
    char *what = target(self), *output = number != NULL ? folder(self) : NULL;
    char *slang = mpv_get_property_string(self->mpv, "options/slang");
    const char *languages = *self->options.search_languages != '\0' ? self->options.search_languages
        : *self->options.languages != '\0'                        ? self->options.languages
                                                                    : slang;
    arguments words = {.list = {.num = 0}};
    push(&words, self->options.command);
    push(&words, "search");
    if (languages != NULL && *languages != '\0') {
        push(&words, "--languages");
        push(&words, languages);
    }
    if (number != NULL) {
        push(&words, "--download");
        push(&words, number);
    }
    if (output != NULL) {
        push(&words, "--output");
        push(&words, output);
    }
    push(&words, "--");
    push(&words, what);
    if (what != NULL && !self->is_searching)
        run(self, reply, &words);
    mpv_free(slang);
    free(output);
    free(what);
}

static void set_status(plugin *self, char *text)
{
    free(self->menu.status);
    self->menu.status = text;
}

void search_start(plugin *self, const char *query)
{
    if (self->is_searching)
        return;
    strncpy(self->menu.query, query, sizeof self->menu.query - 1);
    self->menu.query[sizeof self->menu.query - 1] = '\0';
    free(self->menu.results);
    self->menu.results = NULL;
    perform(self, SEARCH_REPLY, NULL);
    set_status(self, strdup(self->is_searching ? "Searching…" : "There is nothing to search for."));
    menu_show_results(self);
}

void search_download(plugin *self, size_t number)
{
    char *text = self->is_searching ? NULL : format_text("%zu", number);
    if (text == NULL)
        return;
    perform(self, DOWNLOAD_REPLY, text);
    free(text);
    set_status(self, strdup("Downloading…"));
    menu_draw(self);
}

/* Returns a copy of a text or the output of the command, empty if there is none; NULL without memory. */
static char *text_in(const mpv_node *map, const char *key)
{
    for (int index = 0; map->format == MPV_FORMAT_NODE_MAP && index < map->u.list->num; index++) {
        const mpv_node *value = &map->u.list->values[index];
        if (strcmp(map->u.list->keys[index], key) != 0)
            continue;
        if (value->format == MPV_FORMAT_STRING)
            return strdup(value->u.string);
        if (value->format == MPV_FORMAT_BYTE_ARRAY && value->u.ba->size > 0)
            return strndup(value->u.ba->data, value->u.ba->size);
    }
    return strdup("");
}

/* The first line of the command's messages, or the reason why there is none. */
static char *failure(plugin *self, const mpv_node *result)
{
    char *messages = text_in(result, "stderr"), *problem = text_in(result, "error_string");
    char *line = NULL;
    if (messages != NULL && *messages != '\0')
        line = strndup(messages, strcspn(messages, "\r\n"));
    else if (problem != NULL && *problem != '\0')
        line = format_text(
            "The program '%s' cannot be started. Install it, or set the option %s-command.",
            self->options.command, self->name);
    else
        line = strdup("Nothing was found.");
    free(messages);
    free(problem);
    return line;
}

/* Adds the files that the command has written; the `.sub` of a pair is read with its `.idx`. */
static void add_downloads(plugin *self, const char *paths)
{
    while (*paths != '\0') {
        size_t length = strcspn(paths, "\r\n");
        char *path = strndup(paths, length);
        if (path != NULL && length > 0
            && (length < 4 || strcmp(path + length - 4, ".sub") != 0 || strstr(paths, ".idx") == NULL))
            session_add(self->session, path, true);
        free(path);
        paths += length + (paths[length] != '\0');
    }
}

void search_reply(plugin *self, const mpv_event *event)
{
    if (event->reply_userdata != SEARCH_REPLY && event->reply_userdata != DOWNLOAD_REPLY)
        return;
    self->is_searching = false;
    bool is_cancelled = self->is_search_cancelled;
    self->is_search_cancelled = false;
    if (is_cancelled)
        return;
    const mpv_event_command *reply = event->data;
    const mpv_node none = {.format = MPV_FORMAT_NONE};
    const mpv_node *result = event->error >= 0 && reply != NULL ? &reply->result : &none;
    char *output = text_in(result, "stdout");
    if (output == NULL || *output == '\0') {
        char *reason = failure(self, result);
        plugin_log(self, "%s", reason != NULL ? reason : "the search failed");
        set_status(self, reason);
    } else if (event->reply_userdata == SEARCH_REPLY) {
        set_status(self, NULL);
        free(self->menu.results);
        self->menu.results = output;
        output = NULL;
    } else {
        set_status(self, NULL);
        menu_close(self);
        add_downloads(self, output);
        plugin_show(self, "downloaded %.*s", (int)strcspn(output, "\r\n"), output);
    }
    free(output);
    menu_draw(self);
}

void search_cancel(plugin *self)
{
    if (!self->is_searching)
        return;
    self->is_search_cancelled = true;
    mpv_abort_async_command(self->mpv, SEARCH_REPLY);
    mpv_abort_async_command(self->mpv, DOWNLOAD_REPLY);
}
