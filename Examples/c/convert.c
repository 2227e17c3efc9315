/*
 * Converts the first subtitle track of a file, and lists what the new format cannot represent.
 *
 *   convert FILE FORMAT            writes the track to standard output, such as `convert film.ass vtt`
 *   convert FILE FORMAT SECONDS    the same with all cues later, or earlier if SECONDS is negative
 */
#include <stdio.h>
#include <stdlib.h>
#include <undertext.h>

/* Moves all cues; those that would begin before 0 are dropped. */
static void shift(undertext_document *document, int64_t delay)
{
    size_t count = undertext_document_count(document), kept = 0;
    undertext_cue **cues = (undertext_cue **)calloc(count + 1, sizeof *cues);
    if (cues == NULL)
        return;
    for (size_t index = 0; index < count; index++) {
        undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
        undertext_cue *cue = undertext_document_cue(document, index);
        undertext_cue_get(cue, &info);
        if (info.start + delay >= 0)
            cues[kept++] = undertext_cue_retimed(cue, info.start + delay, info.end + delay);
        undertext_cue_free(cue);
    }
    undertext_document_set_cues(document, cues, kept);
    for (size_t index = 0; index < kept; index++)
        undertext_cue_free(cues[index]);
    free(cues);
}

static undertext_status convert(
    undertext_media *media, const char *format, double seconds, undertext_error *error)
{
    undertext_track track = UNDERTEXT_INIT(undertext_track);
    undertext_output output = UNDERTEXT_INIT(undertext_output);
    undertext_document *document = NULL;
    undertext_encoding *encoding = NULL;
    const char *message = NULL;
    if (undertext_media_track(media, 0, &track) != UNDERTEXT_STATUS_OK) {
        fprintf(stderr, "convert: no subtitles\n");
        return UNDERTEXT_STATUS_NOT_FOUND;
    }
    undertext_status status = undertext_document_read(
        media, track.stream, UNDERTEXT_NO_TIME, UNDERTEXT_NO_TIME, &document, error);
    if (status == UNDERTEXT_STATUS_OK) {
        shift(document, (int64_t)(seconds * 1e9));
        status = undertext_document_encode(document, format, &encoding, error);
    }
    if (status == UNDERTEXT_STATUS_OK && undertext_encoding_get(encoding, 0, &output) == UNDERTEXT_STATUS_OK) {
        fwrite(output.bytes, 1, output.length, stdout);
        fprintf(stderr, "losses: %s\n", undertext_encoding_losses(encoding));
    }
    while (undertext_document_diagnostic(document, &message) == UNDERTEXT_STATUS_OK)
        fprintf(stderr, "convert: %s\n", message);
    undertext_encoding_free(encoding);
    undertext_document_free(document);
    return status;
}

int main(int argc, char **argv)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    undertext_media *media = NULL;
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: %s FILE FORMAT [SECONDS]\n", argv[0]);
        return 2;
    }
    undertext_status status = undertext_media_open(argv[1], NULL, &media, &error);
    if (status == UNDERTEXT_STATUS_OK)
        status = convert(media, argv[2], argc == 4 ? strtod(argv[3], NULL) : 0, &error);
    if (error.message[0] != '\0')
        fprintf(stderr, "convert: %s%s%s\n", error.message, error.remedy[0] ? "; remedy: " : "", error.remedy);
    undertext_media_free(media);
    return status < 0;
}
