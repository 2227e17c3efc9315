/*
 * Decodes a page of teletext with libzvbi: teletext PAGE < LINES.
 *
 * LINES are lines of 42 bytes as they are sent. For each transmission of the page, given as a hexadecimal number, prints
 * "@" and the number of lines before the one that ended it, and its 25 rows of 40 cells: character, colors, flags
 * (flash 1, underline 2, conceal 4), size and opacity.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libzvbi.h>

#define LINE_LENGTH 42

static vbi_decoder *decoder;
static int page;
static unsigned line_count;

static unsigned rgb(const vbi_page *pg, unsigned index)
{
    vbi_rgba color = pg->color_map[index];
    return (color & 0xFF) << 16 | (color & 0xFF00) | (color >> 16 & 0xFF);
}

static void show(vbi_event *event, void *data)
{
    vbi_page pg;
    (void)data;
    if (event->type != VBI_EVENT_TTX_PAGE || event->ev.ttx_page.pgno != page)
        return;
    if (!vbi_fetch_vt_page(decoder, &pg, page, event->ev.ttx_page.subno, VBI_WST_LEVEL_2p5, 25, 0))
        return;
    printf("@%u\n", line_count);
    for (int row = 0; row < 25; row++) {
        for (int column = 0; column < 40; column++) {
            const vbi_char *c = &pg.text[row * pg.columns + column];
            printf("%s%x:%06x:%06x:%d:%d:%d", column ? " " : "", c->unicode, rgb(&pg, c->foreground),
                   rgb(&pg, c->background), c->flash | c->underline << 1 | c->conceal << 2, c->size, c->opacity);
        }
        printf("\n");
    }
    vbi_unref_page(&pg);
}

/* A time-filling header: libzvbi does not take a header of the same page for the end of what was sent before. */
static const unsigned char address[8] = {0x15, 0x02, 0x49, 0x5E, 0x64, 0x73, 0x38, 0x2F};
static const unsigned char filling[10] = {0x15, 0x15, 0xEA, 0xEA, 0x15, 0x15, 0x15, 0x15, 0x15, 0x15};

static void decode(const unsigned char *bytes)
{
    static double time;
    vbi_sliced sliced;
    memset(&sliced, 0, sizeof sliced);
    sliced.id = VBI_SLICED_TELETEXT_B;
    sliced.line = 7;
    memcpy(sliced.data, bytes, LINE_LENGTH);
    /* Times that are not those of frames make it forget everything. */
    vbi_decode(decoder, &sliced, 1, time += 0.04);
}

int main(int argc, char **argv)
{
    unsigned char bytes[LINE_LENGTH], end[LINE_LENGTH];
    if (argc != 2)
        return 2;
    page = (int)strtol(argv[1], NULL, 16);
    decoder = vbi_decoder_new();
    if (!decoder)
        return 1;
    /* Without X/28 and M/29, the region that EN 300 706 has first. */
    vbi_teletext_set_default_region(decoder, 0);
    vbi_teletext_set_level(decoder, VBI_WST_LEVEL_2p5);
    vbi_event_handler_register(decoder, VBI_EVENT_TTX_PAGE, show, NULL);
    memset(end, 0x20, sizeof end);
    memcpy(end, filling, sizeof filling);
    end[0] = address[page >> 8 & 7];
    for (; fread(bytes, LINE_LENGTH, 1, stdin) == 1; line_count++) {
        if (bytes[0] == end[0] && bytes[1] == end[1])
            decode(end);
        decode(bytes);
    }
    decode(end);
    vbi_decoder_delete(decoder);
    return 0;
}
