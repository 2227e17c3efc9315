"""Makes media files with speech: films.py FOLDER MINUTES SEED

Each film is NAME.EXT with an audio track, NAME.speech.json (the spans of speech in seconds), NAME.srt (its subtitles), and
subtitles with other times NAME.KIND.srt with their right times in NAME.KIND.json. espeak-ng speaks invented sentences;
noise and music are generated.
"""

import json
import os
import random
import subprocess
import sys
import wave

import numpy

RATE = 22050
VOICES = ["en-us", "en-gb", "de", "fr-fr", "es", "pt", "it", "pl", "sv", "en-us+f3", "en-gb+f2", "de+f4", "fr-fr+f1"]
WORDS = """the of and to in is you that it he was for on are as with his they at be this have from or one had by word but
not what all were we when your can said there use an each which she do how their if will up other about out many then them
these so some her would make like him into time has look two more write go see number no way could people my than first water
been call who oil its now find long down day did get come made may part over new sound take only little work know place year
live me back give most very after thing our just name good sentence man think say great where help through much before line
right too mean old any same tell boy follow came want show also around form three small set put end does another well large
must big even such because turn here why ask went men read need land different home us move try kind hand picture again
change off play spell air away animal house point page letter mother answer found study still learn should""".split()
# The background, its level below speech in dB, the channels, and the file's codec.
FILMS = {
    "clean": ("none", 60, 1, "mkv", ["-c:a", "libmp3lame", "-b:a", "96k"]),
    "noise20": ("noise", 20, 1, "mp4", ["-c:a", "aac", "-b:a", "96k"]),
    "noise10": ("noise", 10, 2, "ts", ["-c:a", "ac3", "-b:a", "192k"]),
    "noise5": ("noise", 5, 1, "mkv", ["-c:a", "libopus", "-b:a", "64k"]),
    "noise0": ("noise", 0, 1, "mkv", ["-c:a", "aac", "-b:a", "128k"]),
    "music15": ("music", 15, 2, "mkv", ["-c:a", "ac3", "-b:a", "192k"]),
    "music8": ("music", 8, 2, "mkv", ["-c:a", "aac", "-b:a", "128k"]),
    "mixed10": ("mixed", 10, 2, "mkv", ["-c:a", "libopus", "-b:a", "96k"]),
    "surround5": ("mixed", 5, 6, "mkv", ["-c:a", "ac3", "-b:a", "384k"]),
}


def spoken(rng, words, voice):
    """The samples of a sentence, without silence around it."""
    command = ["espeak-ng", "-v", voice, "-s", str(rng.randint(140, 200)), "-p", str(rng.randint(25, 75)), "--stdout",
               " ".join(words)]
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    samples = numpy.frombuffer(raw[44:len(raw) & ~1], dtype="<i2").astype(numpy.float32)
    loud = numpy.flatnonzero(numpy.abs(samples) > 300)
    return samples[loud[0]:loud[-1] + 1] if len(loud) else samples[:0]


