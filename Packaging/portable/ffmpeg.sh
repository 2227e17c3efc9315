#!/usr/bin/env bash
# Builds the FFmpeg of the portable build: Packaging/portable/ffmpeg.sh PREFIX
# The source is that of the FFmpeg package against which Undertext was compiled, with Debian's patches. Only what
# Undertext uses is enabled, under the LGPL and without external libraries but zlib, which is linked in. The libraries
# have the suffix -undertext, so that they live beside another FFmpeg in one process, and find each other in their own
# folder. PREFIX/source keeps the source package, PREFIX/configure.txt the configuration, as the LGPL asks.
# shellcheck source=Scripts/common.sh
. "$(dirname "$0")/../../Scripts/common.sh"

prefix=$(realpath -m "${1:?usage: Packaging/portable/ffmpeg.sh PREFIX}")
# zlib of the build machine is linked in statically; it reads compressed headers of MP4 and SWF.
Scripts/packages.sh "${build_packages[@]}" dpkg-dev gcc make nasm patch patchelf zlib1g-dev

version=$(dpkg-query --show --showformat='${source:Version}' libavformat-dev)
work=$PWD/.build-portable/ffmpeg
key=$({ cat "$0"; echo "$version"; } | sha256sum | cut -c 1-16)
if [ "$(cat "$prefix/built" 2>/dev/null)" = "$key" ]; then
    echo "$prefix: FFmpeg $version is built already"
    exit 0
fi
rm -rf "$work" "$prefix"
mkdir -p "$work" "$prefix/source"

Packaging/portable/fetch-source.sh "ffmpeg=$version" "$prefix/source"
dpkg-source --no-check -x "$prefix"/source/ffmpeg_*.dsc "$work/source" >/dev/null

demuxers=(
    # Media files.
    aac ac3 asf av1 avi dirac dts dtshd dv eac3 flac flv gxf h261 h263 h264 hevc ivf live_flv m4v matroska mjpeg mov mp3
    mpegps mpegts mpegtsraw mpegvideo mxf nut obu ogg pva rm truehd vc1 vc1t w64 wav wtv yuv4mpegpipe
    # Subtitle files.
    aqtitle ass dvbsub dvbtxt jacosub lrc microdvd mpl2 mpsub pjs realtext sami scc srt stl subviewer subviewer1 sup
    tedcaptions vobsub vplayer webvtt
)
parsers=(
    aac aac_latm ac3 av1 avs2 avs3 cavsvideo dca dirac dnxhd dvbsub dvd_nav dvdsub flac h261 h263 h264 hevc mjpeg mlp
    mpeg4video mpegaudio mpegvideo opus png rv30 rv40 vc1 vorbis vp3 vp8 vp9
)
decoders=(
    # Subtitles.
    ass ccaption dvbsub dvdsub jacosub microdvd movtext mpl2 pgssub pjs realtext sami srt ssa stl subrip subviewer
    subviewer1 text vplayer webvtt xsub
    # Video, for `render --over-video` and the descriptions of `probe`.
    av1 cavs dirac dnxhd dvvideo ffv1 flv h261 h263 h264 hevc huffyuv ffvhuff mjpeg mpeg1video mpeg2video mpeg4 msmpeg4v1
    msmpeg4v2 msmpeg4v3 png prores rawvideo rv30 rv40 theora vc1 vp3 vp6 vp6f vp7 vp8 vp9 wmv1 wmv2 wmv3
    # Audio, for `sync --speech` and the descriptions of `probe`; the decoder of Opus needs libswresample.
    aac aac_latm ac3 alac dca eac3 flac mlp mp1 mp2 mp3 opus pcm_alaw pcm_bluray pcm_dvd pcm_f32le pcm_mulaw pcm_s16be
    pcm_s16le pcm_s24be pcm_s24le pcm_s32le pcm_u8 truehd vorbis wmapro wmav1 wmav2
)
# Of `hls package`.
muxers=(hls mov mp4 mpegts webvtt)
filters=(
    aac_adtstoasc av1_frame_merge av1_frame_split dca_core eac3_core extract_extradata h264_mp4toannexb
    hevc_mp4toannexb mov2textsub mpeg4_unpack_bframes null pgs_frame_merge text2movsub vp9_superframe
    vp9_superframe_split
)
enable() {
    local kind=$1 name
    shift
    for name in "$@"; do configuration+=("--enable-$kind=$name"); done
}
# shellcheck disable=SC2054
configuration=(
    --prefix=/undertext --build-suffix=-undertext --enable-shared --disable-static
    --disable-everything --disable-autodetect --disable-programs --disable-doc --disable-debug --disable-network
    --disable-avdevice --disable-avfilter --disable-postproc --enable-swresample --enable-swscale --enable-zlib
    --enable-pthreads --enable-protocol=file
    --extra-cflags="-O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2"
    --extra-ldsoflags=-Wl,-z,relro,-z,now
)
enable demuxer "${demuxers[@]}"
enable parser "${parsers[@]}"
enable decoder "${decoders[@]}"
enable muxer "${muxers[@]}"
enable bsf "${filters[@]}"
cd "$work/source"
# Symbols have a version of their own: those of an FFmpeg that the process is linked with do not take their place.
sed -i 's/^\(LIB[A-Z]*\)_MAJOR {/\1_UNDERTEXT_MAJOR {/' lib*/lib*.v
./configure "${configuration[@]}" >"$work/configure.log" 2>&1 || { tail -n 20 "$work/configure.log" ffbuild/config.log >&2; exit 1; }
grep -q '^License: LGPL version 2.1 or later$' "$work/configure.log" || { echo 'the license is not the LGPL' >&2; exit 1; }
# The static zlib of the system instead of the shared one.
sed -i 's/-lz\b/-l:libz.a/g' ffbuild/config.mak
make --jobs="$(nproc)" >"$work/make.log" 2>&1 || { tail -n 40 "$work/make.log" >&2; exit 1; }
make DESTDIR="$work/root" install-libs install-headers >>"$work/make.log" 2>&1
mv "$work/root/undertext/lib" "$work/root/undertext/include" "$prefix/"
printf '%s\n' "${configuration[@]}" >"$prefix/configure.txt"
cp COPYING.LGPLv2.1 LICENSE.md "$prefix/"
strip --strip-unneeded "$prefix"/lib/*-undertext.so.*.*.*
# Each library finds the others in its own folder.
for library in "$prefix"/lib/*-undertext.so.*.*.*; do patchelf --set-rpath "\$ORIGIN" "$library"; done
echo "$key" >"$prefix/built"
du -ch "$prefix"/lib/lib*-undertext.so.*.*.* | sed 's/^/  /'
