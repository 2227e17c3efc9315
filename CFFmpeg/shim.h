/*
 * FFmpeg's public headers, the table of the functions we call, and every difference between
 * FFmpeg 4.4 and 9. Nothing here is linked: cffmpeg_load() looks the functions up at run time,
 * in the FFmpeg of a portable build or that of the system, unless CFFMPEG_LINKED is defined.
 */
#ifndef CFFMPEG_SHIM_H
#define CFFMPEG_SHIM_H

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/version.h>
#include <libswscale/swscale.h>

#include "../Sources/Libraries/Binding/binding.h"

#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(58, 76, 100)
#error "FFmpeg 4.4 or newer is needed"
#endif

/* 5.1 replaced bit masks by AVChannelLayout; 7.0 removed the masks. */
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 28, 100)
#define CFFMPEG_HAS_LAYOUTS 1
#define CFFMPEG_LAYOUT_FUNCTION(X) X(avutil, av_channel_layout_describe)
#else
#define CFFMPEG_HAS_LAYOUTS 0
#define CFFMPEG_LAYOUT_FUNCTION(X) X(avutil, av_get_channel_layout_string)
#endif

/* Every function that is called, with its library. */
#define CFFMPEG_FUNCTIONS(X)             \
    X(avutil, avutil_version)            \
    X(avutil, av_dict_set)               \
    X(avutil, av_dict_get)               \
    X(avutil, av_dict_free)              \
    X(avutil, av_strerror)               \
    X(avutil, av_mallocz)                \
    X(avutil, av_free)                   \
    X(avutil, av_opt_set)                \
    X(avutil, av_frame_alloc)            \
    X(avutil, av_frame_free)             \
    X(avutil, av_get_media_type_string)  \
    X(avutil, av_fourcc_make_string)     \
    X(avutil, av_log_set_callback)       \
    X(avutil, av_log_default_callback)   \
    X(avutil, av_log_format_line2)       \
    CFFMPEG_LAYOUT_FUNCTION(X)           \
    X(avcodec, avcodec_version)          \
    X(avcodec, av_codec_iterate)         \
    X(avcodec, av_codec_is_decoder)      \
    X(avcodec, avcodec_find_decoder)     \
    X(avcodec, avcodec_descriptor_get)   \
    X(avcodec, avcodec_descriptor_get_by_name) \
    X(avcodec, avcodec_alloc_context3)   \
    X(avcodec, avcodec_free_context)     \
    X(avcodec, avcodec_open2)            \
    X(avcodec, avcodec_decode_subtitle2) \
    X(avcodec, avsubtitle_free)          \
    X(avcodec, avcodec_parameters_to_context) \
    X(avcodec, avcodec_send_packet)      \
    X(avcodec, avcodec_receive_frame)    \
    X(avcodec, av_packet_alloc)          \
    X(avcodec, av_packet_free)           \
    X(avcodec, av_packet_unref)          \
    X(avcodec, av_new_packet)            \
    X(avcodec, av_packet_new_side_data)  \
    X(avformat, avformat_version)        \
    X(avformat, avformat_alloc_context)  \
    X(avformat, avformat_open_input)     \
    X(avformat, avformat_close_input)    \
    X(avformat, avformat_free_context)   \
    X(avformat, avformat_find_stream_info) \
    X(avformat, av_find_input_format)    \
    X(avformat, av_read_frame)           \
    X(avformat, av_seek_frame)           \
    X(avformat, av_guess_sample_aspect_ratio) \
    X(avformat, avio_alloc_context)      \
    X(avformat, avio_context_free)       \
    X(avformat, avio_seek)               \
    X(avformat, avio_size)

/* The functions, each typed by FFmpeg's own declaration: a changed signature fails to compile. */
typedef struct CFFmpegFunctions {
#define CFFMPEG_FIELD(library, name) __typeof__(name) *_Nonnull name;
    CFFMPEG_FUNCTIONS(CFFMPEG_FIELD)
#undef CFFMPEG_FIELD
} CFFmpegFunctions;

