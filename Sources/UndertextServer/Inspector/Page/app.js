// The state of the page, and what connects its parts.

import { api } from "./api.js";
import { byID, bytes, clock, complain, counted, debounced, element, language, parsedTime } from "./dom.js";
import { CueList } from "./cuelist.js";
import { CueEditor } from "./editor.js";
import { Timeline } from "./timeline.js";
import { RecognitionView } from "./recognition.js";
import { Shifts, shiftLimit } from "./shifts.js";
import { ExportView, PictureView, ProblemView, StreamView } from "./views.js";

class App {
  constructor() {
    this.input = 0;
    this.track = null;
    this.time = 0;
    this.query = "";
    this.filter = "";
    this.beside = "";
    this.shifts = new Shifts();
    // What the shift of the track moves before zero.
    this.beforeZero = { lost: 0, cut: 0 };
    this.states = [];
    this.spoken = "";
    this.failure = null;
    this.timeline = new Timeline(this);
    this.list = new CueList(this);
    this.editor = new CueEditor(this);
    this.views = { picture: new PictureView(this), text: new RecognitionView(this), problems: new ProblemView(this), export: new ExportView(this), streams: new StreamView(this) };
    this.tab = "picture";
    this.keep = debounced(150, () => this.writeAddress());
    this.checkZeroSoon = debounced(150, () => this.checkZero());
    this.listen();
  }

  // MARK: What is shown

  get shift() { return this.shiftOf(this.track); }

  /** The offset in seconds by which the times of a track of this input are moved. */
  shiftOf(track) { return this.shifts.of(`${this.input}.${track}`); }

  /** The name of the track in what is kept for each track. */
  get key() { return `${this.input}.${this.track}`; }

  /** `true` if the shift of the track differs from that of the file that was exported last. */
  get isShiftUnsaved() { return this.shift !== (this.shifts.exported.get(this.key) ?? 0); }

  get view() { return this.views[this.tab]; }
  get probe() { return this.overview.inputs[this.input].probe ?? {}; }
  get trackState() { return this.states[this.input]?.tracks.find((track) => track.track === this.track); }

  /** The input whose video is below the subtitles: this one, otherwise the first with a video. */
  get videoInput() {
    const inputs = this.overview.inputs;
    if (inputs[this.input].hasVideo) return this.input;
    const found = inputs.findIndex((input) => input.hasVideo);
    return found < 0 ? null : found;
  }

  get chapters() {
    return (this.probe.chapters ?? []).map((chapter) => ({
      start: Number(chapter.start_time), end: chapter.end_time === undefined ? null : Number(chapter.end_time),
      title: chapter.tags?.title ?? `Chapter ${chapter.id}`,
    }));
  }

  tracksOf(input) {
    return (this.overview.inputs[input].probe?.streams ?? []).filter((stream) => ["text", "bitmap"].includes(stream.undertext?.kind)).map((stream) => ({
      id: stream.index, kind: stream.undertext.kind, codec: stream.undertext.codec, language: stream.undertext.language, title: stream.tags?.title,
      forced: Boolean(stream.disposition?.forced), default: Boolean(stream.disposition?.default),
      hearingImpaired: Boolean(stream.disposition?.hearing_impaired),
    }));
  }

  get tracks() { return this.tracksOf(this.input); }

  // MARK: Beginning

  async start() {
    try {
      this.overview = await api.overview();
      // The descriptions of large or remote inputs take a moment.
      while (this.overview.inputs.some((input) => !input.open)) {
        byID("facts").textContent = "Opening…";
        await new Promise((resolve) => setTimeout(resolve, 100));
        this.overview = await api.overview();
      }
      this.states = (await api.progress()).inputs;
    } catch (error) {
      this.fail(error);
      return;
    }
    const select = byID("input");
    select.replaceChildren(...this.overview.inputs.map((input, index) => element("option", { value: index }, input.name)));
    select.hidden = this.overview.inputs.length < 2;
    byID("file").classList.toggle("hidden", !select.hidden);
    this.readAddress();
    this.open(this.input);
    this.poll();
  }

