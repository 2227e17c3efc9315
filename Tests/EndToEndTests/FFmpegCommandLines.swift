/// Command lines of ffmpeg in the forms that media servers, their add-ons and scripts write.
///
/// Those of Jellyfin and Bazarr follow their source code, with the stream numbers of the fixture; the others are usual forms. `IN`
/// is the input; a word that begins with `OUT` is an output.
enum FFmpegCommandLines {
    struct Line: Sendable, CustomStringConvertible {
        var source: String
        var text: String
        /// `true` if Undertext does it for a Matroska file with SubRip, ASS and PGS tracks.
        var isOurs: Bool
        var description: String { "\(source): \(text)" }

        init(_ source: String, _ text: String, isOurs: Bool = true) {
            (self.source, self.text, self.isOurs) = (source, text, isOurs)
        }
    }

    /// Extractions and conversions of subtitles.
    static let extractions = [
        Line(
            "Jellyfin ExtractTextSubtitleInternal",
            "-i file:IN -copyts -map 0:2 -an -vn -c:s copy OUT.srt"),
        Line(
            "Jellyfin ExtractTextSubtitleInternal",
            "-i file:IN -copyts -map 0:6 -an -vn -c:s copy OUT.ass"),
        Line(
            "Jellyfin ExtractTextSubtitleInternal",
            "-i file:IN -copyts -map 0:6 -an -vn -c:s srt OUT.srt"),
        Line(
            "Jellyfin ExtractAllExtractableSubtitlesInternal",
            "-i file:IN -copyts -map 0:2 -an -vn -c:s copy OUT1.srt -map 0:3 -an -vn -c:s copy OUT2.srt "
                + "-map 0:6 -an -vn -c:s copy OUT3.ass"),
        Line(
            "Jellyfin with PGS",
            "-i file:IN -copyts -map 0:7 -an -vn -c:s copy OUT1.sup -map 0:2 -an -vn -c:s copy OUT2.srt"
        ),
        Line(
            "Jellyfin -flush_packets",
            "-i file:IN -map 0:2 -an -vn -c:s copy -flush_packets 1 OUT1.srt "
                + "-map 0:6 -an -vn -c:s copy -flush_packets 1 OUT2.ass"),
        Line("Jellyfin ConvertTextSubtitleToSrtInternal", "-i IN -c:s srt OUT.srt"),
        Line(
            "Jellyfin ConvertTextSubtitleToSrtInternal, charset",
            "-sub_charenc UTF-8 -i IN -c:s srt OUT.srt", isOurs: false),
        Line("a script", "-i file:IN -map 0:2 -an -vn -c:s srt OUT.srt"),
        Line("a script", "-i IN -map 0:6 -an -vn -c:s ass OUT.ass"),
        Line(
            "a script",
            "-nostdin -hide_banner -y -i IN -map 0:2 -an -vn -c:s srt -flush_packets 1 OUT.srt"),
        Line(
            "a Jellyfin companion script",
            "-analyzeduration 200M -probesize 1000M -i IN -copyts -map 0:2 -an -vn -c:s copy OUT.srt"
        ),
        Line(
            "Bazarr, fese extract_subtitles",
            "-v quiet -stats -y -i IN -map 0:2 -f srt OUT1.srt -map 0:6 -f srt OUT2.srt"),
        Line(
            "Bazarr, fese copy_subtitles",
            "-v quiet -stats -y -i IN -map 0:2 -c:s copy -f srt OUT1.srt -map 0:6 -c:s copy -f ass OUT2.ass "
                + "-map 0:7 -c:s copy -f sup OUT3.sup"),
        Line("a subtitle script", "-y -i IN -map 0:s:0 -c:s srt OUT.srt"),
        Line("a normalizer", "-hide_banner -loglevel error -y -i IN -map 0:s:0 -c:s srt OUT.srt"),
        Line("a dubbing script", "-nostdin -y -v warning -i IN -map 0:2 -c:s srt OUT.srt"),
        Line("a PHP media manager", "-y -i IN -map 0:3 -c:s srt OUT.srt"),
        Line("a player's subtitle loader", "-y -v quiet -i IN -map 0:4 -c:s srt OUT.srt"),
        Line("vdr-rectools", "-y -i IN -an -vn -c:s srt OUT.srt"),
        Line("a shell alias", "-nostdin -hide_banner -loglevel quiet -i IN -map 0:2 OUT.vtt"),
        Line("a Node script", "-i IN -map 0:s:0 OUT.srt"),
        Line("an answer with ass", "-i IN -map 0:s:0 -y OUT.srt"),
        Line("a PHP video site", "-i IN -map 0:6 -y OUT.ass"),
        Line("a review tool", "-y -i IN -map 0:s:0 -f srt OUT.srt"),
        Line("an upload script", "-i IN -map 0:s:0? -c:s srt OUT.srt -y"),
        Line("a batch file", "-i IN -vn -an -codec:s:0 srt OUT.srt"),
        Line("an answer", "-i IN -vn -an -codec:s srt OUT.srt"),
        Line("an encoder script", "-i IN -vn -an -codec:s:0 srt -y OUT.srt"),
        Line("a shell function", "-i IN -map 0:2 -c:s subrip OUT.srt"),
        Line("a shell function", "-i IN -map 0:s:0 -codec:s text OUT.srt", isOurs: false),
        Line("an extractor", "-i IN -an -vn -map 0:3 -c:s:0 srt OUT.srt"),
        Line("an extractor", "-i IN -an -vn -c:s:0 srt OUT.srt"),
        Line("notes", "-i IN -an -vn -scodec copy OUT.srt"),
        Line("notes", "-i IN -map 0:s:m:language:eng OUT.srt", isOurs: false),
        Line("a script", "-i IN -map 0:s:0 -f srt -"),
        Line("a script", "-loglevel error -i IN -map 0:s:1 -f webvtt pipe:1"),
        Line("a script", "-hide_banner -i IN -map 0:s:0 -c:s webvtt -f webvtt OUT.vtt"),
        Line("a script", "-nostdin -loglevel panic -i IN -map 0:s:4 -c copy OUT.ass"),
        Line("a script", "-y -hide_banner -nostats -i IN -map 0:7 -c copy OUT.sup"),
        Line(
            "a script", "-i IN -map_metadata -1 -map_chapters -1 -map 0:2 -c:s copy OUT.srt"),
        Line("a script", "-i IN -threads 1 -map 0:s:2 OUT.srt"),
        Line(
            "Jellyfin RunSubtitleExtractionProcess",
            "-nostdin -y -i file:IN -copyts -map 0:2 -an -vn -c:s copy OUT.srt"),
        Line(
            "Jellyfin ExtractAllExtractableSubtitlesInternal, without -copyts",
            "-nostdin -y -i file:IN -map 0:2 -an -vn -c:s copy -flush_packets 1 OUT1.srt "
                + "-map 0:6 -an -vn -c:s copy -flush_packets 1 OUT2.ass "
                + "-map 0:7 -an -vn -c:s copy -flush_packets 1 OUT3.sup"),
        Line(
            "a server in Rust",
            "-nostdin -hide_banner -loglevel error -y -i IN -map 0:2 -c:s webvtt -f webvtt OUT.vtt"),
        Line(
            "a server in Go",
            "-hide_banner -loglevel error -nostdin -copyts -i IN -map 0:2 -c:s webvtt -f webvtt pipe:1"
        ),
        Line("a server in Java", "-y -i IN -map 0:s:1 -c:s srt OUT.srt"),
        Line("a library manager", "-v error -i IN -map 0:2 -c:s srt -y OUT.srt"),
        Line("a media API", "-y -hide_banner -loglevel error -i IN -map 0:2 -c:s webvtt OUT.vtt"),
        Line("a media API", "-y -hide_banner -loglevel error -i IN -map 0:7 -c:s copy OUT.sup"),
        Line("a fallback", "-i IN -c:s copy OUT.srt"),
        Line("a script", "-y -i IN -ac 1 -ar 16000 -vn -loglevel error OUT.wav", isOurs: false),
    ]

