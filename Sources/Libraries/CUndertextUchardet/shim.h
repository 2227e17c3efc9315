/*
 * uchardet's interface, the table of its functions, and glibc's iconv. uchardet is not linked:
 * cuchardet_load() looks the functions up at run time, so that text that is UTF-8 never loads it.
 */
#ifndef CUCHARDET_SHIM_H
#define CUCHARDET_SHIM_H

#include <errno.h>
#include <iconv.h>
#include <stddef.h>
#include <stdint.h>
#include <uchardet/uchardet.h>

#include "../Binding/binding.h"

/* Every function that is called. */
#define CUCHARDET_FUNCTIONS(X) \
    X(uchardet_new)            \
    X(uchardet_delete)         \
    X(uchardet_handle_data)    \
    X(uchardet_data_end)       \
    X(uchardet_get_charset)

/* The functions, each typed by uchardet's own declaration. */
typedef struct CUchardetFunctions {
    CUCHARDET_FUNCTIONS(BINDING_FIELD)
} CUchardetFunctions;

/* Fills the table; NULL, or what the loader said. Call it once, from one thread. */
static inline const char *_Nullable cuchardet_load(CUchardetFunctions *_Nonnull table) {
    void *handle = binding_open("libuchardet", "0");
    BINDING_BIND_ALL(handle, CUCHARDET_FUNCTIONS)
    return (const char *)0;
}

/* What ended a conversion. */
static const int32_t ciconv_done = 0;
static const int32_t ciconv_full = 1;
static const int32_t ciconv_invalid = 2;
static const int32_t ciconv_incomplete = 3;

/* iconv_open() to UTF-8; NULL where the name is not known. */
static inline void *_Nullable ciconv_open(const char *_Nonnull from) {
    iconv_t handle = iconv_open("UTF-8", from);
    return handle == (iconv_t)-1 ? 0 : (void *)handle;
}

static inline void ciconv_close(void *_Nonnull handle) { iconv_close((iconv_t)handle); }

/* Bytes of the character A in a charset: what to go over where bytes are no character. */
static inline int32_t ciconv_unit(const char *_Nonnull name) {
    iconv_t handle = iconv_open(name, "UTF-8");
    if (handle == (iconv_t)-1) return 1;
    char text[2] = {'A', 'A'}, made[32], *from = text, *to = made;
    size_t left = 1, room = sizeof made;
    /* The first one may come with a byte order mark or a shift. */
    size_t first = iconv(handle, &from, &left, &to, &room);
    size_t before = room;
    left = 1;
    size_t second = iconv(handle, &from, &left, &to, &room);
    iconv_close(handle);
    if (first == (size_t)-1 || second == (size_t)-1) return 1;
    size_t unit = before - room;
    return unit == 2 || unit == 4 ? (int32_t)unit : 1;
}

/* Makes what a conversion holds back at the end of the text. */
static inline size_t ciconv_flush(void *_Nonnull handle, uint8_t *_Nonnull output, size_t room) {
    char *to = (char *)output;
    size_t left = room;
    return iconv((iconv_t)handle, 0, 0, &to, &left) == (size_t)-1 ? 0 : room - left;
}

/*
 * Converts as much as it can. `read` and `written` are the numbers of bytes taken and made.
 * Without `input` it puts the conversion back to its beginning.
 */
static inline int32_t ciconv_convert(void *_Nonnull handle, const uint8_t *_Nullable input,
                                     size_t count, uint8_t *_Nullable output, size_t room,
                                     size_t *_Nonnull read, size_t *_Nonnull written) {
    char *from = (char *)input, *to = (char *)output;
    size_t left = count, free_bytes = room;
    size_t result = input ? iconv((iconv_t)handle, &from, &left, &to, &free_bytes)
                          : iconv((iconv_t)handle, 0, 0, 0, 0);
    int32_t outcome = ciconv_done;
    if (result == (size_t)-1)
        outcome = errno == E2BIG    ? ciconv_full
                  : errno == EINVAL ? ciconv_incomplete
                                    : ciconv_invalid;
    *read = count - left;
    *written = room - free_bytes;
    return outcome;
}

#endif
