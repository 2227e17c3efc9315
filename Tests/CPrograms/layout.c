/*
 * What programs that were built before must find where they left it: compiled with gcc and g++, never run.
 */
#include <undertext.h>

#ifdef __cplusplus
#define SAME(left, right) static_assert((left) == (right), #left)
#else
#define SAME(left, right) _Static_assert((left) == (right), #left)
#endif

/* A struct has no gap at its end: a later member would be read from the gap of a program built earlier. */
#define ENDS_WITH(type, member, length) \
    SAME(sizeof(type), length); \
    SAME(offsetof(type, member) + sizeof(((type *)0)->member), length)

ENDS_WITH(undertext_error, remedy, 1328);
ENDS_WITH(undertext_media_options, frame_rate, 88);
ENDS_WITH(undertext_text_info, reserved, 48);
ENDS_WITH(undertext_io, close, 56);
ENDS_WITH(undertext_track, height, 56);
ENDS_WITH(undertext_cue_info, canvas_height, 80);
ENDS_WITH(undertext_image, pixels, 40);
ENDS_WITH(undertext_output, length, 32);
ENDS_WITH(undertext_extract_options, progress_context, 80);
ENDS_WITH(undertext_model_options, text_hook_context, 56);
ENDS_WITH(undertext_subtitle, warning, 96);
ENDS_WITH(undertext_geometry, reserved, 40);
ENDS_WITH(undertext_rectangle, height, 16);
ENDS_WITH(undertext_overlay, reserved, 80);

/* What an enum is called in a struct does not depend on how long the compiler makes enums. */
SAME(sizeof(((undertext_error *)0)->status), 4);
SAME(sizeof(((undertext_track *)0)->kind), 4);
SAME(sizeof(((undertext_cue_info *)0)->kind), 4);
SAME(sizeof(((undertext_subtitle *)0)->kind), 4);
SAME(sizeof(((undertext_subtitle *)0)->state), 4);
SAME(sizeof(((undertext_geometry *)0)->pixels), 4);

/* Gaps between members are named, too. */
SAME(offsetof(undertext_media_options, user_agent), 32);
SAME(offsetof(undertext_cue_info, text), 40);
SAME(offsetof(undertext_extract_options, progress), 64);
SAME(offsetof(undertext_error, code), 1040);
SAME(offsetof(undertext_subtitle, delay), 72);
SAME(offsetof(undertext_overlay, reserved), 73);

int main(void)
{
    return 0;
}
