/* The menu: drawn with osd-overlay in the top left corner, with keys of its own while it is open. */
#define _POSIX_C_SOURCE 200809L
#include "plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OVERLAY "58"
#define MOST_ROWS 14
#define MOST_BYTES 200 /* of the text of a row */

/* The layout in lines of a screen of 720 lines. */
enum { MARGIN = 24, PADDING = 18, ROW = 36, TITLE = 46, FONT = 24, SMALL_FONT = 18, WIDTH = 620, SECOND_COLUMN = 250 };

/* The rows of the main page. */
enum {
    ROW_SUBTITLES, ROW_SECOND, ROW_DELAY, ROW_SECOND_DELAY, ROW_SIZE, ROW_POSITION, ROW_COLOR, ROW_BACKGROUND,
    ROW_EDGE, ROW_SEARCH, ROW_SEARCH_TITLE, ROW_DRAWING, MAIN_ROWS
};

static const char *const main_rows[MAIN_ROWS] = {
    "Subtitles", "Second subtitles", "Delay", "Delay of the second", "Size", "Position", "Color", "Background",
    "Edge", "Search online", "Search by title…", "Drawn by",
};

/* The choices of a style; NULL is what the content or the settings state. */
typedef struct choice {
    const char *name, *value;
} choice;

static const choice colors[] = {
    {"as authored", NULL}, {"white", "#ffffff"}, {"yellow", "#ffee58"}, {"cyan", "#80deea"}, {"green", "#a5d6a7"},
    {"gray", "#c0c0c0"},
};
static const choice backgrounds[] = {
    {"as authored", NULL}, {"none", "none"}, {"translucent", "#00000099"}, {"black", "#000000"},
};
static const choice edges[] = {
    {"as authored", NULL}, {"none", "none"}, {"outline", "uniform"}, {"shadow", "drop-shadow"}, {"raised", "raised"},
};
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *const keys[][2] = {
    {"UP", "up"}, {"DOWN", "down"}, {"LEFT", "left"}, {"RIGHT", "right"}, {"ENTER", "enter"}, {"KP_ENTER", "enter"},
    {"ESC", "back"}, {"BS", "erase"}, {"PGUP", "page-up"}, {"PGDWN", "page-down"}, {"HOME", "home"}, {"END", "end"},
    {"WHEEL_UP", "up"}, {"WHEEL_DOWN", "down"}, {"MBTN_RIGHT", "back"},
};

/* Escapes text for ASS: no tags and no escapes; long text is shortened at a character. */
static char *escaped(const char *text)
{
    char *plain = plain_text(text), *result = NULL;
    size_t size = 0, length = 0;
    FILE *stream = plain != NULL ? open_memstream(&result, &size) : NULL;
    if (stream == NULL) {
        free(plain);
        return NULL;
    }
    for (const char *byte = plain; *byte != '\0'; byte++, length++) {
        if (length >= MOST_BYTES && ((unsigned char)*byte & 0xC0) != 0x80) {
            fputs("…", stream);
            break;
        }
        /* A word joiner after a backslash keeps it from starting an escape. */
        if (*byte == '\\')
            fputs("\\\xE2\x81\xA0", stream);
        else if (*byte == '{')
            fputs("\\{", stream);
        else
            fputc(*byte, stream);
    }
    free(plain);
    if (fclose(stream) == 0)
        return result;
    free(result);
    return NULL;
}

/* The name of the selected subtitles of a place. */
static char *selected_name(plugin *self, undertext_place place)
{
    const selection *chosen = &self->selections[place];
    if (chosen->has_failed)
        return strdup("drawn by mpv");
    if (chosen->id == NULL)
        return strdup(self->is_open ? "off" : "opening…");
    undertext_list *list = undertext_model_list(self->model);
    char *name = NULL;
    for (size_t index = 0; name == NULL && index < undertext_list_count(list); index++) {
        undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
        if (undertext_list_get(list, index, &entry) == UNDERTEXT_STATUS_OK && strcmp(entry.id, chosen->id) == 0)
            name = strdup(entry.name);
    }
    undertext_list_free(list);
    if (name != NULL && !chosen->is_visible) {
        char *hidden = format_text("%s, hidden", name);
        free(name);
        name = hidden;
    }
    return name != NULL ? name : strdup("off");
}

