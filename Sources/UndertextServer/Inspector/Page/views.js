// The views beside the list: the picture, problems, export, streams.

import { api } from "./api.js";
import { byID, bytes, clock, counted, debounced, element, language, number, shiftWords } from "./dom.js";
import { correctionNote } from "./editor.js";

/** The screen of a player at the current time, with controls for the viewer's style. */
export class PictureView {
  constructor(app) {
    this.app = app;
    this.style = new Map();
    this.image = element("img", { alt: "" });
    this.words = element("p", {}, "Loading…");
    this.screen = element("div", { class: "screen" }, this.image, this.words);
    this.image.hidden = true;
    this.refresh = debounced(120, () => this.load());
    this.caption = element("p", { class: "hint" });
    this.player = new Player(app);
    this.plays = false;
  }

  /** The input whose file the browser says that it can play, or null. */
  get playable() {
    const video = this.app.videoInput;
    const type = video === null ? null : this.app.overview.inputs[video].media;
    return type && this.player.video.canPlayType(type) ? video : null;
  }

  /** The choice between Undertext's picture and the browser's player. */
  kinds() {
    if (this.playable === null) {
      this.plays = false;
      return "";
    }
    const kind = (plays, label) => {
      const radio = element("input", { type: "radio", name: "player", value: plays ? "browser" : "undertext" });
      radio.checked = this.plays === plays;
      radio.addEventListener("change", () => {
        this.plays = plays;
        this.app.openTab("picture");
      });
      return element("label", {}, radio, ` ${label}`);
    };
    return element("fieldset", { class: "kinds" }, element("legend", { class: "hidden" }, "Player"),
      kind(false, "Exact picture"), kind(true, "Play the video (the browser draws the text)"));
  }

  show(panel) {
    const kinds = this.kinds();
    if (this.plays) {
      panel.replaceChildren(kinds, this.player.video, this.player.words);
      this.player.load(this.playable);
      return;
    }
    this.player.stop();
    if (!this.app.overview.canDraw) {
      panel.replaceChildren(element("p", { class: "hint" }, "This build of Undertext cannot draw subtitles. Build it with the trait Rendering."));
      return;
    }
    const move = (label, seconds, title) => element(
      "button", { type: "button", title, "aria-label": title, onclick: () => this.app.go(Math.max(0, this.app.time + seconds)) }, label);
    const controls = element(
      "div", { class: "controls" },
      this.choice("Size", "scale", [["", "As authored"], ["75%", "75 %"], ["125%", "125 %"], ["150%", "150 %"], ["200%", "200 %"]]),
      this.choice("Color", "foreground", [["", "As authored"], ["white", "White"], ["yellow", "Yellow"], ["cyan", "Cyan"], ["lime", "Green"]]),
      this.choice("Background", "background", [["", "As authored"], ["none", "None"], ["rgba(0,0,0,0.6)", "Half transparent"], ["black", "Black"]]),
      this.choice("Edge", "edge", [["", "As authored"], ["none", "None"], ["uniform", "Outline"], ["drop-shadow", "Shadow"], ["raised", "Raised"]]),
      this.choice("Position", "position", [["", "As authored"], ["top", "Top"], ["middle", "Middle"], ["bottom", "Bottom"]]));
    panel.replaceChildren(
      kinds,
      this.screen,
      element(
        "div", { class: "field" }, element("span", { class: "group", role: "group", "aria-label": "Move in time" },
          move("−1 s", -1, "One second earlier"), move("−0.1", -0.1, "A tenth of a second earlier"),
          move("+0.1", 0.1, "A tenth of a second later"), move("+1 s", 1, "One second later")),
        this.caption),
      element("h3", {}, "Style of the viewer"),
      controls);
    this.load();
  }

  choice(label, key, values) {
    const select = element("select", {}, ...values.map(([value, name]) => element("option", { value }, name)));
    select.value = this.style.get(key) ?? "";
    select.addEventListener("change", () => {
      if (select.value) this.style.set(key, select.value);
      else this.style.delete(key);
      this.load();
    });
    return element("label", {}, label, select);
  }

