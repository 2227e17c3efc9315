#include <malloc.h>
#include "CUndertextArguments.h"

#include <string.h>

static int count;
static char **values;

/* glibc calls constructors with the arguments of main(). */
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    values = argv;
}

int32_t carguments_count(void) { return values ? count : 0; }

int64_t carguments_length(int32_t index) {
    return index >= 0 && index < carguments_count() ? (int64_t)strlen(values[index]) : 0;
}

uint8_t carguments_byte(int32_t index, int64_t offset) {
    return index >= 0 && index < carguments_count() ? (uint8_t)values[index][offset] : 0;
}

void carguments_limit_arenas(int32_t count)
{
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}