/* What cffmpeg_load() says. */
enum {
    CFFMPEG_LOADED = 0,
    CFFMPEG_NO_LIBRARY = 1,
    CFFMPEG_NO_SYMBOL = 2,
    CFFMPEG_WRONG_VERSION = 3
};

/* What was missing; all strings are static or belong to dlerror(). */
typedef struct CFFmpegFailure {
    int32_t kind;
    const char *_Nullable library; /* such as "avformat" */
    uint32_t major;               /* the major that this was built against */
    const char *_Nullable detail;  /* the symbol, or what the loader said */
} CFFmpegFailure;

#define CFFMPEG_TEXT2(x) #x
#define CFFMPEG_TEXT(x) CFFMPEG_TEXT2(x)
#define CFFMPEG_SONAME(library, suffix, major) "lib" #library suffix ".so." CFFMPEG_TEXT(major)

/*
 * How the tables are filled, each in a function with `table` and `failure`: first the libraries, then their
 * functions. The libraries stay loaded: FFmpeg keeps process-wide tables and must not be unloaded.
 */
#define CFFMPEG_MAJOR_avutil LIBAVUTIL_VERSION_MAJOR
#define CFFMPEG_MAJOR_avcodec LIBAVCODEC_VERSION_MAJOR
#define CFFMPEG_MAJOR_avformat LIBAVFORMAT_VERSION_MAJOR
#define CFFMPEG_MAJOR_swscale LIBSWSCALE_VERSION_MAJOR
#ifdef CFFMPEG_LINKED
#define CFFMPEG_FOLDER
#define CFFMPEG_OPEN(lib)
#define CFFMPEG_BIND(lib, name) table->name = name;
#else
/*
 * The FFmpeg of a portable build, whose libraries have a suffix, comes before the system's. All libraries are of one
 * FFmpeg: the one whose libavutil is there. Their names are local to this process's users of them (RTLD_LOCAL), so that
 * another FFmpeg may be in use.
 */
#define CFFMPEG_FOLDER \
    const char *const folder = binding_folder(CFFMPEG_SONAME(avutil, "-undertext", CFFMPEG_MAJOR_avutil));