    /// Command lines that only ffmpeg can do, or whose errors are its own.
    static let others = [
        "", "-version", "-encoders", "-h", "-h full", "-buildconf", "-hwaccels", "-filters",
        "-protocols",
        "-h encoder=libx264", "-i IN", "-hide_banner -i IN", "IN", "-i", "-y", "OUT.srt",
        "-i IN -map", "-i IN -c:s",
        "-i IN OUT.mkv", "-i IN -c copy OUT.mkv", "-i IN -map 0 OUT.srt", "-i IN -map 0:v OUT.srt",
        "-i IN -map 0:s -map 0:a OUT.srt", "-i IN -map 0:2 -map 0:3 OUT.srt",
        "-i IN -map 1:0 OUT.srt",
        "-i IN -map 0:-1 OUT.srt", "-i IN -map -0:2 OUT.srt", "-i IN -map 0:2:1 OUT.srt",
        "-i IN -map 0:99 OUT.srt",
        "-i IN -map 0:s:99 OUT.srt", "-i IN -map [out] OUT.srt", "-i IN -map 0:p:1 OUT.srt",
        "-i IN -map 0:i:2 OUT.srt",
        "-i IN -map 0:0 -c:s copy OUT.srt", "-i IN -map 0:6 -c:s copy OUT.srt",
        "-i IN -map 0:7 OUT.srt",
        "-i IN -map 0:2 -c:s copy OUT.sup", "-i IN -map 0:2 -c:s copy OUT.ass",
        "-i IN -map 0:2 OUT.ass",
        "-i IN -map 0:2 -c:s mov_text OUT.mp4", "-i IN -map 0:2 -c:s dvbsub OUT.ts",
        "-i IN -map 0:2 OUT.txt",
        "-i IN -map 0:2 OUT", "-i IN -map 0:2 -f ttml OUT.srt", "-i IN -map 0:2 -f null -",
        "-i IN -sn OUT.srt",
        "-ss 10 -i IN -map 0:2 OUT.srt", "-i IN -ss 10 -map 0:2 OUT.srt",
        "-i IN -t 5 -map 0:2 OUT.srt",
        "-i IN -to 00:00:10 -map 0:2 OUT.srt", "-itsoffset 2 -i IN -map 0:2 OUT.srt",
        "-i IN -fs 1000 -map 0:2 OUT.srt",
        "-i IN -i IN -map 0:2 OUT.srt", "-i IN -map 0:2 OUT.srt -an",
        "-i IN -map 0:2 -y -n OUT.srt",
        "-map 0:2 -i IN OUT.srt", "-vn -i IN OUT.srt", "-c:s copy -i IN OUT.srt",
        "-f matroska -i IN OUT.srt",
        "-fix_sub_duration -i IN -map 0:2 OUT.srt", "-fflags +genpts -i IN -map 0:2 OUT.srt",
        "-sub_charenc CP1252 -i IN OUT.srt", "-i IN -map 0:2 -bsf:s text2movsub OUT.srt",
        "-i IN -map 0:2 -metadata title=x OUT.srt", "-i IN -map 0:2 -progress pipe:1 OUT.srt",
        "-v debug -i IN -map 0:2 OUT.srt", "-v verbose -i IN -map 0:2 OUT.srt",
        "-v nonsense -i IN -map 0:2 OUT.srt",
        "-report -i IN -map 0:2 OUT.srt", "-stdin -i IN -map 0:2 OUT.srt",
        "--y -i IN -map 0:2 OUT.srt",
        "-I IN -map 0:2 OUT.srt", "-i http://127.0.0.1:9/x.mkv -map 0:2 OUT.srt",
        "-i concat:IN -map 0:2 OUT.srt",
        "-i - -map 0:2 OUT.srt", "-i pipe:0 -map 0:2 OUT.srt", "-i file:// -map 0:2 OUT.srt",
        "-i IN -map 0:2 -f srt http://127.0.0.1:9/x", "-i IN -map 0:2 -f srt pipe:2",
        "-i IN -map 0:2 -f srt tee:OUT.srt",
        "-i IN -map 0:2 -f srt - -map 0:3 -f srt -", "-i IN -map 0:2 OUT.srt -map 0:3 OUT.srt",
        "-i missing.mkv -map 0:2 OUT.srt", "-i . -map 0:2 OUT.srt",
        "-i IN -map 0:2 missing/OUT.srt",
        "-i IN -c:v libx264 -crf 20 OUT.mp4", "-i IN -vn -c:a aac OUT.m4a",
        "-i IN -vframes 1 OUT.png",
        "-i IN -filter_complex [0:v][0:s]overlay OUT.mp4", "-dump_attachment:t OUT.ttf -i IN",
        "-i IN -f ffmetadata OUT.txt", "-i IN -c:s copy -c:s srt OUT.srt",
        "-i IN -codec:s:1 srt OUT.srt",
        "-i IN -c:s:0.1 srt OUT.srt", "-i IN -max_interleave_delta 0 OUT.srt",
        "-i IN -strict -2 OUT.srt",
        "-re -i IN OUT.srt", "-stream_loop 1 -i IN OUT.srt", "-f lavfi -i color OUT.mp4",
        "-copyts -start_at_zero -i IN OUT.srt",
    ]

