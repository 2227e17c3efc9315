/* What the parts of the plugin share. Everything here belongs to the thread on which mpv runs the plugin. */
#ifndef UNDERTEXT_MPV_PLUGIN_H
#define UNDERTEXT_MPV_PLUGIN_H

#include <mpv/client.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <undertext.h>

#define PLACES 2
#define SECOND INT64_C(1000000000)

/* The settings from script-opts; strings are never NULL. */
typedef struct options {
    char *menu_key;
    char *languages;        /* of the first place if mpv selects nothing; mpv's slang if empty */
    char *second;           /* the languages of the second place */
    char *search_languages; /* `languages` if empty */
    char *command;          /* the program that searches online */
    char *download_folder;  /* beside the video if empty */
    char *style_file;       /* the viewer's style file; that of all programs if empty */
    char *opensubtitles_api_key;
    char *assrt_token;
    bool sidecars;          /* also lists subtitle files beside the video */
    bool enabled;           /* draws subtitles; otherwise mpv does until the menu changes it */
} options;

/* A property of the styles that script-opts or the viewer chose. */
typedef struct style {
    undertext_place place;
    char *key, *value;
    struct style *next;
} style;

/* The input that is open, read by a thread of its own. */
typedef struct session session;

/* The subtitles of a place. */
typedef struct selection {
    char *id;         /* the undertext_subtitle.id of the chosen subtitles, or NULL for none */
    bool is_own;      /* chosen in the menu or by language; mpv does not know these subtitles */
    bool is_visible;  /* the user has not hidden them */
    bool has_failed;  /* they cannot be read, so mpv draws what it has selected */
    int64_t failed;   /* the track of mpv that cannot be read */
    bool is_taken;    /* the visibility property of mpv is off because the plugin draws */
    bool is_reported; /* a failure or a warning of these subtitles was reported */
    int64_t delay;    /* of the second place, beside mpv's sub-delay */
} selection;

typedef enum page { PAGE_CLOSED, PAGE_MAIN, PAGE_SUBTITLES, PAGE_SECOND, PAGE_QUERY, PAGE_RESULTS } page;

typedef struct menu {
    page page;
    size_t cursor, main_cursor, rows;
    double width, height; /* of the box, in lines of a screen of 720 lines; 0 if closed */
    int color, background, edge;
    char query[256]; /* the title that is searched; the media file itself if empty */
    char *results;   /* the lines of the results */
    char *status;    /* a line under the title, or NULL */
} menu;

typedef struct plugin {
    mpv_handle *mpv;
    char *name;
    options options;
    style *styles;
    session *session;
    undertext_model *model; /* of the session; NULL if there is none */
    undertext_renderer *renderer;
    undertext_rectangle area; /* the visible part of the video, in the pixels of the window */
    uint32_t window_width, window_height;
    double time;              /* time-pos in seconds */
    bool has_time;
    bool is_playing;
    double frame;             /* the duration of a video frame in seconds; 0 if it is unknown or long */
    bool is_enabled;
    bool is_open;             /* the subtitles of the input are listed */
    uint64_t generation;      /* of the list that was looked at last */
    uint64_t shown;           /* the change_id of the overlay that mpv shows; 0 for none */
    bool is_overlay_added;
    unsigned diagnostics;     /* printed for this file */
    selection selections[PLACES];
    double sub_delay, sub_scale, sub_pos;
    menu menu;
    bool is_searching, is_search_cancelled;
} plugin;

/* plugin.c */
void plugin_show(plugin *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plugin_log(plugin *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Executes a command of words up to NULL. */
void plugin_command(plugin *self, ...) __attribute__((sentinel));
/* Returns a copy without control characters and characters that change the direction of text; NULL without memory. */
char *plain_text(const char *text);
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* options.c */
void options_read(plugin *self);
void options_free(plugin *self);
/* Remembers a style property; a NULL value forgets it. Returns false without memory. */
bool style_set(plugin *self, undertext_place place, const char *key, const char *value);

/* session.c */
/* Opens an input in the background; mpv_wakeup() is called when something changed. */
session *session_open(mpv_handle *mpv, const char *input, const char *user_agent, bool with_sidecars);
/* Stops all reading and waits for the thread, which takes a fraction of a second. */
void session_close(session *session);
undertext_model *session_model(session *session);
/* Adds a subtitle file or URL in the background. */
void session_add(session *session, const char *input, bool is_download);

typedef struct session_result {
    char *input;      /* NULL for the video; the caller frees it */
    bool is_download;
    undertext_error error;
} session_result;

/* Returns the next result of opening or adding an input, if there is one. */
bool session_take_result(session *session, session_result *result);

/* selection.c */
void selection_start(plugin *self);
void selection_stop(plugin *self);
/* Selects what mpv has selected; called when the subtitles are known and when mpv's selection changes. */
void selection_follow(plugin *self, undertext_place place);
void selection_take_results(plugin *self);
/* Looks at the states of the selected subtitles after a change. */
void selection_update(plugin *self);
/* Reacts to a change of sub-visibility or secondary-sub-visibility that the user made. */
void selection_visibility_changed(plugin *self, undertext_place place, bool is_visible);
/* Selects subtitles by `next`, `previous`, `off`, an identifier or languages. */
void selection_choose(plugin *self, undertext_place place, const char *word);
void selection_show(plugin *self, undertext_place place, bool is_visible);
void selection_set_second_delay(plugin *self, int64_t delay);
void selection_enable(plugin *self, bool is_enabled);

/* overlay.c */
void overlay_resize(plugin *self);
void overlay_draw(plugin *self);
void overlay_remove(plugin *self);
/* Creates the renderer of the session's model. */
void overlay_start(plugin *self);
void overlay_stop(plugin *self);
/* Sets a style property, now and for later files; a NULL value restores the style of the content. */
bool overlay_set_style(plugin *self, undertext_place place, const char *key, const char *value);
/* Applies mpv's sub-scale and sub-pos. */
void overlay_follow_mpv(plugin *self);

/* menu.c */
void menu_toggle(plugin *self);
void menu_close(plugin *self);
/* Opens the page of the results of a search. */
void menu_show_results(plugin *self);
void menu_key(plugin *self, const char *key, const char *text);
/* Draws the menu again if it is open. */
void menu_draw(plugin *self);

/* search.c */
void search_start(plugin *self, const char *query);
void search_download(plugin *self, size_t number);
void search_reply(plugin *self, const mpv_event *event);
void search_cancel(plugin *self);
#define SEARCH_REPLY 1001
#define DOWNLOAD_REPLY 1002

#endif
