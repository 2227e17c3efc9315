/*
 * Draws the subtitles that are shown at a time as an image in the PAM format.
 *
 *   overlay VIDEO LANGUAGE SECONDS WIDTHxHEIGHT [KEY=VALUE...] > out.pam
 *   overlay VIDEO LANGUAGE preview WIDTHxHEIGHT [KEY=VALUE...] > out.pam
 *
 * LANGUAGE selects among the tracks of the video and the subtitle files beside it. KEY=VALUE is a style
 * property, such as foreground=#ffff00 or scale=1.5; `preview` shows the first subtitle in that style.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <undertext.h>

/* Overlays have premultiplied alpha, PAM files have straight alpha. */
static void write_pam(const undertext_overlay *overlay)
{
    printf("P7\nWIDTH %u\nHEIGHT %u\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
           overlay->width, overlay->height);
    for (uint32_t y = 0; y < overlay->height; y++) {
        const uint8_t *row = overlay->pixels + y * overlay->stride;
        for (uint32_t x = 0; x < overlay->width; x++) {
            const uint8_t *pixel = row + x * 4;
            unsigned alpha = pixel[3];
            for (int channel = 0; channel < 3; channel++)
                putchar(alpha == 0 ? 0 : (int)((pixel[channel] * 255 + alpha / 2) / alpha));
            putchar((int)alpha);
        }
    }
}

static int draw(
    undertext_model *model, const undertext_geometry *geometry, const char *seconds, char **styles,
    int style_count, undertext_error *error)
{
    bool is_preview = strcmp(seconds, "preview") == 0;
    int64_t time = is_preview ? 0 : (int64_t)(strtod(seconds, NULL) * 1e9);
    undertext_renderer *renderer = NULL;
    undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
    int result = undertext_renderer_create(model, geometry, &renderer, error);
    for (int index = 0; index < style_count && result == UNDERTEXT_STATUS_OK; index++) {
        char *value = strchr(styles[index], '=');
        if (value != NULL)
            *value++ = '\0';
        result = undertext_renderer_set_style(
            renderer, UNDERTEXT_PLACE_FIRST, styles[index], value, error);
    }
    if (result == UNDERTEXT_STATUS_OK) {
        /* A player would draw the next frames instead of waiting. */
        undertext_model_update(model, time);
        undertext_model_wait(model, 10 * INT64_C(1000000000));
        result = is_preview
            ? undertext_renderer_preview(renderer, UNDERTEXT_PLACE_FIRST, NULL, &overlay, error)
            : undertext_renderer_draw(renderer, time, &overlay, error);
    }
    if (result == UNDERTEXT_STATUS_OK)
        write_pam(&overlay);
    undertext_renderer_free(renderer);
    return result;
}

int main(int argc, char **argv)
{
    undertext_geometry geometry = UNDERTEXT_INIT(undertext_geometry);
    if (argc < 5
        || sscanf(argv[4], "%ux%u", &geometry.video_width, &geometry.video_height) != 2) {
        fprintf(stderr, "usage: overlay VIDEO LANGUAGE SECONDS WIDTHxHEIGHT [KEY=VALUE...]\n");
        return 64;
    }
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    undertext_model *model = undertext_model_create();
    int result = undertext_model_add_video(model, argv[1], true, &error);
    if (result == UNDERTEXT_STATUS_OK
        && undertext_model_select_language(model, UNDERTEXT_PLACE_FIRST, argv[2], NULL) != UNDERTEXT_STATUS_OK) {
        fprintf(stderr, "overlay: there are no subtitles of the language %s\n", argv[2]);
        undertext_model_free(model);
        return 2;
    }
    if (result == UNDERTEXT_STATUS_OK)
        result = draw(model, &geometry, argv[3], argv + 5, argc - 5, &error);
    if (result < 0)
        fprintf(stderr, "overlay: %s\n", error.message);
    undertext_model_free(model);
    return result < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