static char *main_value(plugin *self, size_t row)
{
    double second = (double)self->selections[UNDERTEXT_PLACE_SECOND].delay / (double)SECOND;
    switch (row) {
    case ROW_SUBTITLES: return selected_name(self, UNDERTEXT_PLACE_FIRST);
    case ROW_SECOND: return selected_name(self, UNDERTEXT_PLACE_SECOND);
    case ROW_DELAY: return format_text("%+.1f s", self->sub_delay);
    case ROW_SECOND_DELAY: return format_text("%+.1f s", second);
    case ROW_SIZE: return format_text("%.0f %%", self->sub_scale * 100);
    case ROW_POSITION:
        return self->sub_pos >= 100 ? strdup("as authored") : format_text("%.0f %% from the top", self->sub_pos);
    case ROW_COLOR: return strdup(colors[self->menu.color].name);
    case ROW_BACKGROUND: return strdup(backgrounds[self->menu.background].name);
    case ROW_EDGE: return strdup(edges[self->menu.edge].name);
    case ROW_DRAWING: return strdup(self->is_enabled ? "Undertext" : "mpv");
    default: return NULL;
    }
}

static size_t list_count(plugin *self)
{
    undertext_list *list = undertext_model_list(self->model);
    size_t count = undertext_list_count(list);
    undertext_list_free(list);
    return count;
}

static size_t result_count(plugin *self)
{
    size_t count = 0;
    for (const char *text = self->menu.results; text != NULL && *text != '\0';) {
        text += strcspn(text, "\n");
        text += *text != '\0';
        count++;
    }
    return count;
}

/* Copies a line of the command's table, with columns two spaces apart. */
static char *copy_columns(const char *line)
{
    size_t length = strcspn(line, "\n"), used = 0;
    char *copy = malloc(length + 1);
    for (size_t index = 0; copy != NULL && index < length; index++)
        if (line[index] != ' ' || (used > 0 && (used < 2 || copy[used - 1] != ' ' || copy[used - 2] != ' ')))
            copy[used++] = line[index];
    if (copy != NULL)
        copy[used] = '\0';
    return copy;
}

/* Returns the text of a row, and its value or NULL; the caller frees both. */
static char *row_text(plugin *self, size_t row, char **value)
{
    *value = NULL;
    if (self->menu.page == PAGE_MAIN) {
        *value = main_value(self, row);
        return strdup(main_rows[row]);
    }
    if (self->menu.page == PAGE_RESULTS) {
        const char *text = self->menu.results;
        while (text != NULL && row-- > 0) {
            text += strcspn(text, "\n");
            text += *text != '\0';
        }
        return text != NULL ? copy_columns(text) : NULL;
    }
    undertext_place place = self->menu.page == PAGE_SECOND ? UNDERTEXT_PLACE_SECOND : UNDERTEXT_PLACE_FIRST;
    const char *id = self->selections[place].id;
    if (row == 0)
        return format_text("%s  Off", id == NULL ? "●" : "○");
    undertext_list *list = undertext_model_list(self->model);
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    char *text = NULL;
    if (undertext_list_get(list, row - 1, &entry) == UNDERTEXT_STATUS_OK) {
        bool is_chosen = id != NULL && strcmp(entry.id, id) == 0;
        text = format_text("%s  %s", is_chosen ? "●" : "○", entry.name);
        *value = format_text(
            "%s%s%s%s%s", entry.language != NULL ? entry.language : "", entry.language != NULL ? "  " : "",
            entry.codec != NULL ? entry.codec : "", entry.is_external ? ", file" : "",
            entry.state == UNDERTEXT_STATE_FAILED ? ", unreadable" : "");
    }
    undertext_list_free(list);
    return text;
}

static void put_text(FILE *stream, double x, double y, double right, int size, const char *color, const char *text)
{
    char *safe = text != NULL ? escaped(text) : NULL;
    if (safe != NULL)
        fprintf(
            stream, "{\\an7\\q2\\pos(%.0f,%.0f)\\clip(0,0,%.0f,720)\\bord0\\shad0\\fs%d\\1c&H%s&}%s\n", x, y, right,
            size, color, safe);
    free(safe);
}

static void put_box(FILE *stream, double x, double y, double width, double height, const char *color, const char *alpha)
{
    fprintf(
        stream,
        "{\\an7\\pos(%.0f,%.0f)\\bord0\\shad0\\1c&H%s&\\1a&H%s&\\p1}m 0 0 l %.0f 0 %.0f %.0f 0 %.0f{\\p0}\n", x, y,
        color, alpha, width, width, height, height);
}