#define CFFMPEG_OPEN(lib)                                                       \
    void *handle_##lib =                                                        \
        folder ? binding_open_in(folder, CFFMPEG_SONAME(lib, "-undertext", CFFMPEG_MAJOR_##lib)) \
               : dlopen(CFFMPEG_SONAME(lib, "", CFFMPEG_MAJOR_##lib), RTLD_LAZY | RTLD_LOCAL); \
    if (!handle_##lib) {                                                        \
        const char *said = dlerror();                                           \
        failure->kind = CFFMPEG_NO_LIBRARY;                                     \
        failure->library = #lib;                                                \
        failure->major = CFFMPEG_MAJOR_##lib;                                   \
        failure->detail = said ? said : "";                                     \
        return failure->kind;                                                   \
    }
#define CFFMPEG_BIND(lib, name)                                                 \
    table->name = (__typeof__(name) *)dlsym(handle_##lib, #name);               \
    if (!table->name) {                                                         \
        failure->kind = CFFMPEG_NO_SYMBOL;                                      \
        failure->library = #lib;                                                \
        failure->major = CFFMPEG_MAJOR_##lib;                                   \
        failure->detail = #name;                                                \
        return failure->kind;                                                   \
    }
#endif
/* A structure's layout is only known for the major whose headers were compiled. */
#define CFFMPEG_CHECK(lib, running)                                             \
    if ((running) >> 16 != CFFMPEG_MAJOR_##lib) {                               \
        failure->kind = CFFMPEG_WRONG_VERSION;                                  \
        failure->library = #lib;                                                \
        failure->major = CFFMPEG_MAJOR_##lib;                                   \
        failure->detail = "";                                                   \
        return failure->kind;                                                   \
    }

/* Fills the table. Call it once, from one thread. */
static inline int32_t cffmpeg_load(CFFmpegFunctions *_Nonnull table,
                                   CFFmpegFailure *_Nonnull failure) {
    failure->kind = CFFMPEG_LOADED;
    CFFMPEG_FOLDER
    CFFMPEG_OPEN(avutil)
    CFFMPEG_OPEN(avcodec)
    CFFMPEG_OPEN(avformat)
    CFFMPEG_FUNCTIONS(CFFMPEG_BIND)
    CFFMPEG_CHECK(avutil, table->avutil_version())
    CFFMPEG_CHECK(avcodec, table->avcodec_version())
    CFFMPEG_CHECK(avformat, table->avformat_version())
    return failure->kind;
}

/* The functions of libswscale, which only scaling needs: a table of their own. */
#define CFFMPEG_SCALING_FUNCTIONS(X) \
    X(swscale, swscale_version)      \
    X(swscale, sws_getContext)       \
    X(swscale, sws_scale)            \
    X(swscale, sws_isSupportedInput) \
    X(swscale, sws_getCoefficients)  \
    X(swscale, sws_setColorspaceDetails) \
    X(swscale, sws_freeContext)

typedef struct CFFmpegScaling {
#define CFFMPEG_FIELD(library, name) __typeof__(name) *_Nonnull name;
    CFFMPEG_SCALING_FUNCTIONS(CFFMPEG_FIELD)
#undef CFFMPEG_FIELD
} CFFmpegScaling;

/* Fills the table of libswscale, as cffmpeg_load() does the other one. */
static inline int32_t cffmpeg_load_scaling(CFFmpegScaling *_Nonnull table,
                                           CFFmpegFailure *_Nonnull failure) {
    failure->kind = CFFMPEG_LOADED;
    CFFMPEG_FOLDER
    CFFMPEG_OPEN(swscale)
    CFFMPEG_SCALING_FUNCTIONS(CFFMPEG_BIND)
    CFFMPEG_CHECK(swscale, table->swscale_version())
    return failure->kind;
}

/* The functions of writing containers, which only packaging needs: a table of their own. */
#define CFFMPEG_MUXING_FUNCTIONS(X)            \
    X(avcodec, av_packet_rescale_ts)           \
    X(avcodec, avcodec_parameters_copy)        \
    X(avcodec, av_bsf_get_by_name)             \
    X(avcodec, av_bsf_alloc)                   \
    X(avcodec, av_bsf_init)                    \
    X(avcodec, av_bsf_send_packet)             \
    X(avcodec, av_bsf_receive_packet)          \
    X(avcodec, av_bsf_free)                    \
    X(avformat, avformat_alloc_output_context2) \
    X(avformat, avformat_new_stream)           \
    X(avformat, avformat_write_header)         \
    X(avformat, av_interleaved_write_frame)    \
    X(avformat, av_write_trailer)

typedef struct CFFmpegMuxing {
#define CFFMPEG_FIELD(library, name) __typeof__(name) *_Nonnull name;
    CFFMPEG_MUXING_FUNCTIONS(CFFMPEG_FIELD)
#undef CFFMPEG_FIELD
} CFFmpegMuxing;

/* Fills the table of muxing; the libraries are those that cffmpeg_load() has loaded. */
static inline int32_t cffmpeg_load_muxing(CFFmpegMuxing *_Nonnull table,
                                          CFFmpegFailure *_Nonnull failure) {
    failure->kind = CFFMPEG_LOADED;
    CFFMPEG_FOLDER
    CFFMPEG_OPEN(avcodec)
    CFFMPEG_OPEN(avformat)
    CFFMPEG_MUXING_FUNCTIONS(CFFMPEG_BIND)
    return failure->kind;
}

/* Scales a plane of 8 bits by bicubic interpolation; the rows written, or a negative number. */
static inline int32_t cffmpeg_scale_grey(const CFFmpegScaling *_Nonnull table,
                                         const uint8_t *_Nullable source, int32_t source_stride,
                                         int32_t source_width, int32_t source_height,
                                         uint8_t *_Nullable target, int32_t target_stride,
                                         int32_t target_width, int32_t target_height) {
    struct SwsContext *context = table->sws_getContext(
        source_width, source_height, AV_PIX_FMT_GRAY8, target_width, target_height,
        AV_PIX_FMT_GRAY8, SWS_BICUBIC | SWS_ACCURATE_RND, NULL, NULL, NULL);
    if (!context) return -1;
    const uint8_t *const sources[4] = {source, NULL, NULL, NULL};
    uint8_t *const targets[4] = {target, NULL, NULL, NULL};
    const int source_strides[4] = {source_stride, 0, 0, 0};
    const int target_strides[4] = {target_stride, 0, 0, 0};
    int32_t rows = table->sws_scale(context, sources, source_strides, 0, source_height, targets,
                                    target_strides);
    table->sws_freeContext(context);
    return rows;
}

/*
 * A frame as rows of R, G, B, A by bicubic interpolation; the rows written, or a negative number.
 * colours is one of SWS_CS_*; full is whether the samples use all of their range.
 */
static inline int32_t cffmpeg_frame_rgba(const CFFmpegScaling *_Nonnull table,
                                         const AVFrame *_Nonnull frame, int32_t colours,
                                         int32_t full, uint8_t *_Nullable target,
                                         int32_t target_stride, int32_t target_width,
                                         int32_t target_height) {
    enum AVPixelFormat format = (enum AVPixelFormat)frame->format;
    if (format == AV_PIX_FMT_NONE || !table->sws_isSupportedInput(format)) return -1;
    struct SwsContext *context = table->sws_getContext(
        frame->width, frame->height, format, target_width, target_height, AV_PIX_FMT_RGBA,
        SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, NULL, NULL, NULL);
    if (!context) return -1;
    /* Fails where nothing is to be converted: then it is not needed. */
    table->sws_setColorspaceDetails(context, table->sws_getCoefficients(colours), full,
                                    table->sws_getCoefficients(colours), 1, 0, 1 << 16, 1 << 16);
    uint8_t *const targets[4] = {target, NULL, NULL, NULL};
    const int target_strides[4] = {target_stride, 0, 0, 0};
    int32_t rows = table->sws_scale(context, (const uint8_t *const *)frame->data, frame->linesize,
                                    0, frame->height, targets, target_strides);
    table->sws_freeContext(context);
    return rows;
}

/* Macros that Swift cannot import. */
static const uint32_t cffmpeg_built_avformat = LIBAVFORMAT_VERSION_INT;
static const uint32_t cffmpeg_built_avcodec = LIBAVCODEC_VERSION_INT;
static const uint32_t cffmpeg_built_avutil = LIBAVUTIL_VERSION_INT;
static const int64_t cffmpeg_nopts = AV_NOPTS_VALUE;
static const int32_t cffmpeg_eof = AVERROR_EOF;
static const int32_t cffmpeg_exit = AVERROR_EXIT;
static const int32_t cffmpeg_invalid_data = AVERROR_INVALIDDATA;
static const int32_t cffmpeg_patch_welcome = AVERROR_PATCHWELCOME;
static const int32_t cffmpeg_protocol_not_found = AVERROR_PROTOCOL_NOT_FOUND;
static const int32_t cffmpeg_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int32_t cffmpeg_stream_not_found = AVERROR_STREAM_NOT_FOUND;
static const int32_t cffmpeg_option_not_found = AVERROR_OPTION_NOT_FOUND;
static const int32_t cffmpeg_http_not_found = AVERROR_HTTP_NOT_FOUND;
static const int32_t cffmpeg_http_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int32_t cffmpeg_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int32_t cffmpeg_profile_unknown = -99; /* FF_PROFILE_UNKNOWN, renamed in 7.0 */
static const int32_t cffmpeg_level_unknown = -99;   /* FF_LEVEL_UNKNOWN, renamed in 7.0 */
static const int32_t cffmpeg_input_padding = AV_INPUT_BUFFER_PADDING_SIZE;

static inline int32_t cffmpeg_averror(int32_t posix_errno) { return AVERROR(posix_errno); }

/* 5.0 made the input format const. */
static inline int32_t cffmpeg_open_input(const CFFmpegFunctions *_Nonnull table,
                                         AVFormatContext **context, const char *url,
                                         const char *format_name, AVDictionary **options) {
    const AVInputFormat *format = NULL;
    if (format_name) {
        format = table->av_find_input_format(format_name);
        if (!format) {
            table->avformat_free_context(*context);
            *context = NULL;
            return AVERROR_DEMUXER_NOT_FOUND;
        }
    }
#if LIBAVFORMAT_VERSION_MAJOR < 59
    return table->avformat_open_input(context, url, (AVInputFormat *)format, options);
#else
    return table->avformat_open_input(context, url, format, options);
#endif
}

/* 6.0 made the packet const. */
static inline int32_t cffmpeg_decode_subtitle(const CFFmpegFunctions *_Nonnull table,
                                              AVCodecContext *context, AVSubtitle *subtitle,
                                              int *got, const AVPacket *packet) {
    return table->avcodec_decode_subtitle2(context, subtitle, got, (AVPacket *)packet);
}

/* 5.0 widened the size of side data from int to size_t. */
static inline uint8_t *_Nullable cffmpeg_new_side_data(const CFFmpegFunctions *_Nonnull table,
                                                       AVPacket *packet, int32_t type,
                                                       int32_t size) {
    return table->av_packet_new_side_data(packet, (enum AVPacketSideDataType)type, size);
}

/* Whether a context for that codec could be opened, and that context. 5.0 made the codec const. */
static inline AVCodecContext *_Nullable cffmpeg_decoder_context(
    const CFFmpegFunctions *_Nonnull table, enum AVCodecID id) {
    const AVCodec *codec = table->avcodec_find_decoder(id);
    return codec ? table->avcodec_alloc_context3(codec) : NULL;
}

static inline const char *_Nullable cffmpeg_decoder_name(const CFFmpegFunctions *_Nonnull table,
                                                         enum AVCodecID id) {
    const AVCodec *codec = table->avcodec_find_decoder(id);
    return codec ? codec->name : NULL;
}

static inline int32_t cffmpeg_channels(const AVCodecParameters *_Nonnull parameters) {
#if CFFMPEG_HAS_LAYOUTS
    return parameters->ch_layout.nb_channels;
#else
    return parameters->channels;
#endif
}

/* The channels of decoded audio. */
static inline int32_t cffmpeg_frame_channels(const AVFrame *_Nonnull frame) {
#if CFFMPEG_HAS_LAYOUTS
    return frame->ch_layout.nb_channels;
#else
    return frame->channels;
#endif
}

/* The position of the front center channel, or -1 where there is none or the order is not known. */
static inline int32_t cffmpeg_frame_center(const AVFrame *_Nonnull frame) {
#if CFFMPEG_HAS_LAYOUTS
    uint64_t mask = frame->ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? frame->ch_layout.u.mask : 0;
#else
    uint64_t mask = frame->channel_layout;
#endif
    uint64_t center = 4; /* AV_CH_FRONT_CENTER, the third bit */
    if (!(mask & center)) return -1;
    return (int32_t)((mask & 1) + (mask >> 1 & 1));
}

/* The name of the channel layout as ffprobe prints it, or 0 where it is unspecified. */
static inline int32_t cffmpeg_describe_layout(const CFFmpegFunctions *_Nonnull table,
                                              const AVCodecParameters *_Nonnull parameters,
                                              char *_Nonnull buffer, size_t size) {
#if CFFMPEG_HAS_LAYOUTS
    if (parameters->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) return 0;
    return table->av_channel_layout_describe(&parameters->ch_layout, buffer, size) > 0;
#else
    if (!parameters->channel_layout) return 0;
    table->av_get_channel_layout_string(buffer, (int)size, parameters->channels,
                                        parameters->channel_layout);
    return 1;
#endif
}

#endif
