/*
 * Documents, encodings and extraction, checked: document CASE ARGUMENT...
 *
 * Each line on standard error is something that is not as it should be; the exit code counts them.
 */
#include <stdio.h>
#include <string.h>
#include <undertext.h>

#define SECOND INT64_C(1000000000)

static int failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

static undertext_error error = UNDERTEXT_INIT(undertext_error);

static undertext_media *open_media(const char *path)
{
    undertext_media *media = NULL;
    CHECK(undertext_media_open(path, NULL, &media, &error) == UNDERTEXT_STATUS_OK);
    CHECK(error.code[0] == '\0' && error.remedy[0] == '\0');
    return media;
}

/* Cues that are made, put in order, and encoded. */
static void made(void)
{
    undertext_document *document = undertext_document_create();
    undertext_encoding *encoding = NULL;
    undertext_output output = UNDERTEXT_INIT(undertext_output);
    undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
    undertext_cue *cues[] = {
        undertext_cue_create(3 * SECOND, 4 * SECOND, "a &lt; <b>b</b>", "line:40% size:30%"), NULL,
        undertext_cue_create(SECOND, 2 * SECOND, "first", NULL),
    };
    CHECK(cues[0] != NULL && cues[2] != NULL);
    CHECK(undertext_cue_create(SECOND, SECOND, "x", NULL) == NULL);
    CHECK(undertext_cue_create(UNDERTEXT_NO_TIME, SECOND, "x", NULL) == NULL);
    CHECK(undertext_cue_create(0, SECOND, NULL, NULL) == NULL);
    CHECK(undertext_cue_retimed(cues[0], 2, 1) == NULL && undertext_cue_retimed(NULL, 1, 2) == NULL);
    undertext_document_set_cues(document, cues, 3);
    undertext_cue_free(cues[0]);
    undertext_cue_free(cues[2]);
    CHECK(undertext_document_count(document) == 2 && undertext_document_count(NULL) == 0);
    CHECK(undertext_document_cue(document, 2) == NULL);
    undertext_cue *last = undertext_document_cue(document, 1);
    CHECK(undertext_cue_get(last, &info) == UNDERTEXT_STATUS_OK);
    CHECK(strcmp(info.text, "a < b") == 0 && strcmp(info.settings, "line:40% size:30%") == 0);
    undertext_cue_free(last);
    CHECK(undertext_document_encode(document, "srt", &encoding, &error) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_encoding_get(encoding, 0, &output) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_encoding_get(encoding, 1, &output) == UNDERTEXT_STATUS_NOT_FOUND);
    CHECK(strcmp(output.extension, "srt") == 0);
    CHECK(output.length > 10 && memcmp(output.bytes, "1\n00:00:01,000", 14) == 0);
    CHECK(strstr(undertext_encoding_losses(encoding), "\"kind\":\"position\"") != NULL);
    undertext_encoding_free(encoding);
    CHECK(undertext_document_encode(document, "sup", &encoding, &error) == UNDERTEXT_STATUS_UNSUPPORTED);
    CHECK(encoding == NULL && strncmp(error.remedy, "set format ", 11) == 0);
    CHECK(undertext_document_encode(document, "docx", &encoding, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(strcmp(error.code, "invalid-value") == 0);
    CHECK(undertext_document_encode(NULL, "srt", &encoding, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(strcmp(error.code, "invalid-argument") == 0);
    undertext_document_set_cues(document, NULL, 7);
    CHECK(undertext_document_count(document) == 0);
    undertext_document_free(document);
    undertext_document_free(NULL);
    undertext_encoding_free(NULL);
}

/* An error struct of a program that was built with an earlier header. */
static void earlier(void)
{
    struct { undertext_error error; char after[16]; } old;
    memset(&old, 'x', sizeof old);
    old.error.size = 1040;
    CHECK(undertext_document_encode(NULL, "srt", NULL, &old.error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(old.error.status == UNDERTEXT_STATUS_INVALID_ARGUMENT && old.error.message[0] != 'x');
    CHECK(old.error.code[0] == 'x' && old.error.remedy[0] == 'x');
}

static void progress(void *context, double fraction)
{
    *(double *)context = fraction;
}

/* Extraction into a folder, again, and with options that cannot be. */
static void extract(const char *path, const char *folder)
{
    undertext_media *media = open_media(path);
    undertext_extract_options options = UNDERTEXT_INIT(undertext_extract_options);
    const char *report = NULL;
    double last = -2;
    options.folder = folder;
    options.tracks = "en+text";
    options.format = "native";
    options.progress = progress;
    options.progress_context = &last;
    CHECK(undertext_media_extract(media, &options, &report, &error) == UNDERTEXT_STATUS_OK);
    CHECK(report != NULL && strstr(report, "\"outcome\":\"complete\"") != NULL && last == 1);
    CHECK(undertext_media_extract(media, &options, &report, &error) < 0);
    CHECK(strcmp(error.code, "output-exists") == 0 && error.remedy[0] != '\0');
    options.replace = true;
    CHECK(undertext_media_extract(media, &options, NULL, &error) == UNDERTEXT_STATUS_OK);
    options.tracks = "tlh";
    CHECK(undertext_media_extract(media, &options, &report, &error) == UNDERTEXT_STATUS_NOT_FOUND);
    options.format = "docx";
    CHECK(undertext_media_extract(media, &options, &report, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(report == NULL);
    options.size = 1;
    CHECK(undertext_media_extract(media, &options, &report, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(undertext_media_extract(NULL, NULL, &report, &error) == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    undertext_media_free(media);
}

/* The cues of a document, drawn. */
static void draw(const char *path)
{
    undertext_media *media = open_media(path);
    undertext_track track = UNDERTEXT_INIT(undertext_track);
    undertext_document *document = NULL;
    undertext_geometry geometry = UNDERTEXT_INIT(undertext_geometry);
    undertext_renderer *renderer = NULL;
    undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
    undertext_cue_info info = UNDERTEXT_INIT(undertext_cue_info);
    CHECK(undertext_media_track(media, 0, &track) == UNDERTEXT_STATUS_OK);
    CHECK(undertext_document_read(media, track.stream, UNDERTEXT_NO_TIME, UNDERTEXT_NO_TIME, &document, &error)
          == UNDERTEXT_STATUS_OK);
    undertext_media_free(media);
    undertext_cue *cue = undertext_document_cue(document, 0);
    undertext_cue_get(cue, &info);
    CHECK(undertext_renderer_create_document(document, &geometry, &renderer, &error)
          == UNDERTEXT_STATUS_INVALID_ARGUMENT);
    geometry.video_width = info.canvas_width;
    geometry.video_height = info.canvas_height;
    CHECK(undertext_renderer_create_document(document, &geometry, &renderer, &error) == UNDERTEXT_STATUS_OK);
    undertext_document_free(document);
    CHECK(undertext_renderer_draw(renderer, info.start + 1000000, &overlay, &error) == UNDERTEXT_STATUS_OK);
    CHECK(overlay.bounds.width > 0);
    CHECK(undertext_renderer_draw(renderer, info.start - 1000000, &overlay, &error) == UNDERTEXT_STATUS_OK);
    CHECK(overlay.bounds.width == 0);
    CHECK(undertext_renderer_preview(renderer, UNDERTEXT_PLACE_FIRST, NULL, &overlay, &error) == UNDERTEXT_STATUS_OK);
    CHECK(overlay.bounds.width > 0);
    undertext_renderer_free(renderer);
    undertext_cue_free(cue);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "made") == 0)
        made();
    else if (argc == 2 && strcmp(argv[1], "earlier") == 0)
        earlier();
    else if (argc == 4 && strcmp(argv[1], "extract") == 0)
        extract(argv[2], argv[3]);
    else if (argc == 3 && strcmp(argv[1], "draw") == 0)
        draw(argv[2]);
    else
        failures = 99;
    return failures;
}