  async load() {
    if (this.app.view !== this || this.app.track === null) return;
    if (this.plays) {
      this.player.load(this.playable);
      return;
    }
    this.loading?.abort();
    this.loading = new AbortController();
    this.image.classList.add("old");
    const width = Math.min(1920, Math.max(320, Math.round(this.screen.clientWidth * (devicePixelRatio || 1) / 160) * 160));
    const video = this.app.videoInput;
    try {
      const blob = await api.picture(video ?? this.app.input, {
        at: this.app.time, track: `${this.app.input}.${this.app.track}`, second: this.app.beside, shift: this.app.shift, width,
        // A corrected text is another picture.
        revision: this.app.trackState?.revision,
        style: [...this.style].map(([key, value]) => `${key}=${value}`).join(";"),
      }, this.loading.signal);
      if (this.address) URL.revokeObjectURL(this.address);
      this.address = URL.createObjectURL(blob);
      this.image.src = this.address;
      this.image.alt = `The screen at ${clock(this.app.time)}: ${this.app.spoken || "no text"}`;
      this.image.hidden = false;
      this.words.hidden = true;
      this.image.classList.remove("old");
      this.caption.textContent = video === null
        ? "Without a video: subtitles on an empty screen. Name the video on the command line, too, to see both."
        : "The frame of the video with the subtitles, as a player shows them.";
    } catch (error) {
      if (error.name === "AbortError") return;
      this.image.hidden = true;
      this.words.hidden = false;
      this.words.textContent = error.message;
    }
  }
}

/** The browser's own player, with the track as WebVTT. */
class Player {
  constructor(app) {
    this.app = app;
    this.video = element("video", { controls: true, preload: "metadata", class: "player", "aria-label": "The video with the subtitles" });
    this.words = element("p", { class: "hint", role: "status" });
    /** The time to which the page has moved the video, until the viewer moves or plays it. */
    this.asked = null;
    this.video.addEventListener("timeupdate", () => {
      if (this.app.view !== this.app.views.picture || Math.abs(this.app.time - this.video.currentTime) < 0.05) return;
      // The event of an earlier move must not undo the choice of another cue.
      if (this.asked !== null && Math.abs(this.asked - this.video.currentTime) < 0.05) return;
      this.asked = null;
      this.app.time = this.video.currentTime;
      this.app.timeline.mark();
    });
    this.video.addEventListener("pause", () => this.app.list.find(this.video.currentTime));
    this.video.addEventListener("error", () => {
      if (this.source) this.words.textContent = "The browser cannot play this file after all. The exact picture shows it.";
    });
  }

  /** Shows an input at the current time, with the captions as they are now. */
  load(input) {
    const source = api.media(input);
    if (this.source !== source) {
      this.source = source;
      this.video.src = source;
    }
    const state = this.app.trackState;
    const hasText = this.app.tracks.find((track) => track.id === this.app.track)?.kind === "text" || state?.recognition;
    const captions = hasText ? api.captions(this.app.input, this.app.track, { shift: this.app.shift, revision: state?.revision }) : "";
    if (this.captions !== captions) {
      this.captions = captions;
      const track = captions ? element("track", { kind: "subtitles", label: "Undertext", src: captions, default: true }) : null;
      this.video.replaceChildren(...(track ? [track] : []));
      if (track) track.track.mode = "showing";
    }
    this.words.textContent = hasText ? "The browser plays the file itself and draws the text as WebVTT."
      : "The browser draws text only. Recognize the text of this track to see it here; the exact picture shows the images.";
    if (this.video.paused && Math.abs(this.video.currentTime - this.app.time) > 0.05) {
      this.asked = this.video.currentTime = this.app.time;
    }
  }

  stop() {
    if (!this.source) return;
    this.source = this.captions = null;
    this.video.replaceChildren();
    this.video.removeAttribute("src");
    this.video.load();
  }
}