  open(input) {
    this.input = input;
    byID("input").value = String(input);
    const described = this.overview.inputs[input];
    const format = this.probe.format ?? {};
    byID("file").textContent = described.name;
    document.title = `${described.name} – Undertext inspector`;
    const facts = [format.format_long_name ?? format.format_name, described.duration ? clock(described.duration, 0) : null,
      format.size ? bytes(Number(format.size)) : null];
    byID("facts").textContent = facts.filter((fact) => fact).join("  ·  ");
    const error = this.probe.error;
    byID("message").hidden = !error;
    byID("message").textContent = error ? `${described.name}: ${error.string}` : "";
    const tracks = this.tracks;
    if (!error && !tracks.length) this.say(`${described.name} has no subtitle tracks.`);
    if (!tracks.some((track) => track.id === this.track)) this.track = tracks[0]?.id ?? null;
    this.timeline.open(tracks, this.chapters, described.duration);
    this.timeline.update(this.states[input]?.tracks ?? []);
    this.select(this.track, true);
    this.openTab(this.tab);
  }

  /** Shows a track. */
  select(track, force = false) {
    if (track === this.track && !force) return;
    this.editor.abandon();
    this.chosenCue = null;
    this.views.text.choose(null);
    this.track = track;
    this.timeline.choose(track);
    const usable = track !== null;
    const isBitmap = this.tracks.find((one) => one.id === track)?.kind === "bitmap";
    byID("tab-text").hidden = !isBitmap;
    if (this.tab === "text" && !isBitmap) this.tab = "picture";
    this.views.export.format = null;
    this.nameLosses();
    for (const id of ["search", "filter", "beside", "shift", "earlier", "later", "export-open"]) byID(id).disabled = !usable;
    byID("shift").value = String(this.shift);
    complain(byID("shift"), byID("shift-failure"), "");
    this.beforeZero = { lost: 0, cut: 0 };
    this.explainShift();
    this.checkZeroSoon();
    const options = [element("option", { value: "" }, "none")];
    this.overview.inputs.forEach((input, index) => this.tracksOf(index).forEach((other) => {
      if (index === this.input && other.id === track) return;
      const name = this.overview.inputs.length > 1 ? `${input.name}: ` : "";
      options.push(element("option", { value: `${index}.${other.id}` }, `${name}${other.id} ${language(other.language)}, ${other.codec}`));
    }));
    byID("beside").replaceChildren(...options);
    byID("beside").value = this.beside;
    if (byID("beside").value !== this.beside) this.beside = byID("beside").value = "";
    this.failure = this.trackState?.failure ?? null;
    this.list.total = 0;
    this.list.complete = false;
    this.list.reset();
    this.timeline.mark();
    if (!force) this.openTab(this.tab);
    this.count();
    this.keep();
  }

  count() {
    const counts = this.trackState?.diagnostics;
    const own = (this.overview.inputs[this.input].diagnostics ?? []).filter((item) => item.severity !== "info").length;
    const all = own + (counts ? counts.error + counts.warning : 0) + (this.trackState?.failure ? 1 : 0);
    byID("problem-count").textContent = all ? String(all) : "";
    byID("doubtful-count").textContent = this.trackState?.recognition?.unreviewed || "";
    const cues = this.trackState?.cues ?? 0;
    byID("shift-label").textContent = cues === 1 ? "Shift the only cue by" : cues ? `Shift all ${counted(cues, "cue")} by` : "Shift all cues by";
    this.editor.update();
  }

  /** Follows the reading of the cues until all are there. */
  async poll() {
    clearTimeout(this.polling);
    try {
      this.states = (await api.progress()).inputs;
    } catch (error) {
      this.fail(error);
      this.polling = setTimeout(() => this.poll(), 2000);
      return;
    }
    const state = this.trackState;
    this.timeline.update(this.states[this.input]?.tracks ?? []);
    if (state) {
      const isNew = this.failure !== (state.failure ?? null);
      if (this.shift && this.checkedRevision !== state.revision) this.checkZeroSoon();
      this.failure = state.failure ?? null;
      if (this.list.revision !== state.revision) this.list.grow(state.revision);
      else if (!this.list.complete && ["complete", "failed"].includes(state.phase)) {
        this.list.revision = -1;
        this.list.grow(state.revision);
      }
      if (isNew) this.openTab(this.tab);
    }
    this.count();
    this.views.text.update();
    const isDone = this.states.every((input) => input.tracks.every(
      (track) => ["complete", "failed"].includes(track.phase) && track.recognition?.phase !== "running"));
    if (!isDone) this.polling = setTimeout(() => this.poll(), 400);
  }

  // MARK: Time

  /** Goes to a time: the list shows its cue. */
  go(time) {
    this.time = time;
    this.timeline.mark();
    this.list.find(time);
    this.views.picture.refresh();
    this.keep();
  }

  /** A cue was chosen in the list: its first moment becomes the current time. */
  choose(row) {
    this.time = this.momentOf(row.cue ?? row.beside, row.cue ? this.shift : 0);
    this.chosenByTime(row);
    this.timeline.mark();
    this.views.picture.refresh();
    this.keep();
  }