    /// Command lines in the forms that servers write for transcoding, images, attachments and remuxing, and extractions with
    /// words that Undertext leaves to ffmpeg.
    static let servers = """
        -analyzeduration 200M -probesize 1G -i file:IN -map_metadata -1 -map_chapters -1 \
        -threads 0 -map 0:0 -map 0:1 -map -0:s -codec:v:0 libx264 -preset veryfast -crf 23 \
        -maxrate 4000000 -bufsize 8000000 -profile:v:0 high -level 41 -x264opts:0 \
        subme=0:me_range=16:rc_lookahead=10:me=hex:open_gop=0 -force_key_frames:0 \
        expr:gte(t,n_forced*3) -sc_threshold:v:0 0 -vf setparams=color_primaries=bt709 \
        -codec:a:0 libfdk_aac -ac 2 -ab 256000 -copyts -avoid_negative_ts disabled \
        -max_muxing_queue_size 2048 -f hls -max_delay 5000000 -hls_time 3 -hls_segment_type \
        mpegts -start_number 0 -hls_segment_filename OUT%d.ts -hls_playlist_type vod \
        -hls_list_size 0 -y OUT.m3u8
        -ss 00:10:00.000 -noaccurate_seek -fflags +genpts -i file:IN -map_metadata -1 \
        -map_chapters -1 -threads 0 -map 0:0 -map 0:1 -map -0:s -codec:v:0 copy -bsf:v \
        h264_mp4toannexb -start_at_zero -codec:a:0 copy -copyts -avoid_negative_ts disabled -f \
        hls -hls_time 6 -hls_segment_type fmp4 -hls_fmp4_init_filename OUT-1.mp4 -start_number \
        100 -hls_segment_filename OUT%d.mp4 -hls_playlist_type vod -hls_list_size 0 -y \
        OUT.m3u8
        -i file:IN -map_metadata -1 -map_chapters -1 -threads 0 -map 0:1 -vn -codec:a:0 \
        libmp3lame -ac 2 -ab 192000 -ar 48000 -id3v2_version 3 -write_id3v1 1 -y OUT.mp3
        -init_hw_device vaapi=va:/dev/dri/renderD128 -filter_hw_device va -hwaccel vaapi \
        -hwaccel_output_format vaapi -i file:IN -map 0:0 -map 0:1 -codec:v:0 h264_vaapi \
        -rc_mode VBR -b:v 4000000 -vf scale_vaapi=format=nv12 -codec:a:0 aac -f hls -y \
        OUT.m3u8
        -init_hw_device qsv=qs:hw,child_device_type=vaapi -filter_hw_device qs -i file:IN -map \
        0:0 -codec:v:0 hevc_qsv -preset 7 -f mp4 -y OUT.mp4
        -hwaccel cuda -hwaccel_output_format cuda -threads 1 -i file:IN -map 0:0 -codec:v:0 \
        h264_nvenc -preset p1 -b:v 8000000 -vf scale_cuda=format=yuv420p -y OUT.ts
        -hwaccel videotoolbox -i file:IN -map 0:0 -codec:v:0 hevc_videotoolbox -y OUT.mp4
        -i file:IN -threads 1 -v quiet -vf scale=trunc(iw*sar):ih,thumbnail=n=24 -vframes 1 -f \
        image2 OUT.jpg
        -ss 00:05:00.000 -i file:IN -threads 1 -v quiet -map 0:0 -vf thumbnail=n=24 -vframes 1 \
        -vf scale=320:-1 -f image2 OUT.webp
        -loglevel error -threads 1 -skip_frame nokey -i file:IN -an -sn -vf \
        fps=0.1,scale=w=320:h=180 -threads 4 -c:v mjpeg -qscale:v 4 -vsync passthrough -f \
        image2 OUT%08d.jpg
        -v error -dump_attachment:t -y -i file:IN -t 0 -f null null
        -dump_attachment:10 OUT.ttf -i file:IN -t 0 -f null null
        -v error -y -dump_attachment:t:0 OUT.otf -i IN
        -re -i file:IN -map 0 -c copy -f mpegts udp://127.0.0.1:9
        -i file:IN -map 0:0 -map 0:1 -filter_complex \
        [0:7]scale=1920:1080[sub];[0:0][sub]overlay=eof_action=pass:repeatlast=0 -codec:v:0 \
        libx264 -y OUT.ts
        -i file:IN -map 0:0 -map 0:1 -vf subtitles=f='IN':si=0:fontsdir='OUT' -codec:v:0 \
        libx264 -y OUT.ts
        -y -width:3 1920 -height:3 1080 -i file:IN -map 0:3 -an -vn -c:s ass -flush_packets 1 \
        OUT.ass
        -y -i file:IN -map 0:7 -an -vn -c:s copy -f matroska -flush_packets 1 OUT.mks
        -nostdin -y -i file:IN -copyts -map 0:2 -an -vn -c:s mov_text OUT.mp4
        -i file:IN -copyts -ss 600 -map 0:2 -an -vn -c:s ass OUT.ass
        -i file:IN -map 0:2 -an -vn -c:s ass -f ass -ss 10 OUT.ass
        -threads 0 -v info -i file:IN -an -map 0:2 -c:s webvtt -f segment -segment_time 6 \
        -segment_format webvtt OUT%d.vtt
        -i IN -map 0:2 -c:s webvtt -f hls -hls_time 10 OUT.m3u8
        -i IN -map 0:0 -map 0:1 -map 0:2 -c:v copy -c:a copy -c:s webvtt -f dash OUT.mpd
        -i IN -map 0:s -c:s webvtt -f segment -segment_list OUT.m3u8 OUT%03d.vtt
        -hide_banner -loglevel error -nostdin -ss 30 -copyts -i IN -map 0:2 -c:s webvtt -f \
        webvtt pipe:1
        -nostdin -v error -f srt -i IN -map 0:s:0 -c:s webvtt -f webvtt pipe:1
        -hide_banner -loglevel error -nostdin -readrate 1 -copyts -i IN -map 0:2 -c:s webvtt \
        -f webvtt pipe:1
        -i IN -map 0:2 -c:s webvtt -f webvtt -muxdelay 0 OUT.vtt
        -i IN -map 0:s:0 -c:s srt -f srt -max_muxing_queue_size 1024 OUT.srt
        -i IN -map 0:s:0 -c:s text -f srt -
        -i IN -map 0:s:0 -c:s ttml OUT.ttml
        -i IN -map 0:s:0 -c:s copy OUT.mks
        -i IN -map 0:s -c copy OUT.mks
        -i IN -map 0:s? -c copy OUT.mkv
        -i IN -map 0:7 -c:s dvd_subtitle OUT.mkv
        -i IN -map 0:7 -c:s dvbsub -f mpegts OUT.ts
        -i IN -map 0:7 -c:s xsub OUT.avi
        -i IN -map 0:2 -c:s srt -disposition:s:0 default OUT.mkv
        -i IN -map 0 -map -0:s -c copy OUT.mkv
        -i IN -map 0 -map -0:d -c copy -c:s srt OUT.mkv
        -i IN -sn -c copy OUT.mkv
        -i IN -c copy -c:s mov_text OUT.mp4
        -i IN -map 0:v:0 -map 0:a? -map 0:s? -c:v libsvtav1 -crf 35 -preset 8 -c:a libopus \
        -b:a 128k -c:s copy OUT.mkv
        -i IN -map 0 -c:v libx265 -crf 22 -c:a copy -c:s copy OUT.mkv
        -y -i IN -map 0 -c copy -metadata:s:a:0 language=eng OUT.mkv
        -i IN -i IN -map 0:v -map 0:a -map 1:s -c copy OUT.mkv
        -i IN -f srt -i IN -map 0 -map 1 -c copy -c:s srt -metadata:s:s:1 language=ger OUT.mkv
        -i IN -c copy -map 0 -attach OUT.ttf -metadata:s:t mimetype=font/ttf OUT.mkv
        -i IN -map 0:a:0 -ac 1 -ar 16000 -acodec pcm_s16le -f wav -
        -i IN -vn -sn -c:a pcm_s16le -ar 16000 -ac 1 OUT.wav
        -nostdin -loglevel fatal -i IN -f s16le -ac 1 -acodec pcm_s16le -af aresample=async=1 \
        -ar 48000 -
        -hide_banner -nostdin -i IN -af volumedetect -vn -sn -dn -f null -
        -i IN -af loudnorm=print_format=json -f null -
        -i IN -vf blackdetect=d=0.5:pix_th=0.10 -an -f null -
        -i IN -vf cropdetect=24:16:0 -t 30 -f null -
        -i IN -filter:v idet -frames:v 360 -an -f rawvideo -y /dev/null
        -i IN -vf select='eq(pict_type,I)' -vsync vfr OUT%04d.png
        -ss 5 -i IN -frames:v 1 -q:v 2 OUT.jpg
        -i IN -vf fps=1/10,scale=160:-1,tile=10x10 -frames:v 1 OUT.jpg
        -i IN -frames:v 1 -f image2pipe -c:v png pipe:1
        -f concat -safe 0 -i IN -c copy OUT.mkv
        -f lavfi -i movie=IN[out+subcc] -map 0:1 OUT.srt
        -f lavfi -i movie=IN[out0+subcc] -map s -c:s srt OUT.srt
        -i IN -a53cc 1 -c:v libx264 OUT.mp4
        -i IN -t 60 -c copy OUT.mkv
        -i IN -map 0:2 -t 60 -c:s srt OUT.srt
        -i IN -map 0:2 -to 60 OUT.vtt
        -i IN -map 0:2 -itsoffset 1 OUT.srt
        -i IN -map 0:2 -output_ts_offset 1.5 OUT.srt
        -i IN -map 0:2 -muxpreload 0 OUT.srt
        -i IN -map 0:2 -avoid_negative_ts make_zero OUT.srt
        -i IN -map 0:2 -fflags +bitexact OUT.srt
        -i IN -map 0:2 -flags:s +bitexact OUT.srt
        -i IN -map 0:2 -tag:s 0 OUT.srt
        -i IN -map 0:2 -shortest OUT.srt
        -i IN -map 0:2 -frames:s 10 OUT.srt
        -i IN -map 0:2 -vsync 0 OUT.srt
        -i IN -map 0:2 -fpsmax 30 OUT.srt
        -i IN -map 0:2 -enc_time_base 1:1000 OUT.srt
        -i IN -map 0:2 -q:s 1 OUT.srt
        -i IN -map 0:2 -timestamp now OUT.srt
        -i IN -map 0:2 -id3v2_version 3 OUT.srt
        -i IN -map 0:2 -map_metadata 0 OUT.srt
        -i IN -map 0:2 -map_chapters 0 OUT.srt
        -i IN -map 0:2 -stats_period 5 OUT.srt
        -i IN -map 0:2 -benchmark OUT.srt
        -i IN -map 0:2 -timelimit 60 OUT.srt
        -i IN -map 0:2 -dump OUT.srt
        -i IN -map 0:2 -hex OUT.srt
        -i IN -map 0:2 -xerror OUT.srt
        -i IN -map 0:2 -abort_on empty_output OUT.srt
        -i IN -map 0:2 -filter_threads 1 OUT.srt
        -i IN -map 0:2 -progress - -nostats OUT.srt
        -err_detect ignore_err -i IN -map 0:2 OUT.srt
        -fflags +discardcorrupt+genpts -i IN -map 0:s:0 OUT.srt
        -ignore_unknown -i IN -map 0:s:0 OUT.srt
        -copy_unknown -i IN -map 0:s:0 OUT.srt
        -seek2any 1 -i IN -map 0:s:0 OUT.srt
        -accurate_seek -ss 1 -i IN -map 0:s:0 OUT.srt
        -sub_charenc_mode pre_decoder -i IN -map 0:s:0 OUT.srt
        -canvas_size 1920x1080 -i IN -map 0:7 -c copy OUT.sup
        -txt_format text -txt_page 888 -i IN -map 0:s:0 OUT.srt
        -c:s libzvbi_teletextdec -i IN -map 0:s:0 OUT.srt
        -c:s ass -i IN -map 0:6 OUT.ass
        -protocol_whitelist file,pipe -i IN -map 0:s:0 OUT.srt
        -thread_queue_size 512 -i IN -map 0:s:0 OUT.srt
        -user_agent x -i http://127.0.0.1:9/x.mkv -map 0:s:0 OUT.srt
        -headers X-Token:1 -i https://127.0.0.1:9/x.mkv -map 0:2 -c:s copy OUT.srt
        -i smb://127.0.0.1/x.mkv -map 0:2 OUT.srt
        -i rtsp://127.0.0.1:9/x -map 0:2 OUT.srt
        -i bluray:IN -map 0:2 OUT.srt
        -playlist 1 -i bluray:IN -map 0:7 -c copy OUT.sup
        -i subfile,,start,0,end,100,,:IN -map 0:2 OUT.srt
        -i crypto:IN -map 0:2 OUT.srt
        -i async:IN -map 0:2 OUT.srt
        -i cache:IN -map 0:2 OUT.srt
        -muxers
        -demuxers
        -formats
        -codecs
        -decoders
        -bsfs
        -pix_fmts
        -layouts
        -sample_fmts
        -dispositions
        -colors
        -L
        -? topic
        -h muxer=srt
        -h decoder=pgssub
        -h long
        -h filter=subtitles
        -sources
        -sinks pulse
        -devices
        -init_hw_device list
        -hide_banner -encoders
        -hide_banner -hwaccels
        -v error -version
        """.split(separator: "\n").map(String.init)
}