/** What was repaired or lost while reading. */
export class ProblemView {
  constructor(app) { this.app = app; }

  async show(panel) {
    panel.replaceChildren(element("p", { class: "hint" }, "Loading…"));
    const own = this.app.overview.inputs[this.app.input].diagnostics ?? [];
    let found = { total: 0, diagnostics: [] };
    const failure = this.app.failure;
    try {
      if (this.app.track !== null) found = await api.diagnostics(this.app.input, this.app.track);
    } catch (error) {
      return panel.replaceChildren(element("p", { class: "bad" }, error.message));
    }
    if (this.app.view !== this) return;
    const rank = { error: 0, warning: 1, info: 2 };
    const all = [...own, ...found.diagnostics].sort((a, b) => rank[a.severity] - rank[b.severity]);
    const items = all.slice(0, 500).map((item) => element(
      "li", {},
      element("p", {}, item.message),
      element(
        "div", { class: "meta" },
        element("span", { class: `badge ${item.severity}` }, { error: "lost", warning: "repaired or doubtful", info: "note" }[item.severity]),
        item.time === null ? null : element(
          "button", { type: "button", class: "link", onclick: () => this.app.go(item.time) }, clock(item.time)),
        item.offset === null ? null : element("span", { class: "number" }, `byte ${number(item.offset)}`),
        element("span", {}, item.code))));
    const rest = own.length + found.total - items.length;
    panel.replaceChildren(
      failure ? element("p", { class: "bad" }, failure) : "",
      items.length || failure
        ? element("p", { class: "hint" }, "What Undertext repaired or had to leave out of this track.")
        : element("p", { class: "hint" }, "Nothing was lost or repaired in this track."),
      element("ul", { class: "items" }, ...items),
      rest > 0 ? element("p", { class: "hint" }, `${number(rest)} more are not listed.`) : "");
  }
}

/** Writes tracks in other formats, and says before what they lose. */
export class ExportView {
  constructor(app) {
    this.app = app;
    this.format = null;
    this.folder = null;
    this.losses = new Map();
  }

  show(panel) {
    const state = this.app.trackState;
    if (!state || !state.formats.length) {
      panel.replaceChildren(element("p", { class: "hint" }, "This track cannot be written in any format."));
      return;
    }
    this.folder ??= this.app.overview.folder;
    this.format = this.app.exportFormat.name;
    const track = this.app.tracks.find((track) => track.id === this.app.track);
    const shift = this.app.shift;
    this.result = element("div", { role: "status" });
    this.notes = new Map();
    const formats = state.formats.map((format) => {
      const note = element("small", {}, "Checking what is lost…");
      this.notes.set(format.name, note);
      const radio = element("input", { type: "radio", name: "format", value: format.name });
      radio.checked = format.name === this.format;
      radio.addEventListener("change", () => {
        this.format = format.name;
        this.adapt();
        this.app.nameLosses();
        if (this.app.filter === "losses") this.app.list.reset();
      });
      return element("label", {}, radio, element("span", {}, `${format.title} (${format.name})`), note);
    });
    this.download = element("button", { type: "button", class: "primary", onclick: () => this.save() }, "Download");
    const folder = element("input", { type: "text", id: "folder", value: this.folder, spellcheck: "false", autocomplete: "off" });
    folder.addEventListener("input", () => { this.folder = folder.value; });
    const replace = element("input", { type: "checkbox" });
    const others = this.app.tracks.filter((other) => other.id !== track.id && other.kind === track.kind).map((other) => {
      const box = element("input", { type: "checkbox", value: other.id });
      return element("label", { class: "field" }, box, element("span", {}, `${other.id} ${language(other.language)}${other.title ? ` – ${other.title}` : ""}`));
    });
    const recognition = state.recognition;
    panel.replaceChildren(
      recognition ? element("p", { class: recognition.unreviewed ? "bad" : "hint" }, recognition.unreviewed
        ? `${number(recognition.unreviewed)} doubtful ${recognition.unreviewed === 1 ? "text is" : "texts are"} not reviewed yet. Text formats contain them as recognized.`
        : "Text formats contain the recognized text with the corrections, at the positions of the images.")
        : track.kind === "bitmap" && this.app.overview.canRecognize ? element("p", { class: "hint" }, "For formats of text, ",
          element("button", { type: "button", class: "link", onclick: () => this.app.openTab("text") }, "recognize the text"), " first.") : "",
      element("p", {}, "Track ", element("strong", {}, `${track.id} ${language(track.language)}`),
        shift ? ` with all times ${shiftWords(shift)}.` : " with its times unchanged."),
      this.app.zeroWords ? element("p", { class: "bad", id: "zero-note" }, this.app.zeroWords) : "",
      element("fieldset", { class: "formats" }, element("legend", {}, "Format"), ...formats),
      track.kind === "text" && state.corrected ? correctionNote(state.corrected) : "",
      element("div", { class: "field actions" }, this.download,
        this.explanation = element("span", { class: "hint" }, "")),
      element("h3", {}, "Or save to a folder of this machine"),
      element("div", { class: "field" }, element("label", { for: "folder" }, "Folder"), folder,
        element("button", { type: "button", onclick: (event) => this.write(event.target, others, replace) }, "Save")),
      element("label", { class: "field" }, replace, element("span", {}, "Replace files that exist")),
      others.length ? element("details", {}, element("summary", {}, "Save other tracks, too"), ...others) : "",
      this.result);
    this.adapt();
    this.check();
  }

