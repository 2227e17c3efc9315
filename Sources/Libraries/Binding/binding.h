/*
 * A table of the functions of a library that is looked up at run time, for the shims of these libraries.
 *
 * FUNCTIONS(X) names every function that is called, as X(name) for each.
 */
#ifndef UNDERTEXT_BINDING_H
#define UNDERTEXT_BINDING_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

/* Opens a library in a folder that begins with $ORIGIN, which the loader replaces by the folder of this program or library. */
static inline void *_Nullable binding_open_in(const char *_Nonnull folder,
                                              const char *_Nonnull name) {
    char path[256];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) return (void *)0;
    return dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

/*
 * Returns the folder of a portable build that has a library, or NULL. The current folder and the paths of the
 * environment do not count, only the place of this program or library: a wheel has all in one folder, an installation
 * lib/undertext.
 */
static inline const char *_Nullable binding_folder(const char *_Nonnull name) {
    static const char *const _Nonnull folders[] = {"$ORIGIN", "$ORIGIN/undertext",
                                                   "$ORIGIN/../lib/undertext"};
    for (size_t index = 0; index < sizeof folders / sizeof *folders; index++)
        if (binding_open_in(folders[index], name)) return folders[index];
    return (const char *)0;
}

/*
 * Opens the library that a portable build carries, NAME-undertext.so.VERSION, or otherwise the system's; NULL if there
 * is neither, and dlerror() says why.
 */
static inline void *_Nullable binding_open(const char *_Nonnull name,
                                           const char *_Nonnull version) {
    char file[128];
    snprintf(file, sizeof file, "%s-undertext.so.%s", name, version);
    const char *folder = binding_folder(file);
    void *handle = folder ? binding_open_in(folder, file) : (void *)0;
    if (handle) return handle;
    snprintf(file, sizeof file, "%s.so.%s", name, version);
    return dlopen(file, RTLD_LAZY | RTLD_LOCAL);
}

/* A member of the table, typed by the library's own declaration. */
#define BINDING_FIELD(name) __typeof__(name) *_Nonnull name;

/* Fills a member, or returns why it cannot be. */
#define BINDING_BIND(name)                              \
    symbol = dlsym(handle, #name);                      \
    if (!symbol) return "it lacks the function " #name; \
    table->name = (__typeof__(name) *)symbol;

/* Fills the table from a handle, which may be NULL; returns what the loader said if it cannot. */
#define BINDING_BIND_ALL(handle, FUNCTIONS)             \
    if (!handle) {                                      \
        const char *said = dlerror();                   \
        return said ? said : "it cannot be loaded";     \
    }                                                   \
    void *symbol;                                       \
    FUNCTIONS(BINDING_BIND)

#endif
