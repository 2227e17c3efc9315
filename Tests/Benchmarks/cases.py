"""What is compared: for each case the input, the commands, the proof that they did the same work."""

import functools
import os
import subprocess
import sys

import cache
import content
import needed
from case import Case, Cold, FLOOR, ROOT, Served, Tool, Touched, UNDERTEXT, build_floor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Floor"))
import plan  # noqa: E402

# Subtitles of film.mkv and its variants, as inputs.sh makes them.
TEXTS, PICTURES = 6, 2
TEXT_CUES = sum(180 + number * 120 for number in range(1, TEXTS + 1))
SHOWN = 150  # images in a track of 300 display sets
CAPTION_REPEATS = 100  # of the captions of twenty seconds in captions.ts


def understands(command, option):
    """Returns whether the help of our command names an option or a value."""
    text = subprocess.run([UNDERTEXT, command, "--help"], check=True, capture_output=True, text=True).stdout
    return option in text


def film(gigabytes):
    return "%s/film%s.mkv" % (ROOT, "" if gigabytes == 4 else "-%d" % gigabytes)


def all_tracks(case, floor, source=None, mkvextract=True, needs=plan.matroska):
    """The eight tracks of a media file, as stored, by every tool."""
    names = {number: "%d.%s" % (number, "srt" if number < TEXTS else "sup")
             for number in range(TEXTS + PICTURES)}
    folders = [case.undertext("--format", "native", source=source)]
    folders.append(case.ffmpeg(*(["-map", "0:s:%d" % number, "-c", "copy", file]
                                 for number, file in names.items()), source=source))
    if mkvextract:
        folders.append(case.mkvextract({number + 2: file for number, file in names.items()}))

    def check():
        pictures = sum(len(items) for items in content.tracks(folders[1]) if isinstance(items[0], bytes))
        content.equal(folders, TEXTS + PICTURES, TEXT_CUES + pictures)
        if pictures < PICTURES * SHOWN * 5:
            raise SystemExit("only %d segments of pictures" % pictures)
    case.checks.append(check)
    case.floor(needs, *floor, like="undertext", source=source)
    case.small()
    return case


# Options of floor.c, found by trying. A disk works on many reads at once.
WARM = ["copy"]
COLD = ["copy", "-t", "32", "-j", "16384"]


def indexed(gigabytes):
    case = all_tracks(Case("indexed-%d" % gigabytes, "%d GB Matroska" % gigabytes, film(gigabytes)), WARM)
    if gigabytes == 4:
        case.faster("ffmpeg -c copy", 12)
        case.faster("mkvextract", 12)
    case.at_most("bytes asked / (header + index + wanted)", 1.3, lambda found: (
        found["undertext"]["requested"] / sum(needed.needed(case.path))))
    return case


def cold(gigabytes):
    case = all_tracks(Cold("cold-%d" % gigabytes, "%d GB Matroska, cold" % gigabytes, film(gigabytes)), COLD)
    if gigabytes == 4:
        case.faster("ffmpeg -c copy", 30)
        case.faster("mkvextract", 30)
    return case


def growth(kind=Touched):
    """The same subtitles in files of 4 and of 16 GB, in turn."""
    cold_one = kind is Cold
    case = kind("growth-cold" if cold_one else "growth", "16 GB against 4 GB Matroska"
                + (", cold" if cold_one else ""), film(4))
    folders = [case.undertext("--format", "native", name=name, source=film(size), label=str(size))
               for name, size in (("undertext, 4 GB", 4), ("undertext, 16 GB", 16))]
    case.checks.append(lambda: content.equal(folders, TEXTS + PICTURES, sum(
        len(items) for items in content.tracks(folders[0]))))
    case.at_most("time for the larger / for the smaller", 1.1, lambda found: (
        found["undertext, 16 GB"]["seconds"] / found["undertext, 4 GB"]["seconds"]))
    return case


def nocues(kind=Case):
    cold_one = kind is Cold
    case = all_tracks(kind("nocues-cold" if cold_one else "nocues", "4 GB Matroska without subtitle cues"
                           + (", cold" if cold_one else ""), ROOT + "/nocues.mkv"),
                      ["copy", "-t", "64", "-j", "16384"] if cold_one else ["copy", "-t", "4", "-j", "0"],
                      needs=functools.partial(plan.matroska, headers=True))
    # The effect of the choice of a path.
    own = case.folder("undertext")
    for path in ("walk", "scan"):
        if understands("extract", path):
            folder = case.undertext("--format", "native", "--io", path, name="undertext --io " + path, label=path)
            case.checks.append(lambda folder=folder: content.same([own, folder]))
    if not cold_one:
        case.faster("ffmpeg -c copy", 5)
        case.faster("mkvextract", 5)
    case.at_most("% of the bytes", 5, lambda found: (
        100 * found["undertext"]["requested"] / os.path.getsize(case.path)))
    return case


