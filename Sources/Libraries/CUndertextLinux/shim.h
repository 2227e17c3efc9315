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

/* The kernel's `struct flock` on machines of 64 bits; <fcntl.h> would bring others into this module. */
struct clinux_range {
    int16_t type, whence;
    int64_t start, length;
    int32_t process;
};

/* Takes (1) or releases (0) the lock on a byte of an open file without waiting: 0 = done, else not. The lock belongs to
 * the open file, not to the process, so that closing another descriptor does not release it. */
static inline int32_t clinux_lock_byte(int32_t descriptor, int64_t offset, int32_t takes) {
    enum { set_lock_of_open_file = 37, write_lock = 1, unlock = 2 };
    struct clinux_range range = {(int16_t)(takes ? write_lock : unlock), 0, offset, 1, 0};
    return (int32_t)syscall(SYS_fcntl, descriptor, set_lock_of_open_file, &range);
}

/* 1 if another open file has the lock on a byte, 0 if none has, -1 if that cannot be known. */
static inline int32_t clinux_byte_is_locked(int32_t descriptor, int64_t offset) {
    enum { get_lock_of_open_file = 36, write_lock = 1, unlock = 2 };
    struct clinux_range range = {write_lock, 0, offset, 1, 0};
    if (syscall(SYS_fcntl, descriptor, get_lock_of_open_file, &range) != 0) return -1;
    return range.type != unlock;
}

/* A descriptor that becomes readable when it is signalled, or -1. Reading it never blocks. */
static inline int32_t clinux_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/* Makes a descriptor of `clinux_event_descriptor` readable; it stays so if it already is. */
static inline void clinux_signal_event(int32_t descriptor) { (void)eventfd_write(descriptor, 1); }

#endif
