/*
 * Prints each change of the shown subtitles, on an event loop, of a file that this program reads itself, without
 * advertisements.
 *
 *   events FILE LANGUAGE
 *
 * A player's clock would advance; here it jumps to the next change.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <undertext.h>
#include <unistd.h>

static int64_t read_file(void *context, uint8_t *buffer, size_t count)
{
    size_t received = fread(buffer, 1, count, (FILE *)context);
    if (received == 0 && ferror((FILE *)context))
        return UNDERTEXT_STATUS_IO;
    return (int64_t)received;
}

static int64_t seek_file(void *context, int64_t offset)
{
    if (fseek((FILE *)context, (long)offset, SEEK_SET) != 0)
        return UNDERTEXT_STATUS_IO;
    return offset;
}

static int64_t file_size(void *context)
{
    if (fseek((FILE *)context, 0, SEEK_END) != 0)
        return UNDERTEXT_STATUS_IO;
    long size = ftell((FILE *)context);
    rewind((FILE *)context);
    return size;
}

static void close_file(void *context)
{
    fclose((FILE *)context);
}

/* Removes texts that name a website. */
static void remove_advertisement(void *context, undertext_text *text)
{
    undertext_text_info info = UNDERTEXT_INIT(undertext_text_info);
    (void)context;
    undertext_text_get(text, &info);
    if (!info.is_file && strstr(info.text, "www.") != NULL)
        undertext_text_replace(text, "");
}

static void print_cues(undertext_model *model, int64_t time)
{
    undertext_cue *cues[8];
    size_t count = undertext_model_cues(model, UNDERTEXT_PLACE_FIRST, cues, 8);
    printf("%.3f", (double)time / 1e9);
    for (size_t index = 0; index < count && index < 8; index++) {
        undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
        undertext_cue_get(cues[index], &info);
        printf(" [%s]", info.text != NULL ? info.text : "image");
        undertext_cue_free(cues[index]);
    }
    printf("\n");
}

static bool is_loading(undertext_model *model)
{
    undertext_list *list = undertext_model_list(model);
    undertext_subtitle subtitle = UNDERTEXT_INIT(undertext_subtitle);
    bool result = false;
    for (size_t index = 0; undertext_list_get(list, index, &subtitle) == UNDERTEXT_STATUS_OK; index++)
        result = result || subtitle.state == UNDERTEXT_STATE_LOADING;
    undertext_list_free(list);
    return result;
}

/* Waits for a change of the model; returns `false` if nothing is loading and there is none for a second. */
static bool wait_for_change(undertext_model *model, int descriptor)
{
    struct pollfd waiting = {descriptor, POLLIN, 0};
    uint64_t count;
    return poll(&waiting, 1, is_loading(model) ? 60000 : 1000) == 1
        && read(descriptor, &count, sizeof count) == sizeof count;
}

/* A player would also wait for its user and its clock. */
static void play(undertext_model *model)
{
    int descriptor = undertext_model_wakeup_descriptor(model);
    int64_t time = 0;
    do {
        int64_t next;
        undertext_model_update(model, time);
        while ((next = undertext_model_next_change(model, time)) != UNDERTEXT_NO_TIME) {
            time = next;
            undertext_model_update(model, time);
            print_cues(model, time);
        }
        /* Perhaps more is being read. */
    } while (wait_for_change(model, descriptor));
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: events FILE LANGUAGE\n");
        return 64;
    }
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    undertext_io io = UNDERTEXT_INIT(undertext_io);
    undertext_model_options options = UNDERTEXT_INIT(undertext_model_options);
    undertext_model *model = NULL;
    options.text_hook = remove_advertisement;
    if (undertext_model_create_with(&options, &model, &error) < 0)
        return EXIT_FAILURE;
    io.context = fopen(argv[1], "rb");
    io.name = argv[1];
    io.read = read_file;
    io.seek = seek_file;
    io.get_size = file_size;
    io.close = close_file;
    if (io.context == NULL) {
        perror(argv[1]);
        undertext_model_free(model);
        return EXIT_FAILURE;
    }
    int result = undertext_model_add_video_io(model, &io, &error);
    if (result < 0)
        fprintf(stderr, "events: %s\n", error.message);
    else if (undertext_model_select_language(model, UNDERTEXT_PLACE_FIRST, argv[2], NULL) < 0)
        fprintf(stderr, "events: there are no subtitles of the language %s\n", argv[2]);
    else
        play(model);
    undertext_model_free(model);
    return result < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