def http(server):
    case = Served("http", "4 GB Matroska over http", film(4), server)
    all_tracks(case, ["fetch", "-t", "2", "-d", "64", "-j", "16384"], case.source, mkvextract=False)
    case.faster("ffmpeg -c copy", 20)
    case.at_most("bytes sent beyond 1.3 × (header + index + wanted), MB", 1, lambda found: (
        found["undertext"]["sent"] - 1.3 * sum(needed.needed(case.path))) / 1e6)
    return case


def delay(server):
    case = Served("delay", "4 GB Matroska over http with 20 ms", film(4), server)
    all_tracks(case, ["fetch", "-t", "8", "-d", "512", "-j", "16384"], case.source, mkvextract=False)
    one = "undertext, one track of 900 cues"
    folder = case.undertext("--format", "native", "--tracks", "7", name=one, source=case.source, label="one")
    case.checks.append(lambda: content.equal([folder], 1, 900))
    case.at_most("seconds for 900 blocks", 3, lambda found: found[one]["seconds"])
    return case


def mp4():
    case = Case("mp4", "2 GB MP4, four mov_text tracks to SubRip", ROOT + "/film.mp4")
    folders = [case.undertext("--format", "srt,png"), case.ffmpeg(
        *(["-map", "0:s:%d" % number, "-c:s", "srt", "%d.srt" % number] for number in range(4)),
        name="ffmpeg -c:s srt")]
    case.checks.append(lambda: content.equal(folders, 4, 300 + 420 + 540 + 900))
    case.floor(plan.mp4, *WARM, "-t", "2", like="undertext")
    case.small()
    return case


def ts():
    case = Case("ts", "2 GB TS with DVB subtitles", ROOT + "/dvb.ts")
    # undertext decodes and writes PNG; ffmpeg has nothing to write them to, and copies.
    shown = case.undertext("--format", "png")
    copied = case.ffmpeg(["-map", "0:s:0", "-c", "copy", "-f", "data", "0.bin"])
    case.checks.append(lambda: content.pictures(shown, SHOWN))
    case.checks.append(lambda: content.size(copied, 1000000))
    scanned(case, 188, "dvb_subtitle")
    case.faster("ffmpeg -c copy", 3)
    case.small()
    return case


def scanned(case, packet, codec):
    """The floors of a transport stream: it is read, or mapped."""
    needs = functools.partial(plan.transport, program=FLOOR, packet=packet, codec=codec)
    case.floor(needs, "scan", "-t", "2", like="undertext")
    case.floor(needs, "scan", "-t", "2", "-m", like="undertext", name="floor, mapped")


def captions():
    case = Case("captions", "2 GB TS with CEA-608 in H.264", ROOT + "/captions.ts")
    pictures = "undertext, the DVB subtitles of the file"
    shown = case.undertext("--tracks", "bitmap", "--format", "png", name=pictures, label="pictures")
    folders = [case.undertext("--tracks", "cc1", "--format", "srt"),
               case.ffmpeg(["-map", "0:1", "-c:s", "srt", "0.srt"], name="ffmpeg [out+subcc]",
                           source="movie=%s[out+subcc]" % case.path, options=["-f", "lavfi"])]
    case.checks.append(lambda: content.pictures(shown, SHOWN))
    case.checks.append(lambda: content.texts(folders, ROOT + "/captions.txt", CAPTION_REPEATS))
    scanned(case, 188, None)
    case.faster("ffmpeg [out+subcc]", 20)
    case.at_most("of the time for its DVB subtitles", 1.5, lambda found: (
        found["undertext"]["seconds"] / found[pictures]["seconds"]))
    case.small()
    return case


def m2ts():
    case = Case("m2ts", "2 GB M2TS with PGS", ROOT + "/pgs.m2ts")
    folders = [case.undertext("--format", "native"), case.ffmpeg(
        *(["-map", "0:s:%d" % number, "-c", "copy", "%d.sup" % number] for number in range(2)))]

    def check():
        items = sum(len(segments) for segments in content.tracks(folders[1]))
        content.equal(folders, 2, items)
        if items < 2 * SHOWN * 5:
            raise SystemExit("only %d segments" % items)
    case.checks.append(check)
    scanned(case, 192, "hdmv_pgs_subtitle")
    case.faster("ffmpeg -c copy", 3)
    case.small()
    return case