  /** The time at which a cue is on the screen. */
  momentOf(cue, shift) {
    return Math.max(0, cue.start + shift + Math.min((cue.end - cue.start) / 2, 0.25));
  }

  chosenByTime(row) {
    this.chosenCue = row?.cue ?? null;
    this.views.text.choose(this.chosenCue);
    this.spoken = row?.cue?.text ?? "";
    const field = byID("begin");
    field.disabled = byID("apply").disabled = !this.chosenCue;
    if (this.chosenCue && document.activeElement !== field) this.showBegin();
  }

  /** Shows what a correction has changed beside the list. */
  corrected() {
    this.views.picture.refresh();
    if (this.tab === "export") this.openTab("export");
  }

  /** Shows when the chosen cue begins. */
  showBegin() {
    byID("begin").value = clock(this.chosenCue.start + this.shift);
    complain(byID("begin"), byID("begin-failure"), "");
  }

  /** Moves all times of the track by seconds, later if positive; what a field moves while it is edited is one change. */
  move(shift, field = null) {
    const rounded = Math.round(Math.min(Math.max(shift, -shiftLimit), shiftLimit) * 1000) / 1000;
    if (field !== "shift") byID("shift").value = String(rounded);
    complain(byID("shift"), byID("shift-failure"), "");
    if (rounded === this.shift) return;
    this.shifts.change(this.key, rounded, this.trackState?.changes ?? 0, field);
    this.moved();
  }

  /** Takes back the last shift if nothing was corrected since; returns `true` if it did. */
  takeBackShift() {
    if (!this.shifts.isLast(this.key, this.trackState?.changes ?? 0)) return false;
    this.shifts.takeBack(this.key);
    byID("shift").value = String(this.shift);
    complain(byID("shift"), byID("shift-failure"), "");
    this.moved();
    return true;
  }

  /** Shows the track with its new shift; the chosen cue stays chosen, and the time moves with it. */
  moved() {
    this.explainShift();
    this.checkZeroSoon();
    if (this.chosenCue) {
      this.showBegin();
      this.time = this.momentOf(this.chosenCue, this.shift);
      this.timeline.mark();
    } else {
      this.timeline.draw();
    }
    if (this.beside) this.list.reset();
    else this.list.draw();
    this.views.picture.refresh();
    if (this.tab === "export") this.openTab("export");
    this.editor.update();
    this.keep();
  }

  /** Says in words what the sign of the shift means. */
  explainShift() {
    const { shift } = this;
    byID("shift-words").textContent = shift > 0 ? "seconds later" : shift < 0 ? "seconds earlier" : "seconds (− earlier, + later)";
    const { zeroWords } = this;
    byID("shift-note").hidden = !zeroWords;
    if (byID("shift-note").textContent !== zeroWords) byID("shift-note").textContent = zeroWords;
  }