  adapt() {
    const format = this.app.trackState.formats.find((format) => format.name === this.format);
    this.download.disabled = !format?.isFile;
    this.explanation.textContent = format?.isFile ? "" : "This format is not one text file; save it to a folder.";
  }

  async check() {
    const name = `${this.app.input}.${this.app.track}`;
    const key = `${name}.${this.app.trackState?.revision}`;
    try {
      if (!this.losses.has(key)) {
        this.losses.clear();
        this.losses.set(key, (await api.losses(this.app.input, this.app.track)).formats);
      }
    } catch (error) {
      for (const note of this.notes.values()) note.textContent = error.message;
      return;
    }
    if (this.app.view !== this || name !== `${this.app.input}.${this.app.track}`) return;
    for (const { format, losses, diagnostics } of this.losses.get(key) ?? []) {
      const note = this.notes.get(format);
      if (!note) continue;
      const parts = losses.map((loss) => `${loss.kind} × ${number(loss.count)} (first at ${clock(loss.example.start, 0)})`);
      const { lost, cut } = this.app.beforeZero;
      if (lost) parts.push(`${counted(lost, "cue")} before 0:00`);
      if (cut) parts.push(`the beginning of ${counted(cut, "cue")} before 0:00`);
      if (diagnostics.length) parts.push(...diagnostics.slice(0, 3).map((item) => item.message));
      note.textContent = parts.length ? `Loses ${parts.join(", ")}` : "Nothing is lost";
      note.className = parts.length ? "lost" : "kept";
      if (losses.length) {
        note.append(" ", element("button", { type: "button", class: "link", onclick: () => {
          this.format = format;
          this.show(byID("panel"));
          this.app.show("losses");
        } }, "Show these cues"));
      }
    }
  }