static const char *title(plugin *self)
{
    switch (self->menu.page) {
    case PAGE_SUBTITLES: return "Subtitles";
    case PAGE_SECOND: return "Second subtitles";
    case PAGE_QUERY: return "Search by title";
    case PAGE_RESULTS: return "Search results";
    default: return "Undertext";
    }
}

static const char *hint(plugin *self)
{
    switch (self->menu.page) {
    case PAGE_MAIN: return "↑ ↓ choose    ← → change    Enter open    Esc close";
    case PAGE_QUERY: return "Enter search    Esc back";
    case PAGE_RESULTS: return "↑ ↓ choose    Enter download    Esc back";
    default: return "↑ ↓ choose    Enter select    Esc back";
    }
}

static void put_rows(plugin *self, FILE *stream, double top, double right, size_t first, size_t shown)
{
    for (size_t row = first; row < first + shown; row++) {
        char *value = NULL, *text = row_text(self, row, &value);
        double y = top + (double)(row - first) * ROW;
        bool is_current = row == self->menu.cursor;
        if (is_current)
            put_box(stream, MARGIN + 6, y - 5, right - MARGIN - 12, ROW - 2, "F0F0F0", "00");
        const char *color = is_current ? "202020" : "F0F0F0", *gray = is_current ? "404040" : "B8B8B8";
        bool is_list = self->menu.page != PAGE_MAIN;
        double column = is_list ? right - 260 : MARGIN + SECOND_COLUMN;
        if (self->menu.page == PAGE_RESULTS)
            column = right;
        put_text(
            stream, MARGIN + PADDING, is_list ? y + 2 : y, column - 12, is_list ? FONT - 3 : FONT, color, text);
        if (value != NULL)
            put_text(
                stream, column, is_list ? y + 4 : y, right - PADDING, is_list ? SMALL_FONT : FONT, gray, value);
        free(value);
        free(text);
    }
}

static void count_rows(plugin *self)
{
    menu *menu = &self->menu;
    menu->rows = menu->page == PAGE_MAIN ? MAIN_ROWS
        : menu->page == PAGE_RESULTS     ? result_count(self)
        : menu->page == PAGE_QUERY       ? 0
                                         : list_count(self) + 1;
    if (menu->cursor >= menu->rows)
        menu->cursor = menu->rows > 0 ? menu->rows - 1 : 0;
}

void menu_draw(plugin *self)
{
    menu *menu = &self->menu;
    char *data = NULL;
    size_t size = 0;
    if (menu->page == PAGE_CLOSED || self->window_height == 0)
        return;
    count_rows(self);
    FILE *stream = open_memstream(&data, &size);
    if (stream == NULL)
        return;
    double screen = 720.0 * self->window_width / self->window_height;
    double width = fmin(menu->page == PAGE_RESULTS ? 1.5 * WIDTH : WIDTH, screen - 2 * MARGIN);
    double right = MARGIN + width;
    size_t shown = menu->rows < MOST_ROWS ? menu->rows : MOST_ROWS;
    size_t first = menu->cursor < MOST_ROWS / 2 || menu->rows <= MOST_ROWS ? 0 : menu->cursor - MOST_ROWS / 2;
    if (first > menu->rows - shown)
        first = menu->rows - shown;
    size_t lines = menu->page == PAGE_QUERY || menu->status != NULL ? 1 : 0;
    double height = TITLE + (double)(shown + lines) * ROW + ROW;
    put_box(stream, MARGIN, MARGIN, width, height, "181818", "20");
    char *heading = shown < menu->rows ? format_text("%s  %zu/%zu", title(self), menu->cursor + 1, menu->rows)
                                       : strdup(title(self));
    put_text(stream, MARGIN + PADDING, MARGIN + 10, right, FONT, "80D8FF", heading);
    free(heading);
    double top = MARGIN + TITLE + 4;
    if (lines > 0) {
        char *line = menu->page == PAGE_QUERY ? format_text("%s▏", menu->query) : strdup(menu->status);
        put_text(stream, MARGIN + PADDING, top, right - PADDING, FONT, "F0F0F0", line);
        free(line);
        top += ROW;
    }
    put_rows(self, stream, top, right, first, shown);
    put_text(
        stream, MARGIN + PADDING, MARGIN + height - ROW + 8, right, SMALL_FONT, "A0A0A0", hint(self));
    if (fclose(stream) == 0)
        plugin_command(self, "osd-overlay", OVERLAY, "ass-events", data, "0", "720", "10", NULL);
    free(data);
    if (menu->width != right || menu->height != MARGIN + height) {
        menu->width = right;
        menu->height = MARGIN + height;
        self->shown = 0;
    }
}

