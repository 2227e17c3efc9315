/*
 * A table of the functions of a library that is looked up at run time, for the shims of these libraries.
 *
 * FUNCTIONS(X) names every function that is called, as X(name) for each.
 */
#ifndef UNDERTEXT_BINDING_H
#define UNDERTEXT_BINDING_H

#include <dlfcn.h>

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