def sup():
    case = Case("sup", "SUP of 500 pictures to PNG", ROOT + "/pictures.sup")
    shown = case.undertext("--format", "png")
    # ffmpeg writes no images of subtitles: decoding, and encoding as DVB subtitles, is closest.
    coded = case.ffmpeg(["-map", "0:s:0", "-c:s", "dvbsub", "-f", "data", "0.bin"], name="ffmpeg -c:s dvbsub")
    case.checks.append(lambda: content.pictures(shown, 500))
    # BDSup2Sub makes about 200 a second, the start of Java included.
    case.at_most("milliseconds a picture", 0.5, lambda found: found["undertext"]["seconds"] * 1000 / 500)
    case.checks.append(lambda: content.size(coded, 1000000))
    case.floor(plan.whole, *WARM, like="undertext")
    case.small()
    return case


def srt():
    case = Case("srt", "SubRip of 200 000 cues to WebVTT", ROOT + "/cues.srt")
    folders = [case.undertext("--format", "vtt"), case.ffmpeg(["0.vtt"], name="ffmpeg")]
    case.checks.append(lambda: content.equal(folders, 1, 200000))
    case.floor(plan.whole, *WARM, like="undertext")
    case.faster("ffmpeg", 15)
    case.small()
    return case


def ass():
    case = Case("ass", "ASS of 200 000 events to WebVTT", ROOT + "/cues.ass")
    case.undertext("--format", "vtt")
    case.ffmpeg(["0.vtt"], name="ffmpeg")
    case.floor(plan.whole, *WARM, like="undertext")
    case.small()
    return case


def parsing():
    case = Case("srt-parsing", "parsing of 200 000 SubRip cues", ROOT + "/cues.srt")
    for name, *command in [
            ("undertext probe --deep", UNDERTEXT, "probe", "--deep", "--json"),
            ("ffprobe -count_packets", "ffprobe", "-v", "error", "-count_packets", "-show_streams")]:
        folder = case.folder(name.split()[0])
        case.tools.append(Tool(name, [*command, case.path], folder, case.path))
    return case


def inside():
    case = Case("srt-inside", "Matroska of 200 000 SubRip cues", ROOT + "/cues.mkv")
    folders = [case.undertext("--format", "native"), case.ffmpeg(["-c", "copy", "0.srt"]),
               case.mkvextract({0: "0.srt"})]
    case.checks.append(lambda: content.equal(folders, 1, 200000))
    case.floor(plan.matroska, *WARM, like="undertext")
    case.small()
    return case


# Probing is quick: a median needs more runs.
QUICK = 21


def startup():
    case = Case("startup", "start of the program", "Fixtures/containers/movie.mp4", QUICK)
    for command in (["undertext", "--version"], ["ffprobe", "-version"], ["mkvmerge", "--version"]):
        program = UNDERTEXT if command[0] == "undertext" else command[0]
        case.tools.append(Tool(" ".join(command), [program, *command[1:]], case.folder(command[0]), case.path))
    for name, suffix, options in (
            ("floor", "-static", ["-static"]), ("nothing, dynamically linked", "-dynamic", []),
            ("nothing, with our libraries", "-libraries", ["-Wl,--no-as-needed", *cache.libraries(UNDERTEXT)[1:]])):
        case.tools.append(Tool(name, [build_floor(suffix, options), "nothing"], case.folder("floor" + suffix), case.path))
    return case


def probe(path, title, subtitles, matroska=False):
    case = Case("probe-" + path.rsplit(".", 1)[1], "probe of a " + title, path, QUICK)

    def add(name, *command):
        folder = case.folder(name.replace(" ", ""))
        output = folder + "/found.json"
        case.tools.append(Tool(name, [*command, path], folder, path, output=output))
        case.checks.append(lambda: content.subtitles_described(output, subtitles))

    add("undertext probe", UNDERTEXT, "probe", "--json")
    add("ffprobe", "ffprobe", "-loglevel", "error", "-of", "json", "-show_format", "-show_streams")
    add("mediainfo", "mediainfo", "--Output=JSON")
    case.floor(plan.described_matroska if matroska else plan.described_mp4, *WARM, like="undertext probe")
    case.at_most("of ffprobe's time", 0.55, lambda found: (
        found["undertext probe"]["seconds"] / found["ffprobe"]["seconds"]))
    if matroska:
        add("mkvmerge -J", "mkvmerge", "-J")
    if matroska and understands("probe", "--subtitles"):
        add("undertext probe --subtitles", UNDERTEXT, "probe", "--subtitles", "--json")
        case.at_most("--subtitles, of mkvmerge -J's time", 0.5, lambda found: (
            found["undertext probe --subtitles"]["seconds"] / found["mkvmerge -J"]["seconds"]))
    return case