static void bind_keys(plugin *self)
{
    char *section = format_text("%s-menu", self->name), *bindings = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bindings, &size);
    if (stream == NULL || section == NULL) {
        if (stream != NULL)
            fclose(stream);
        free(bindings);
        free(section);
        return;
    }
    for (size_t index = 0; index < sizeof keys / sizeof *keys; index++)
        fprintf(
            stream, "%s repeatable script-message-to %s undertext key %s\n", keys[index][0], self->name,
            keys[index][1]);
    if (self->menu.page == PAGE_QUERY)
        fprintf(
            stream, "ANY_UNICODE script-binding %s/text\nSPACE repeatable script-message-to %s undertext key text \" \"\n",
            self->name, self->name);
    if (fclose(stream) == 0) {
        plugin_command(self, "define-section", section, bindings, "force", NULL);
        plugin_command(self, "enable-section", section, "allow-hide-cursor+allow-vo-dragging", NULL);
    }
    free(bindings);
    free(section);
}

static void show(plugin *self, page page, size_t cursor)
{
    bool had_text = self->menu.page == PAGE_QUERY || self->menu.page == PAGE_CLOSED;
    self->menu.page = page;
    self->menu.cursor = cursor;
    if (had_text || page == PAGE_QUERY)
        bind_keys(self);
    menu_draw(self);
}

void menu_show_results(plugin *self)
{
    show(self, PAGE_RESULTS, 0);
}

void menu_close(plugin *self)
{
    if (self->menu.page == PAGE_CLOSED)
        return;
    char *section = format_text("%s-menu", self->name);
    if (section != NULL)
        plugin_command(self, "disable-section", section, NULL);
    free(section);
    plugin_command(self, "osd-overlay", OVERLAY, "none", "", NULL);
    self->menu.page = PAGE_CLOSED;
    self->menu.width = self->menu.height = 0;
    self->shown = 0;
    free(self->menu.status);
    self->menu.status = NULL;
}

void menu_toggle(plugin *self)
{
    if (self->menu.page != PAGE_CLOSED)
        menu_close(self);
    else if (self->model == NULL)
        plugin_show(self, "no media file is open");
    else
        show(self, PAGE_MAIN, self->menu.main_cursor);
}

static void cycle(plugin *self, int *now, const choice *choices, int count, int step, const char *key)
{
    *now = (*now + step + count) % count;
    for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++)
        overlay_set_style(self, (undertext_place)place, key, choices[*now].value);
}

static void adjust(plugin *self, int step)
{
    menu *menu = &self->menu;
    char value[32];
    switch (menu->cursor) {
    case ROW_SUBTITLES: selection_choose(self, UNDERTEXT_PLACE_FIRST, step > 0 ? "next" : "previous"); break;
    case ROW_SECOND: selection_choose(self, UNDERTEXT_PLACE_SECOND, step > 0 ? "next" : "previous"); break;
    case ROW_DELAY: plugin_command(self, "add", "sub-delay", step > 0 ? "0.1" : "-0.1", NULL); break;
    case ROW_SECOND_DELAY:
        selection_set_second_delay(
            self, self->selections[UNDERTEXT_PLACE_SECOND].delay + step * (SECOND / 10));
        break;
    case ROW_SIZE: plugin_command(self, "add", "sub-scale", step > 0 ? "0.05" : "-0.05", NULL); break;
    case ROW_POSITION:
        snprintf(value, sizeof value, "%.0f", fmin(fmax(self->sub_pos + 5 * step, 0), 100));
        plugin_command(self, "set", "sub-pos", value, NULL);
        break;
    case ROW_COLOR: cycle(self, &menu->color, colors, COUNT(colors), step, "foreground"); break;
    case ROW_BACKGROUND:
        cycle(self, &menu->background, backgrounds, COUNT(backgrounds), step, "background");
        break;
    case ROW_EDGE: cycle(self, &menu->edge, edges, COUNT(edges), step, "edge"); break;
    case ROW_DRAWING: selection_enable(self, !self->is_enabled); break;
    default: break;
    }
}

static void choose_row(plugin *self)
{
    undertext_place place = self->menu.page == PAGE_SECOND ? UNDERTEXT_PLACE_SECOND : UNDERTEXT_PLACE_FIRST;
    undertext_list *list = undertext_model_list(self->model);
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    bool is_entry = self->menu.cursor > 0
        && undertext_list_get(list, self->menu.cursor - 1, &entry) == UNDERTEXT_STATUS_OK;
    selection_choose(self, place, is_entry ? entry.id : "off");
    undertext_list_free(list);
    show(self, PAGE_MAIN, self->menu.main_cursor);
}