def pink(rng, count):
    """Noise whose power falls with the frequency, with unit variance."""
    spectrum = numpy.fft.rfft(rng.standard_normal(count).astype(numpy.float32))
    spectrum /= numpy.sqrt(numpy.maximum(1, numpy.arange(len(spectrum))))
    noise = numpy.fft.irfft(spectrum, count)
    # Its level changes slowly, by some dB.
    knots = rng.uniform(0.6, 1.5, count // (RATE * 8) + 2)
    return (noise / noise.std() * numpy.interp(numpy.arange(count) / (RATE * 8), numpy.arange(len(knots)), knots)).astype(
        numpy.float32)


def music(rng, count):
    """Chords, a melody and drums in sections of 20 to 90 seconds, about half of the time; unit variance where it plays."""
    out = numpy.zeros((2, count), numpy.float32)
    position = 0
    while position < count:
        length = min(count - position, int(rng.uniform(20, 90) * RATE))
        if rng.random() < 0.5:
            beat = int(60 / rng.uniform(70, 140) * RATE)
            for begin in range(position, position + length, beat):
                for part in range(2):
                    notes = rng.choice([0, 3, 4, 7, 10, 12, 15], 3) + rng.choice([-12, 0, 12])
                    span = min(beat * rng.integers(1, 4), count - begin)
                    time = numpy.arange(span, dtype=numpy.float32) / RATE
                    shape = numpy.exp(-time * rng.uniform(0.5, 5)) * numpy.minimum(1, time * 200)
                    tone = numpy.zeros(span, numpy.float32)
                    for note in notes:
                        pitch = 220 * 2 ** (note / 12)
                        for harmonic in range(1, 6):
                            tone += numpy.sin(2 * numpy.pi * pitch * harmonic * time) / harmonic ** 1.5
                    left = rng.uniform(0.3, 0.7)
                    out[0, begin:begin + span] += tone * shape * left
                    out[1, begin:begin + span] += tone * shape * (1 - left)
                span = min(RATE // 8, count - begin)
                drum = rng.standard_normal(span).astype(numpy.float32) * numpy.exp(-numpy.arange(span) / 600)
                out[:, begin:begin + span] += drum * 1.5
        position += length
    playing = numpy.abs(out).max(axis=0) > 1e-3
    return out / max(1e-6, out[:, playing].std())


def film(name, folder, minutes, seed):
    kind, level, channels, extension, codec = FILMS[name]
    rng, noise = random.Random(seed), numpy.random.default_rng(seed)
    count = minutes * 60 * RATE
    speech = numpy.zeros(count, numpy.float32)
    spans, cues = [], []
    time = rng.uniform(5, 40)
    while True:
        voices = rng.sample(VOICES, 3)
        for _ in range(rng.randint(3, 40)):
            samples = spoken(rng, rng.choices(WORDS, k=rng.randint(1, 14)), rng.choice(voices))
            length = len(samples) / RATE
            if time + length + 3 > minutes * 60:
                break
            begin = int(time * RATE)
            speech[begin:begin + len(samples)] += samples * 10 ** (rng.uniform(-6, 4) / 20)
            spans.append((time, time + length))
            # Some speech has no cue; a long sentence has two.
            if rng.random() > 0.08:
                parts = [(time, time + length)]
                if length > 4.5:
                    middle = time + length * rng.uniform(0.4, 0.6)
                    parts = [(time, middle), (middle, time + length)]
                for start, end in parts:
                    cues.append([start + rng.gauss(-0.02, 0.1), max(end + rng.uniform(-0.1, 0.9), start + 0.8)])
            time += length + max(0.05, rng.lognormvariate(-0.9, 1.1))
        else:
            time += rng.expovariate(1 / 14) + (60 if rng.random() < 0.1 else 0)
            continue
        break
    for one, other in zip(cues, cues[1:]):
        other[0] = max(other[0], one[0] + 0.3)
        one[1] = min(one[1], other[0] - 0.08)
    speech /= numpy.sqrt(numpy.mean(numpy.concatenate([speech[int(a * RATE):int(b * RATE)] for a, b in spans]) ** 2))
    stereo = numpy.stack([speech, speech])
    scale = 10 ** (-level / 20)
    background = numpy.zeros((2, count), numpy.float32)
    if kind in ("noise", "mixed"):
        background += pink(noise, count) * scale * (0.5 if kind == "mixed" else 1)
    if kind in ("music", "mixed"):
        background += music(noise, count) * scale
    background += noise.standard_normal((2, count)).astype(numpy.float32) * 1e-4
    if channels == 1:
        signal = (stereo + background)[:1]
    elif channels == 2:
        signal = stereo + background
    else:
        # FL FR FC LFE BL BR: dialogue in the center, the rest around it and a little of it in the center.
        signal = numpy.stack([background[0], background[1], speech + background.mean(axis=0) * 0.3, speech * 0,
                              background[1] * 0.7, background[0] * 0.7])
    signal = numpy.clip(signal * 2500, -32768, 32767).astype("<i2")
    source = os.path.join(folder, name + ".wav")
    with wave.open(source, "wb") as file:
        file.setparams((channels, 2, RATE, 0, "NONE", ""))
        file.writeframes(signal.T.tobytes())
    layout = {1: "mono", 2: "stereo", 6: "5.1"}[channels]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-af",
                    "aformat=channel_layouts=" + layout, "-ar", "48000"] + codec + [os.path.join(folder, name + "." + extension)],
                   check=True)
    os.remove(source)
    with open(os.path.join(folder, name + ".speech.json"), "w") as file:
        json.dump(spans, file)
    return cues


def clock(seconds):
    milliseconds = int(round(seconds * 1000))
    return "%02d:%02d:%02d,%03d" % (milliseconds // 3600000, milliseconds // 60000 % 60, milliseconds // 1000 % 60,
                                    milliseconds % 1000)


def write(path, cues):
    with open(path, "w") as file:
        for number, (start, end) in enumerate(cues):
            file.write("%d\n%s --> %s\ncue %d\n\n" % (number + 1, clock(start), clock(end), number))


def change(rng, cues, kind):
    """The cues with other times, and the right start of each in milliseconds; null where the film lacks it."""
    ratio = rng.choice([25 / 23.976, 23.976 / 25, 25 / 24, 24 / 23.976]) if kind in ("ratio", "all") else 1
    offset = rng.uniform(-60, 60)
    point = rng.uniform(0.3, 0.7) * cues[-1][1] if kind in ("break", "all") else float("inf")
    jump = rng.choice([rng.uniform(8, 60), rng.uniform(-30, -8)])
    changed, truth = [], []
    for start, end in cues:
        if point < start < point - min(0, jump):
            continue
        more = offset + (jump if start > point else 0)
        moved = ((start + more) * ratio, (end + more) * ratio)
        if moved[0] < 0:
            continue
        changed.append(moved)
        truth.append(round(start * 1000))
    return changed, truth, {"offset": offset, "ratio": ratio, "point": point if point < 1e9 else None, "jump": jump}


def main(folder, minutes, seed):
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(seed)
    for index, name in enumerate(FILMS):
        cues = film(name, folder, minutes, seed * 100 + index)
        write(os.path.join(folder, name + ".srt"), cues)
        for kind in ("offset", "ratio", "break", "all"):
            changed, truth, facts = change(rng, cues, kind)
            path = os.path.join(folder, "%s.%s" % (name, kind))
            write(path + ".srt", changed)
            with open(path + ".json", "w") as file:
                json.dump({"truth": truth, **facts}, file)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