  /** Asks which cues are before zero. */
  async checkZero() {
    const { input, track, shift, key } = this;
    const revision = this.trackState?.revision;
    let found = { lost: 0, cut: 0 };
    try {
      if (track !== null && shift < 0) found = await api.beforeZero(input, track, shift);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (key !== this.key || shift !== this.shift) return;
    this.checkedRevision = revision;
    const isNew = found.lost !== this.beforeZero.lost || found.cut !== this.beforeZero.cut;
    this.beforeZero = found;
    this.explainShift();
    if (isNew && this.tab === "export") this.openTab("export");
  }

  /** What an export does with the cues that the shift moves before zero; empty if there are none. */
  get zeroWords() {
    const { lost, cut } = this.beforeZero;
    if (!lost && !cut) return "";
    const begin = `${counted(lost + cut, "cue")} would begin before 0:00`;
    if (!cut) return `${begin} and end before it: an export leaves ${lost === 1 ? "it" : "them"} out.`;
    if (!lost) return `${begin}: in an export ${cut === 1 ? "it begins" : "they begin"} at 0:00.`;
    return `${begin}: an export leaves out the ${lost === 1 ? "one" : lost} that also ${lost === 1 ? "ends" : "end"} before it; `
      + `${cut === 1 ? "the other begins" : "the others begin"} at 0:00.`;
  }

  // MARK: Controls

  listen() {
    byID("input").addEventListener("change", (event) => {
      this.track = null;
      this.time = 0;
      this.open(Number(event.target.value));
    });
    const search = debounced(150, () => {
      this.query = byID("search").value;
      this.list.reset();
      this.keep();
    });
    byID("search").addEventListener("input", search);
    byID("search").addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "ArrowDown") {
        event.preventDefault();
        byID("list").focus();
      }
    });
    byID("filter").addEventListener("change", (event) => this.show(event.target.value));
    // Corrections are lost when the command ends; a person who leaves the page may be about to end it.
    addEventListener("beforeunload", (event) => {
      const isUnsaved = this.states.some((input) => input.tracks.some((track) => track.unsaved));
      if (isUnsaved || this.views.text.isEdited || this.editor.isEdited) event.preventDefault();
    });
    byID("beside").addEventListener("change", (event) => {
      this.beside = event.target.value;
      this.list.reset();
      this.views.picture.refresh();
      this.keep();
    });
    this.listenToShift();
    byID("earlier").addEventListener("click", () => this.move(this.shift - 0.1));
    byID("later").addEventListener("click", () => this.move(this.shift + 0.1));
    byID("timing").addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.chosenCue) return;
      const wanted = parsedTime(byID("begin").value);
      const isFar = wanted !== null && Math.abs(wanted - this.chosenCue.start) > shiftLimit;
      if (wanted === null || isFar) {
        complain(byID("begin"), byID("begin-failure"), isFar ? "A shift is at most 24 hours." : "Write the time as 1:02:03.500, 2:03.5 or in seconds.");
        byID("begin").focus();
        return;
      }
      this.move(wanted - this.chosenCue.start);
      this.showBegin();
    });
    byID("begin").addEventListener("input", () => complain(byID("begin"), byID("begin-failure"), ""));
    byID("export-open").addEventListener("click", () => {
      this.openTab("export");
      byID("side").scrollIntoView({ block: "nearest" });
    });
    for (const name of Object.keys(this.views)) byID(`tab-${name}`).addEventListener("click", () => this.openTab(name));
    document.querySelector(".tabs").addEventListener("keydown", (event) => {
      const names = Object.keys(this.views).filter((name) => !byID(`tab-${name}`).hidden);
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.openTab(names[(names.indexOf(this.tab) + step + names.length) % names.length]);
      byID(`tab-${this.tab}`).focus();
    });
    byID("help-open").addEventListener("click", () => this.openHelp());
    document.addEventListener("keydown", (event) => this.press(event));
    addEventListener("hashchange", () => {
      if (location.hash.slice(1) === this.address) return;
      this.readAddress();
      this.open(this.input);
    });
  }

  /** The field of the shift: what is entered is applied at once, and what is no time is explained beside the field. */
  listenToShift() {
    const field = byID("shift");
    const failure = byID("shift-failure");
    let isFresh = false;
    field.addEventListener("focus", () => {
      isFresh = true;
      field.select();
    });
    // The click that entered the field has placed the cursor.
    field.addEventListener("click", () => {
      if (isFresh && field.selectionStart === field.selectionEnd) field.select();
      isFresh = false;
    });
    const take = (isDone) => {
      const value = parsedTime(field.value);
      if (value !== null && Math.abs(value) <= shiftLimit) {
        this.move(value, "shift");
        return;
      }
      // The beginning of a number is no mistake yet.
      if (!isDone && /^\s*[-+\u2212\u2013]?\s*$/.test(field.value)) return complain(field, failure, "");
      const kept = this.shift ? `${this.shift}` : "0";
      complain(field, failure, value === null
        ? `This is no number of seconds, such as -2.4, nor a time, such as -1:02.5. The shift is still ${kept}.`
        : `A shift is at most 24 hours. The shift is still ${kept}.`);
    };
    field.addEventListener("input", () => take(false));
    field.addEventListener("blur", () => {
      take(true);
      this.shifts.end(this.key);
    });
    field.addEventListener("keydown", (event) => {
      isFresh = false;
      const step = { ArrowUp: 0.1, ArrowDown: -0.1 }[event.key];
      if (event.key !== "Enter" && !step) return;
      // Enter would submit the time beside it.
      event.preventDefault();
      if (step) {
        this.move(this.shift + step, "arrows");
      } else {
        take(true);
        this.shifts.end(this.key);
      }
    });
  }

  /** Lists the keys that do something now. */
  openHelp() {
    const hasText = !byID("tab-text").hidden;
    for (const part of document.querySelectorAll("#help .for-text")) part.hidden = !hasText;
    byID("help").showModal();
  }

  /** Ends the search and the filter. */
  clearSearch() {
    this.query = byID("search").value = "";
    this.show("");
    byID("list").focus({ preventScroll: true });
    this.keep();
  }

  /** Shows the cues that a filter selects. */
  show(filter) {
    this.filter = byID("filter").value = filter;
    this.editor.update();
    this.nameLosses();
    this.list.reset();
  }

  /** Ends the search and the filter without loading the list. */
  showAll() {
    this.query = byID("search").value = "";
    this.filter = byID("filter").value = "";
    this.list.revision = -1;
    this.list.chosen = -1;
  }

  /** The format that the export is set to. */
  get exportFormat() {
    const formats = this.trackState?.formats ?? [];
    const chosen = this.views.export.format;
    // A track is usually wanted in its own format.
    const codec = this.tracks.find((track) => track.id === this.track)?.codec;
    const own = { subrip: "srt", webvtt: "vtt", ass: "ass", ssa: "ssa", ttml: "ttml" }[codec];
    const named = (name) => formats.find((format) => format.name === name);
    return named(chosen) ?? named(own) ?? formats[0] ?? null;
  }

  nameLosses() {
    const format = this.exportFormat;
    byID("filter-losses").textContent = format ? `With losses as ${format.name}` : "With losses in the export";
    byID("filter-losses").disabled = !format;
  }

  openTab(name) {
    this.tab = name;
    for (const other of Object.keys(this.views)) {
      const tab = byID(`tab-${other}`);
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
    }
    byID("panel").setAttribute("aria-labelledby", `tab-${name}`);
    if (this.overview) this.view.show(byID("panel"));
    this.keep();
  }

  press(event) {
    if (byID("help").open) return;
    if (event.target.id === "corrected" && this.views.text.press(event)) return;
    if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.target.matches("input, textarea")) {
      event.preventDefault();
      this.editor.undo();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isField = event.target.matches("input, select, textarea, video");
    if (event.key === "Escape" && event.target === byID("search")) {
      byID("search").value = "";
      byID("search").dispatchEvent(new Event("input"));
      byID("list").focus();
      return;
    }
    if (isField) return;
    const tracks = this.tracks.map((track) => track.id);
    const near = (step) => this.select(tracks[Math.min(Math.max(0, tracks.indexOf(this.track) + step), tracks.length - 1)] ?? null);
    const action = {
      "/": () => byID("search").focus(), "?": () => this.openHelp(),
      j: () => this.list.choose(this.list.chosen + 1), k: () => this.list.choose(this.list.chosen - 1),
      "[": () => near(-1), "]": () => near(1),
      "+": () => this.timeline.zoom(0.5), "-": () => this.timeline.zoom(2), 0: () => this.timeline.show(0, this.timeline.end),
      n: () => this.views.text.step(1), p: () => this.views.text.step(-1), e: () => this.editor.edit(),
      1: () => this.openTab("picture"), 2: () => byID("tab-text").hidden || this.openTab("text"), 3: () => this.openTab("problems"),
      4: () => this.openTab("export"), 5: () => this.openTab("streams"),
    }[event.key];
    if (!action || !this.overview) return;
    event.preventDefault();
    action();
  }

  // MARK: Messages and the address

  fail(error) {
    if (error.name !== "AbortError") this.say(error.message);
  }

  say(text) {
    byID("message").textContent = text;
    byID("message").hidden = !text;
  }

  readAddress() {
    const values = new URLSearchParams(location.hash.slice(1));
    const input = Number(values.get("input") ?? 0);
    if (this.overview.inputs[input]) this.input = input;
    if (values.has("track")) this.track = Number(values.get("track"));
    const time = Number(values.get("time") ?? 0);
    if (Number.isFinite(time)) this.time = Math.max(0, time);
    const shift = Number(values.get("shift") ?? 0);
    if (Number.isFinite(shift) && shift) this.shifts.begin(this.key, Math.min(Math.max(shift, -shiftLimit), shiftLimit));
    this.query = values.get("q") ?? "";
    byID("search").value = this.query;
    this.beside = values.get("beside") ?? "";
    if (this.views[values.get("view")]) this.tab = values.get("view");
  }

  writeAddress() {
    if (!this.overview) return;
    const values = new URLSearchParams();
    if (this.input) values.set("input", this.input);
    if (this.track !== null) values.set("track", this.track);
    values.set("time", String(Math.round(this.time * 1000) / 1000));
    if (this.shift) values.set("shift", this.shift);
    if (this.query) values.set("q", this.query);
    if (this.beside) values.set("beside", this.beside);
    if (this.tab !== "picture") values.set("view", this.tab);
    this.address = values.toString();
    history.replaceState(null, "", `#${this.address}`);
  }
}

new App().start();
