/* Settings: script-opts/undertext.conf, and then --script-opts=undertext-NAME=VALUE, which override it. */
#define _POSIX_C_SOURCE 200809L
#include "plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct setting {
    const char *name;
    size_t offset;
    const char *initial; /* NULL for a flag */
} setting;

static const setting texts[] = {
    {"menu-key", offsetof(options, menu_key), "Alt+s"},
    {"languages", offsetof(options, languages), ""},
    {"second", offsetof(options, second), ""},
    {"search-languages", offsetof(options, search_languages), ""},
    {"command", offsetof(options, command), "undertext"},
    {"download-folder", offsetof(options, download_folder), ""},
    {"style-file", offsetof(options, style_file), ""},
    {"opensubtitles-api-key", offsetof(options, opensubtitles_api_key), ""},
    {"assrt-token", offsetof(options, assrt_token), ""},
};

static const setting flags[] = {
    {"sidecars", offsetof(options, sidecars), NULL},
    {"enabled", offsetof(options, enabled), NULL},
};

static char **text_of(plugin *self, const setting *setting)
{
    return (char **)(void *)((char *)&self->options + setting->offset);
}

bool style_set(plugin *self, undertext_place place, const char *key, const char *value)
{
    style **link = &self->styles;
    while (*link != NULL && ((*link)->place != place || strcmp((*link)->key, key) != 0))
        link = &(*link)->next;
    style *found = *link;
    if (value == NULL) {
        if (found != NULL) {
            *link = found->next;
            free(found->key);
            free(found->value);
            free(found);
        }
        return true;
    }
    char *copy = strdup(value);
    if (copy != NULL && found == NULL) {
        found = calloc(1, sizeof *found);
        char *name = strdup(key);
        if (found == NULL || name == NULL) {
            free(found);
            free(name);
            free(copy);
            return false;
        }
        found->place = place;
        found->key = name;
        *link = found;
    }
    if (copy == NULL)
        return false;
    free(found->value);
    found->value = copy;
    return true;
}

/* Sets what has a name of its own, or in a second pass the styles of the second place, which override those of both. */
static void set(plugin *self, const char *name, const char *value, bool is_second_pass)
{
    bool is_second_style = strncmp(name, "second-style-", 13) == 0;
    if (is_second_style != is_second_pass)
        return;
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++)
        if (strcmp(texts[index].name, name) == 0) {
            char *copy = strdup(value);
            if (copy != NULL) {
                free(*text_of(self, &texts[index]));
                *text_of(self, &texts[index]) = copy;
            }
            return;
        }
    for (size_t index = 0; index < sizeof flags / sizeof *flags; index++)
        if (strcmp(flags[index].name, name) == 0) {
            bool is_yes = strcmp(value, "yes") == 0;
            if (!is_yes && strcmp(value, "no") != 0)
                plugin_log(self, "option %s must be yes or no, not '%s'", name, value);
            else
                *(bool *)(void *)((char *)&self->options + flags[index].offset) = is_yes;
            return;
        }
    if (strncmp(name, "style-", 6) == 0) {
        for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++)
            style_set(self, (undertext_place)place, name + 6, value);
    } else if (is_second_style) {
        style_set(self, UNDERTEXT_PLACE_SECOND, name + 13, value);
    } else {
        plugin_log(self, "there is no option %s", name);
    }
}

static void read_lines(plugin *self, FILE *file, bool is_second_pass)
{
    char line[4096];
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        char *name = line + strspn(line, " \t"), *equals = strchr(name, '=');
        if (*name == '\0' || *name == '#')
            continue;
        if (equals != NULL) {
            *equals = '\0';
            set(self, name, equals + 1, is_second_pass);
        } else if (!is_second_pass) {
            plugin_log(self, "script-opts: '%s' is no NAME=VALUE", name);
        }
    }
}

static void read_file(plugin *self)
{
    char *path = format_text("~~/script-opts/%s.conf", self->name);
    const char *expand[] = {"expand-path", path, NULL};
    mpv_node node = {.format = MPV_FORMAT_NONE};
    if (path != NULL && mpv_command_ret(self->mpv, expand, &node) >= 0) {
        FILE *file = node.format == MPV_FORMAT_STRING ? fopen(node.u.string, "re") : NULL;
        if (file != NULL) {
            read_lines(self, file, false);
            rewind(file);
            read_lines(self, file, true);
            fclose(file);
        } else if (errno != ENOENT && errno != ENOTDIR) {
            plugin_log(self, "cannot read %s: %s", path, strerror(errno));
        }
        mpv_free_node_contents(&node);
    }
    free(path);
}

static void read_script_opts(plugin *self)
{
    mpv_node node;
    if (mpv_get_property(self->mpv, "options/script-opts", MPV_FORMAT_NODE, &node) < 0)
        return;
    size_t length = strlen(self->name);
    int count = node.format == MPV_FORMAT_NODE_MAP ? node.u.list->num : 0;
    for (int pass = 0; pass < 2; pass++)
        for (int index = 0; index < count; index++) {
            const char *name = node.u.list->keys[index];
            const mpv_node *value = &node.u.list->values[index];
            if (strncmp(name, self->name, length) == 0 && name[length] == '-'
                && value->format == MPV_FORMAT_STRING)
                set(self, name + length + 1, value->u.string, pass == 1);
        }
    mpv_free_node_contents(&node);
}

void options_read(plugin *self)
{
    self->options.sidecars = true;
    self->options.enabled = true;
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++)
        *text_of(self, &texts[index]) = strdup(texts[index].initial);
    read_file(self);
    read_script_opts(self);
}

void options_free(plugin *self)
{
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++)
        free(*text_of(self, &texts[index]));
    while (self->styles != NULL) {
        style *next = self->styles->next;
        free(self->styles->key);
        free(self->styles->value);
        free(self->styles);
        self->styles = next;
    }
}
