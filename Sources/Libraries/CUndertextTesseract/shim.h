/*
 * Tesseract's C interface and the table of the functions we call. Nothing here is linked:
 * ctesseract_load() looks the functions up at run time, so that a job without recognition never
 * loads the library, and a machine may lack it.
 */
#ifndef CTESSERACT_SHIM_H
#define CTESSERACT_SHIM_H

#include <stdint.h>
#include <tesseract/capi.h>

#include "../Binding/binding.h"

/* Every function that is called. */
#define CTESSERACT_FUNCTIONS(X)               \
    X(TessBaseAPICreate)                      \
    X(TessBaseAPIDelete)                      \
    X(TessBaseAPIInit3)                       \
    X(TessBaseAPIEnd)                         \
    X(TessBaseAPISetVariable)                 \
    X(TessBaseAPISetPageSegMode)              \
    X(TessBaseAPISetImage)                    \
    X(TessBaseAPISetSourceResolution)         \
    X(TessBaseAPIRecognize)                   \
    X(TessBaseAPIGetUTF8Text)                 \
    X(TessBaseAPIMeanTextConf)                \
    X(TessBaseAPIClearAdaptiveClassifier)     \
    X(TessBaseAPIGetLoadedLanguagesAsVector)  \
    X(TessDeleteText)                         \
    X(TessDeleteTextArray)

/* The functions, each typed by Tesseract's own declaration. */
typedef struct CTesseractFunctions {
    CTESSERACT_FUNCTIONS(BINDING_FIELD)
    /* OpenMP's, of the library that Tesseract runs its loops with; NULL where it was built without. */
    void (*_Nullable omp_set_max_active_levels)(int);
} CTesseractFunctions;

/* Fills the table; NULL, or what the loader said. Call it once, from one thread. */
static inline const char *_Nullable ctesseract_load(CTesseractFunctions *_Nonnull table) {
    /* What we call is the same in both. */
    void *handle = dlopen("libtesseract.so.5", RTLD_LAZY);
    if (!handle) handle = dlopen("libtesseract.so.4", RTLD_LAZY);
    BINDING_BIND_ALL(handle, CTESSERACT_FUNCTIONS)
    table->omp_set_max_active_levels =
        (void (*)(int))dlsym(handle, "omp_set_max_active_levels");
    return (const char *)0;
}

/* The loops of the calling thread run on it alone: we have a thread for each core ourselves. */
static inline void ctesseract_use_one_thread(const CTesseractFunctions *_Nonnull table) {
    if (table->omp_set_max_active_levels) table->omp_set_max_active_levels(0);
}

#endif
