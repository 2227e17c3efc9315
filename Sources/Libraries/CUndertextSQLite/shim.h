/*
 * SQLite's public header and the table of the functions we call. Nothing here is linked: csqlite_load() looks the
 * functions up at run time, so that a command without a journal never loads the library.
 */
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <stdint.h>
#include <sqlite3.h>

#include "../Binding/binding.h"

#if SQLITE_VERSION_NUMBER < 3031000
#error "SQLite 3.31 or newer is needed"
#endif

/* Every function that is called. */
#define CSQLITE_FUNCTIONS(X)       \
    X(sqlite3_open_v2)             \
    X(sqlite3_close_v2)            \
    X(sqlite3_errmsg)              \
    X(sqlite3_extended_errcode)    \
    X(sqlite3_busy_timeout)        \
    X(sqlite3_limit)               \
    X(sqlite3_exec)                \
    X(sqlite3_prepare_v2)          \
    X(sqlite3_finalize)            \
    X(sqlite3_step)                \
    X(sqlite3_reset)               \
    X(sqlite3_bind_null)           \
    X(sqlite3_bind_int64)          \
    X(sqlite3_bind_text)           \
    X(sqlite3_bind_blob)           \
    X(sqlite3_column_count)        \
    X(sqlite3_column_type)         \
    X(sqlite3_column_int64)        \
    X(sqlite3_column_blob)         \
    X(sqlite3_column_bytes)        \
    X(sqlite3_changes)             \
    X(sqlite3_last_insert_rowid)

/* The functions, each typed by SQLite's own declaration. */
typedef struct CSQLiteFunctions {
    CSQLITE_FUNCTIONS(BINDING_FIELD)
} CSQLiteFunctions;

/* Fills the table; NULL, or what the loader said. Call it once, from one thread. */
static inline const char *_Nullable csqlite_load(CSQLiteFunctions *_Nonnull table) {
    void *handle = binding_open("libsqlite3", "0");
    BINDING_BIND_ALL(handle, CSQLITE_FUNCTIONS)
    return (const char *)0;
}

/* Binds a text, which SQLite copies. */
static inline int32_t csqlite_bind_text(const CSQLiteFunctions *_Nonnull table,
                                        sqlite3_stmt *_Nonnull statement, int32_t index,
                                        const char *_Nonnull text, int32_t count) {
    return table->sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/* Binds bytes, which SQLite copies; no bytes are an empty blob, not NULL. */
static inline int32_t csqlite_bind_blob(const CSQLiteFunctions *_Nonnull table,
                                        sqlite3_stmt *_Nonnull statement, int32_t index,
                                        const void *_Nullable bytes, int32_t count) {
    return table->sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

#endif
