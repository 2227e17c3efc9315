#define _GNU_SOURCE
#include "CUndertextBrowser.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char address[2048];
static size_t length;

void cbrowser_append(uint8_t byte) {
    if (length + 1 < sizeof address) address[length++] = (char)byte;
}

int32_t cbrowser_open(void) {
    /* The shell starts the program in the background and ends, so that nobody has to wait for the program. */
    char *arguments[] = {
        "sh", "-c", "command -v xdg-open >/dev/null || exit 127; xdg-open \"$1\" &", "sh", address, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    int failure, status;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    for (int descriptor = 0; descriptor < 3; descriptor++)
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    /* A signal for the command is none for the browser. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) return failure;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : ENOENT;
}
