/* Calls of Linux that Swift's Glibc module lacks. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The magic number of the file system that a path lies on, or -1. */
static inline int64_t clinux_file_system(const char *_Nonnull path) {
    struct statfs info;
    return statfs(path, &info) == 0 ? (int64_t)(uint32_t)info.f_type : -1;
}

/* Puts the calling thread into the idle class; 0 if that was done. libc has no function for it. */
static inline int32_t clinux_idle_priority(void) {
    enum { who_process = 1, idle_class = 3, class_shift = 13 };
    return (int32_t)syscall(SYS_ioprio_set, who_process, 0, idle_class << class_shift);
}

/* Takes the lock of an open file or folder without waiting: 0 = taken, else not. Swift takes `flock` for the structure
 * of that name, and its header would bring others into this module. */
static inline int32_t clinux_lock(int32_t descriptor) {
    enum { exclusive = 2, without_waiting = 4 };
    return (int32_t)syscall(SYS_flock, descriptor, exclusive | without_waiting);
}

/* A descriptor that becomes readable when it is signalled, or -1. Reading it never blocks. */
static inline int32_t clinux_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/* Makes a descriptor of `clinux_event_descriptor` readable; it stays so if it already is. */
static inline void clinux_signal_event(int32_t descriptor) { (void)eventfd_write(descriptor, 1); }

#endif
