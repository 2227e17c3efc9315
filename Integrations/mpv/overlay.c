/* Draws the selected subtitles over the visible part of the video, with overlay-add. */
#define _POSIX_C_SOURCE 200809L
#include "plugin.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* mpv has 64 overlays for all scripts; most scripts take low numbers. */
#define OVERLAY "58"
/* The limit of undertext_geometry. */
#define LARGEST 8192
#define MOST_DIAGNOSTICS 20

static int64_t number_in(const mpv_node *map, const char *key)
{
    for (int index = 0; map->format == MPV_FORMAT_NODE_MAP && index < map->u.list->num; index++) {
        const mpv_node *value = &map->u.list->values[index];
        if (strcmp(map->u.list->keys[index], key) != 0)
            continue;
        if (value->format == MPV_FORMAT_INT64)
            return value->u.int64;
        if (value->format == MPV_FORMAT_DOUBLE && fabs(value->u.double_) < 1e6)
            return (int64_t)value->u.double_;
    }
    return 0;
}

static undertext_geometry geometry_of(plugin *self)
{
    undertext_geometry geometry = UNDERTEXT_INIT(undertext_geometry);
    int64_t width = 0, height = 0;
    mpv_get_property(self->mpv, "dwidth", MPV_FORMAT_INT64, &width);
    mpv_get_property(self->mpv, "dheight", MPV_FORMAT_INT64, &height);
    geometry.width = self->area.width;
    geometry.height = self->area.height;
    geometry.pixels = UNDERTEXT_PIXELS_BGRA;
    /* A cropped or rotated video has another shape; subtitles then fit what is visible. */
    double shape = (double)geometry.width / geometry.height;
    bool is_same_shape = width > 0 && height > 0 && width < 65536 && height < 65536
        && fabs(shape / ((double)width / (double)height) - 1) < 0.02;
    geometry.video_width = is_same_shape ? (uint32_t)width : geometry.width;
    geometry.video_height = is_same_shape ? (uint32_t)height : geometry.height;
    return geometry;
}

static int64_t at_least_zero(int64_t value)
{
    return value > 0 ? value : 0;
}

void overlay_resize(plugin *self)
{
    mpv_node dimensions;
    if (mpv_get_property(self->mpv, "osd-dimensions", MPV_FORMAT_NODE, &dimensions) < 0)
        return;
    int64_t width = number_in(&dimensions, "w"), height = number_in(&dimensions, "h");
    int64_t left = at_least_zero(number_in(&dimensions, "ml"));
    int64_t right = at_least_zero(number_in(&dimensions, "mr"));
    int64_t top = at_least_zero(number_in(&dimensions, "mt"));
    int64_t bottom = at_least_zero(number_in(&dimensions, "mb"));
    mpv_free_node_contents(&dimensions);
    if (width <= 0 || height <= 0 || width > LARGEST || height > LARGEST || left + right >= width
        || top + bottom >= height)
        return;
    self->window_width = (uint32_t)width;
    self->window_height = (uint32_t)height;
    self->area = (undertext_rectangle){
        (int32_t)left, (int32_t)top, (uint32_t)(width - left - right), (uint32_t)(height - top - bottom)};
    overlay_start(self);
    menu_draw(self);
    self->shown = 0;
    overlay_draw(self);
}

static bool apply(plugin *self, undertext_place place, const char *key, const char *value)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    if (self->renderer == NULL
        || undertext_renderer_set_style(self->renderer, place, key, value, &error) >= 0)
        return true;
    plugin_show(self, "style %s=%s: %s", key, value != NULL ? value : "", error.message);
    return false;
}

static const char *style_value(plugin *self, undertext_place place, const char *key)
{
    for (const style *each = self->styles; each != NULL; each = each->next)
        if (each->place == place && strcmp(each->key, key) == 0)
            return each->value;
    return NULL;
}

void overlay_follow_mpv(plugin *self)
{
    for (int place = UNDERTEXT_PLACE_FIRST; place <= UNDERTEXT_PLACE_SECOND; place++) {
        char scale[32];
        const char *own = style_value(self, (undertext_place)place, "scale");
        double value = own != NULL ? strtod(own, NULL) * (strchr(own, '%') != NULL ? 0.01 : 1) : 1;
        value = fmin(fmax(value * self->sub_scale, 0.1), 10);
        snprintf(scale, sizeof scale, "%.3f", value);
        apply(self, (undertext_place)place, "scale", fabs(value - 1) < 0.001 ? own : scale);
    }
    char position[32];
    snprintf(position, sizeof position, "%.0f%%", fmin(fmax(self->sub_pos, 0), 100));
    apply(
        self, UNDERTEXT_PLACE_FIRST, "position",
        self->sub_pos >= 100 ? style_value(self, UNDERTEXT_PLACE_FIRST, "position") : position);
}

bool overlay_set_style(plugin *self, undertext_place place, const char *key, const char *value)
{
    if (!apply(self, place, key, value) || !style_set(self, place, key, value))
        return false;
    overlay_follow_mpv(self);
    return true;
}

