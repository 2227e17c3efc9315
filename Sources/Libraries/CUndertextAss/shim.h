/*
 * libass's public header and the table of the functions we call. Nothing here is linked:
 * cass_load() looks the functions up at run time, so that a job that draws nothing never loads the
 * library, and a machine may lack it.
 */
#ifndef CASS_SHIM_H
#define CASS_SHIM_H

#include <ass/ass.h>
#include <stdint.h>

#include "../Binding/binding.h"

#if LIBASS_VERSION < 0x01500000
#error "libass 0.15 or newer is needed"
#endif

/* Every function that is called. */
#define CASS_FUNCTIONS(X)        \
    X(ass_library_version)       \
    X(ass_library_init)          \
    X(ass_library_done)          \
    X(ass_set_message_cb)        \
    X(ass_set_extract_fonts)     \
    X(ass_add_font)              \
    X(ass_renderer_init)         \
    X(ass_renderer_done)         \
    X(ass_set_storage_size)      \
    X(ass_set_frame_size)        \
    X(ass_set_margins)           \
    X(ass_set_use_margins)       \
    X(ass_set_fonts)             \
    X(ass_set_cache_limits)      \
    X(ass_render_frame)          \
    X(ass_new_track)             \
    X(ass_free_track)            \
    X(ass_track_set_feature)     \
    X(ass_set_check_readorder)   \
    X(ass_process_codec_private) \
    X(ass_process_chunk)         \
    X(ass_flush_events)

/* The functions, each typed by libass's own declaration. */
typedef struct CAssFunctions {
    CASS_FUNCTIONS(BINDING_FIELD)
} CAssFunctions;

/* Fills the table; NULL, or what the loader said. Call it once, from one thread. */
static inline const char *_Nullable cass_load(CAssFunctions *_Nonnull table) {
    void *handle = binding_open("libass", "9");
    BINDING_BIND_ALL(handle, CASS_FUNCTIONS)
    return (const char *)0;
}

/* ASS_FEATURE_WRAP_UNICODE, which headers older than 0.17 lack; older libraries refuse it. */
static const int cass_feature_wrap_unicode = 3;

#endif