  async save() {
    this.download.disabled = true;
    // What is changed meanwhile is not in the file.
    const { input, track, shift, key } = this.app;
    const unsaved = this.app.trackState?.unsaved;
    try {
      const { name, blob } = await api.file(input, track, { format: this.format, shift });
      const address = URL.createObjectURL(blob);
      const link = element("a", { href: address, download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      this.say("done", [`Downloaded as ${name} (${bytes(blob.size)}).`]);
      this.app.shifts.exported.set(key, shift);
      this.app.editor.update();
      if (unsaved) {
        await api.saved(input, track);
        this.app.poll();
      }
    } catch (error) {
      this.say("bad", [error.message]);
    }
    this.adapt();
  }

  async write(button, others, replace) {
    const more = others.map((label) => label.querySelector("input")).filter((box) => box.checked).map((box) => Number(box.value));
    button.disabled = true;
    const { input, track, shift } = this.app;
    try {
      const report = await api.export(input, {
        tracks: [track, ...more], format: this.format, shift, folder: this.folder, replace: replace.checked,
      });
      const files = report.tracks.flatMap((track) => track.outputs.map((output) => `${output.file} (${bytes(output.bytes)})`));
      const reasons = [report.error?.message, ...report.tracks.map((track) => track.reason)].filter((reason) => reason);
      for (const written of report.tracks.filter((track) => track.outputs.length)) {
        // Other tracks are written with the shift of this one, which is not theirs.
        const key = `${input}.${written.track}`;
        if (this.app.shifts.of(key) === shift) this.app.shifts.exported.set(key, shift);
      }
      this.app.editor.update();
      if (files.length && this.app.trackState?.unsaved) this.app.poll();
      if (files.length) this.say("done", ["Saved:", ...files, ...reasons]);
      else this.say("bad", reasons.length ? reasons : ["Nothing was saved: the track has no cues."]);
    } catch (error) {
      this.say("bad", [error.message]);
    }
    button.disabled = false;
  }

  say(kind, lines) {
    this.result.replaceChildren(element("div", { class: kind }, ...lines.map((line) => element("p", {}, line))));
    this.result.scrollIntoView({ block: "nearest" });
  }
}

/** All streams, chapters and attachments as probe describes them. */
export class StreamView {
  constructor(app) { this.app = app; }

  show(panel) {
    const probe = this.app.probe;
    const table = (title, heads, rows) => rows.length ? element(
      "div", { class: "scroll" }, element(
        "table", {}, element("caption", {}, title),
        element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
        element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell ?? "")))))))
      : "";
    const flags = (stream) => Object.entries(stream.disposition ?? {}).filter(([, set]) => set).map(([name]) => name.replaceAll("_", " ")).join(", ");
    const details = (stream) => {
      const parts = [];
      if (stream.width) parts.push(`${stream.width} × ${stream.height}`);
      if (Number(stream.sample_rate)) parts.push(`${Number(stream.sample_rate) / 1000} kHz`);
      if (stream.channel_layout || stream.channels) parts.push(stream.channel_layout || `${stream.channels} channels`);
      const extraction = stream.undertext?.extraction;
      if (extraction?.cues) parts.push(`${number(extraction.cues)} cues`);
      if (extraction) parts.push(extraction.indexed ? "indexed" : "not indexed");
      return parts.join(", ");
    };
    const sorted = Object.entries(probe.format?.tags ?? {}).map(([name, value]) => [name, value]);
    panel.replaceChildren(
      table("Streams", ["", "Kind", "Codec", "Language", "Title", "Flags", "Details"], (probe.streams ?? []).map((stream) => [
        String(stream.index), stream.undertext?.kind ?? stream.codec_type, stream.undertext?.codec ?? stream.codec_name,
        stream.undertext?.language ? `${language(stream.undertext.language)} (${stream.undertext.language})` : "",
        stream.tags?.title, flags(stream), details(stream),
      ])),
      table("Chapters", ["From", "To", "Title"], this.app.chapters.map((chapter) => [
        element("button", { type: "button", class: "link", onclick: () => this.app.go(chapter.start) }, clock(chapter.start)),
        chapter.end === null ? "" : clock(chapter.end), chapter.title,
      ])),
      table("Attachments", ["Name", "Type", "Size"], (probe.undertext?.attachments ?? []).map((file) => [
        file.fileName ?? "", file.mimeType ?? "", file.size === undefined ? "" : bytes(Number(file.size)),
      ])),
      table("Tags", ["Name", "Value"], sorted));
  }
}
