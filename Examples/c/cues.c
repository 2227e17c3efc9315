/*
 * Lists the subtitle tracks of a file, or the cues of a track.
 *
 *   cues FILE                  lists the tracks
 *   cues FILE STREAM           lists the cues of the track with this stream index
 *   cues FILE STREAM SECONDS   lists the cues that are shown at a time, and the time of the next change
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <undertext.h>

static void print_time(int64_t time)
{
    int64_t milliseconds = time / 1000000;
    printf("%02" PRId64 ":%02" PRId64 ":%02" PRId64 ".%03" PRId64, milliseconds / 3600000,
           milliseconds / 60000 % 60, milliseconds / 1000 % 60, milliseconds % 1000);
}

static void print_cue(const undertext_cue *cue)
{
    undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
    undertext_cue_get(cue, &info);
    print_time(info.start);
    printf(" --> ");
    print_time(info.end);
    if (info.is_forced)
        printf(" (forced)");
    printf("\n");
    if (info.kind == UNDERTEXT_KIND_TEXT) {
        printf("%s\n", info.text);
    }
    for (size_t index = 0; index < info.image_count; index++) {
        undertext_image image = UNDERTEXT_INIT(undertext_image);
        undertext_cue_image(cue, index, &image);
        size_t opaque = 0;
        for (uint32_t y = 0; y < image.height; y++)
            for (uint32_t x = 0; x < image.width; x++)
                opaque += image.pixels[y * image.stride + x * 4 + 3] != 0;
        printf("image of %" PRIu32 "x%" PRIu32 " at %" PRId32 ",%" PRId32 " on %" PRIu32
               "x%" PRIu32 ", %zu pixels drawn\n",
               image.width, image.height, image.x, image.y, info.canvas_width,
               info.canvas_height, opaque);
    }
    printf("\n");
}

static int list_tracks(const undertext_media *media)
{
    for (size_t index = 0; index < undertext_media_track_count(media); index++) {
        undertext_track track = UNDERTEXT_INIT(undertext_track);
        undertext_media_track(media, index, &track);
        printf("%" PRId32 "  %s  %s  %s%s%s\n", track.stream, track.codec,
               track.language ? track.language : "und",
               track.kind == UNDERTEXT_KIND_TEXT ? "text" : "images",
               track.is_forced ? "  forced" : "", track.is_decodable ? "" : "  (no decoder)");
    }
    return EXIT_SUCCESS;
}

static int list_cues(undertext_media *media, int32_t stream)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    undertext_reader *reader = NULL;
    undertext_status status = undertext_reader_open(
        media, stream, UNDERTEXT_NO_TIME, UNDERTEXT_NO_TIME, &reader, &error);
    undertext_cue *cue = NULL;
    if (status == UNDERTEXT_STATUS_OK)
        while ((status = undertext_reader_next(reader, &cue, &error)) == UNDERTEXT_STATUS_OK) {
            print_cue(cue);
            undertext_cue_free(cue);
        }
    if (status < 0)
        fprintf(stderr, "cues: %s\n", error.message);
    const char *message = NULL;
    while (reader != NULL && undertext_reader_diagnostic(reader, &message) == UNDERTEXT_STATUS_OK)
        fprintf(stderr, "cues: %s\n", message);
    undertext_reader_free(reader);
    return status < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int show_cues(undertext_media *media, int32_t stream, int64_t time)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    undertext_timeline *timeline = NULL;
    if (undertext_timeline_read(media, stream, &timeline, &error) < 0) {
        fprintf(stderr, "cues: %s\n", error.message);
        undertext_timeline_free(timeline);
        return EXIT_FAILURE;
    }
    undertext_cue *cues[16];
    size_t shown = undertext_timeline_at(timeline, time, cues, 16);
    for (size_t index = 0; index < shown && index < 16; index++) {
        print_cue(cues[index]);
        undertext_cue_free(cues[index]);
    }
    int64_t next = undertext_timeline_next_change(timeline, time);
    if (next != UNDERTEXT_NO_TIME) {
        printf("until ");
        print_time(next);
        printf("\n");
    }
    undertext_timeline_free(timeline);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: cues FILE [STREAM [SECONDS]]\n");
        return 64;
    }
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    undertext_media *media = NULL;
    if (undertext_media_open(argv[1], NULL, &media, &error) < 0) {
        fprintf(stderr, "cues: %s\n", error.message);
        return EXIT_FAILURE;
    }
    int result;
    if (argc == 2)
        result = list_tracks(media);
    else if (argc == 3)
        result = list_cues(media, (int32_t)strtol(argv[2], NULL, 10));
    else
        result = show_cues(
            media, (int32_t)strtol(argv[2], NULL, 10), (int64_t)(strtod(argv[3], NULL) * 1e9));
    undertext_media_free(media);
    return result;
}
