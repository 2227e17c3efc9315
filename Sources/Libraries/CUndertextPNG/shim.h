/* libpng's simplified API only: no setjmp reaches Swift. Swift imports no macros with casts or
   arguments, hence their values and one function here. */
#ifndef UNDERTEXT_CPNG_SHIM_H
#define UNDERTEXT_CPNG_SHIM_H

#include <png.h>

enum { CPNG_FORMAT_RGBA = PNG_FORMAT_RGBA };

/* What went wrong, as a text that ends. */
static inline const char *cpng_message(const png_image *image) { return image->message; }

#endif
