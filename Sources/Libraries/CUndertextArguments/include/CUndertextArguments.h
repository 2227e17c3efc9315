/* The arguments of this process as the kernel gave them.
 *
 * Swift's CommandLine reads /proc/self/cmdline: without /proc it has none, and it repairs what is not UTF-8. */
#ifndef CARGUMENTS_H
#define CARGUMENTS_H

#include <stdint.h>

/* How many there are, the command's own name included. */
int32_t carguments_count(void);

/* The length of one in bytes; 0 where there is none. */
int64_t carguments_length(int32_t index);

/* A byte of one; the offset must be less than its length. */
uint8_t carguments_byte(int32_t index, int64_t offset);

/* Limits the arenas of malloc, each of which keeps memory that was freed; without the GNU C library it has no effect. */
void carguments_limit_arenas(int32_t count);

#endif
