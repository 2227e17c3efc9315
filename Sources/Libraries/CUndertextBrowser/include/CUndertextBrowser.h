/* Opens an address in the browser of the user. */
#ifndef CBROWSER_H
#define CBROWSER_H

#include <stdint.h>

/* Appends a byte to the address; what exceeds 2047 bytes is ignored. */
void cbrowser_append(uint8_t byte);

/* Starts xdg-open with the address, without waiting for it and with its output discarded.
 *
 * Returns 0, or the error number if there is no such program. */
int32_t cbrowser_open(void);

#endif
