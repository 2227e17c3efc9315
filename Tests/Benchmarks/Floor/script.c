// Parses a script with libass and prints the number of its events: script FILE.
#include <ass/ass.h>
#include <stdio.h>

static void be_quiet(int level, const char *format, va_list arguments, void *data) {
    (void)level, (void)format, (void)arguments, (void)data;
}

int main(int count, char **arguments) {
    ASS_Library *library = ass_library_init();
    if (count != 2 || !library) return 1;
    ass_set_message_cb(library, be_quiet, NULL);
    ASS_Track *track = ass_read_file(library, arguments[1], NULL);
    if (!track) return 1;
    printf("%d\n", track->n_events);
    ass_free_track(track);
    ass_library_done(library);
    return 0;
}