/* Returns the row of the selected subtitles of a place. */
static size_t selected_row(plugin *self, undertext_place place)
{
    const char *id = self->selections[place].id;
    undertext_list *list = undertext_model_list(self->model);
    undertext_subtitle entry = UNDERTEXT_INIT(undertext_subtitle);
    size_t row = 0;
    for (size_t index = 0; id != NULL && row == 0 && index < undertext_list_count(list); index++)
        if (undertext_list_get(list, index, &entry) == UNDERTEXT_STATUS_OK && strcmp(entry.id, id) == 0)
            row = index + 1;
    undertext_list_free(list);
    return row;
}

static void enter(plugin *self)
{
    menu *menu = &self->menu;
    if (menu->page == PAGE_QUERY) {
        char query[sizeof menu->query];
        memcpy(query, menu->query, sizeof query);
        search_start(self, query);
    } else if (menu->page == PAGE_RESULTS) {
        if (menu->rows > 0)
            search_download(self, menu->cursor + 1);
    } else if (menu->page != PAGE_MAIN) {
        choose_row(self);
    } else {
        menu->main_cursor = menu->cursor;
        switch (menu->cursor) {
        case ROW_SUBTITLES: show(self, PAGE_SUBTITLES, selected_row(self, UNDERTEXT_PLACE_FIRST)); break;
        case ROW_SECOND: show(self, PAGE_SECOND, selected_row(self, UNDERTEXT_PLACE_SECOND)); break;
        case ROW_SEARCH: search_start(self, ""); break;
        case ROW_SEARCH_TITLE: show(self, PAGE_QUERY, 0); break;
        default: adjust(self, 1); break;
        }
    }
}

static void edit(plugin *self, const char *text)
{
    size_t length = strlen(self->menu.query);
    if (text != NULL) {
        char *plain = plain_text(text);
        if (plain != NULL && length + strlen(plain) < sizeof self->menu.query)
            memcpy(self->menu.query + length, plain, strlen(plain) + 1);
        free(plain);
    } else if (length > 0) {
        while (--length > 0 && ((unsigned char)self->menu.query[length] & 0xC0) == 0x80)
            continue;
        self->menu.query[length] = '\0';
    }
}

static void back(plugin *self)
{
    if (self->menu.page == PAGE_MAIN) {
        self->menu.main_cursor = self->menu.cursor;
        menu_close(self);
        return;
    }
    search_cancel(self);
    free(self->menu.status);
    self->menu.status = NULL;
    show(self, PAGE_MAIN, self->menu.main_cursor);
}

void menu_key(plugin *self, const char *key, const char *text)
{
    menu *menu = &self->menu;
    if (menu->page == PAGE_CLOSED)
        return;
    if (strcmp(key, "text") == 0 || strcmp(key, "erase") == 0) {
        if (menu->page != PAGE_QUERY)
            back(self);
        else if (strcmp(key, "erase") == 0 || text != NULL)
            edit(self, strcmp(key, "erase") == 0 ? NULL : text);
    } else if (strcmp(key, "back") == 0) {
        back(self);
    } else if (strcmp(key, "enter") == 0) {
        enter(self);
    } else if (strcmp(key, "left") == 0 || strcmp(key, "right") == 0) {
        if (menu->page == PAGE_MAIN)
            adjust(self, key[0] == 'r' ? 1 : -1);
    } else if (strcmp(key, "home") == 0) {
        menu->cursor = 0;
    } else if (strcmp(key, "end") == 0) {
        menu->cursor = SIZE_MAX;
    } else if (strcmp(key, "page-up") == 0) {
        menu->cursor -= menu->cursor < MOST_ROWS ? menu->cursor : MOST_ROWS;
    } else if (strcmp(key, "page-down") == 0) {
        menu->cursor += MOST_ROWS;
    } else if (menu->rows > 0 && strcmp(key, "up") == 0) {
        menu->cursor = menu->cursor > 0 ? menu->cursor - 1 : menu->rows - 1;
    } else if (menu->rows > 0 && strcmp(key, "down") == 0) {
        menu->cursor = menu->cursor + 1 < menu->rows ? menu->cursor + 1 : 0;
    }
    menu_draw(self);
}