void overlay_start(plugin *self)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    if (self->model == NULL || self->area.width == 0)
        return;
    undertext_geometry geometry = geometry_of(self);
    if (self->renderer != NULL) {
        if (undertext_renderer_set_geometry(self->renderer, &geometry, &error) < 0)
            plugin_log(self, "%s", error.message);
        return;
    }
    if (undertext_renderer_create(self->model, &geometry, &self->renderer, &error) < 0) {
        plugin_show(self, "%s", error.message);
        return;
    }
    const char *file = self->options.style_file;
    if (undertext_renderer_load_settings(self->renderer, *file != '\0' ? file : NULL, &error) < 0)
        plugin_log(self, "%s", error.message);
    for (const style *each = self->styles; each != NULL; each = each->next)
        apply(self, each->place, each->key, each->value);
    overlay_follow_mpv(self);
}

void overlay_stop(plugin *self)
{
    overlay_remove(self);
    undertext_renderer_free(self->renderer);
    self->renderer = NULL;
}

void overlay_remove(plugin *self)
{
    if (self->is_overlay_added)
        plugin_command(self, "overlay-remove", OVERLAY, NULL);
    self->is_overlay_added = false;
    self->shown = 0;
}

/* mpv draws overlays above the menu, so the part under the menu is left out. */
static void cut_out_menu(plugin *self, uint8_t *pixels, const undertext_rectangle *bounds)
{
    double scale = self->window_height / 720.0;
    int64_t right = (int64_t)ceil(self->menu.width * scale) - self->area.x - bounds->x;
    int64_t bottom = (int64_t)ceil(self->menu.height * scale) - self->area.y - bounds->y;
    for (int64_t y = 0; y < bottom && y < (int64_t)bounds->height && right > 0; y++) {
        size_t width = right < (int64_t)bounds->width ? (size_t)right : bounds->width;
        memset(pixels + (size_t)y * bounds->width * 4, 0, width * 4);
    }
}

static void add(plugin *self, const undertext_overlay *overlay)
{
    const undertext_rectangle *bounds = &overlay->bounds;
    size_t row = (size_t)bounds->width * 4;
    const uint8_t *first = overlay->pixels + (size_t)bounds->y * overlay->stride + (size_t)bounds->x * 4;
    uint8_t *copy = malloc(row * bounds->height);
    if (copy == NULL)
        return;
    for (size_t y = 0; y < bounds->height; y++)
        memcpy(copy + y * row, first + y * overlay->stride, row);
    cut_out_menu(self, copy, bounds);
    char numbers[6][32];
    snprintf(numbers[0], sizeof numbers[0], "%" PRId32, self->area.x + bounds->x);
    snprintf(numbers[1], sizeof numbers[1], "%" PRId32, self->area.y + bounds->y);
    snprintf(numbers[2], sizeof numbers[2], "&%" PRIuPTR, (uintptr_t)copy);
    snprintf(numbers[3], sizeof numbers[3], "%" PRIu32, bounds->width);
    snprintf(numbers[4], sizeof numbers[4], "%" PRIu32, bounds->height);
    snprintf(numbers[5], sizeof numbers[5], "%zu", row);
    plugin_command(
        self, "overlay-add", OVERLAY, numbers[0], numbers[1], numbers[2], "0", "bgra", numbers[3],
        numbers[4], numbers[5], NULL);
    /* mpv has copied the pixels. */
    free(copy);
    self->is_overlay_added = true;
}

static void print_diagnostics(plugin *self)
{
    const char *message = NULL;
    while (self->diagnostics < MOST_DIAGNOSTICS
           && undertext_renderer_diagnostic(self->renderer, &message) == UNDERTEXT_STATUS_OK) {
        plugin_log(self, "%s", message);
        self->diagnostics++;
    }
}

void overlay_draw(plugin *self)
{
    undertext_error error = UNDERTEXT_INIT(undertext_error);
    undertext_overlay overlay = UNDERTEXT_INIT(undertext_overlay);
    if (self->model == NULL || !self->has_time)
        return;
    /* mpv reports the time of the frame that is shown, and adds the overlay to the next one. */
    double seconds = self->time + (self->is_playing ? self->frame : 0);
    int64_t time = (int64_t)llround(fmin(fmax(seconds, -1e9), 1e9) * 1e9);
    if (self->renderer == NULL || !self->is_enabled) {
        undertext_model_update(self->model, time);
        return;
    }
    if (undertext_renderer_draw(self->renderer, time, &overlay, &error) < 0) {
        if (self->diagnostics++ < MOST_DIAGNOSTICS)
            plugin_show(self, "%s", error.message);
        overlay_remove(self);
        return;
    }
    if (overlay.change_id == self->shown)
        return;
    if (overlay.bounds.width == 0 || overlay.bounds.height == 0)
        overlay_remove(self);
    else
        add(self, &overlay);
    self->shown = overlay.change_id;
    print_diagnostics(self);
}
