// The view that recognizes the text of images, and lets a person correct it.

import { api } from "./api.js";
import { element, number } from "./dom.js";

export class RecognitionView {
  constructor(app) {
    this.app = app;
    this.cue = null;
    this.languages = new Map();
    this.intro = element("p", {});
    this.field = element("input", { type: "text", id: "languages", size: 10, spellcheck: "false", autocomplete: "off" });
    this.field.addEventListener("input", () => this.languages.set(this.key, this.field.value));
    this.start = element("button", { type: "submit", class: "primary" }, "Recognize");
    this.stop = element("button", { type: "button", onclick: () => this.ask({ stop: true }) }, "Stop");
    this.form = element(
      "form", { class: "field", onsubmit: (event) => {
        event.preventDefault();
        this.ask({ languages: this.field.value.trim() });
      } },
      element("label", { for: "languages" }, "Language of the text"), this.field, element("small", { class: "hint" }, "such as en or de+en"), this.start, this.stop);
    this.bar = element("progress", { "aria-label": "Recognition" });
    this.state = element("p", { class: "hint", role: "status" });
    this.images = element("div", { class: "sources" });
    this.text = element("textarea", { id: "corrected", rows: 3, maxlength: 4000 });
    this.text.addEventListener("input", () => this.adapt());
    this.hint = element("p", { class: "hint" });
    this.accept = element("button", { type: "button", class: "primary", onclick: () => this.save() }, "Accept and go on");
    this.editor = element(
      "section", { class: "editor", "aria-label": "The selected cue" },
      this.images,
      element("label", { for: "corrected" }, "Text of the selected cue"), this.text, this.hint,
      element(
        "div", { class: "field" },
        this.accept,
        element("button", { type: "button", onclick: () => this.step(-1) }, "Previous doubtful"),
        element("button", { type: "button", onclick: () => this.step(1) }, "Next doubtful"),
        element("button", { type: "button", onclick: () => this.app.show(this.app.filter === "doubtful" ? "" : "doubtful") }, "List the doubtful ones"),
        element("button", { type: "button", onclick: () => this.app.openTab("export") }, "Export…")));
  }

  get key() { return `${this.app.input}.${this.app.track}`; }
  get recognition() { return this.app.trackState?.recognition ?? null; }

  /** `true` if the text on the screen differs from what the server has. */
  get isEdited() { return this.cue !== null && this.text.value !== (this.cue.text ?? ""); }

  show(panel) {
    if (!this.app.overview.canRecognize) {
      panel.replaceChildren(element("p", { class: "hint" }, "This build of Undertext cannot recognize text. Build it with the trait Recognition."));
      return;
    }
    const track = this.app.tracks.find((one) => one.id === this.app.track);
    this.field.value = this.languages.get(this.key) ?? this.recognition?.languages ?? track?.language ?? "en";
    panel.replaceChildren(this.intro, this.form, this.bar, this.state, this.editor);
    this.isRunning = null;
    this.update();
    this.choose(this.app.chosenCue);
  }

  /** Follows the recognition. */
  update() {
    if (this.app.view !== this || !this.app.overview.canRecognize) return;
    const found = this.recognition;
    const isRunning = found?.phase === "running";
    const cues = this.app.trackState?.cues ?? 0;
    this.start.hidden = isRunning;
    this.start.textContent = found ? "Recognize again" : "Recognize";
    this.start.classList.toggle("primary", !found);
    this.start.disabled = !["complete", "failed"].includes(this.app.trackState?.phase);
    this.field.disabled = isRunning;
    this.stop.hidden = this.bar.hidden = !isRunning;
    this.bar.max = Math.max(1, cues);
    this.bar.value = found?.done ?? 0;
    this.editor.hidden = !found?.recognized;
    this.intro.textContent = found ? "" : "The subtitles of this track are images. Tesseract can read their text on this machine; doubtful words are listed for correction.";
    this.intro.hidden = Boolean(found);
    const doubtful = found && `${number(found.unreviewed)} of ${number(found.doubtful)} doubtful texts remain to review, ${number(this.app.trackState.corrected)} are corrected.`;
    this.state.className = found?.failure ? "bad" : "hint";
    this.state.textContent = !found ? ""
      : found.failure ? `Stopped: ${found.failure}`
        : isRunning ? `${number(found.done)} of ${number(cues)} cues are read.`
          : found.phase === "cancelled" ? `Stopped after ${number(found.done)} of ${number(cues)} cues. ${doubtful}`
            : found.doubtful ? doubtful : `All ${number(found.recognized)} texts were recognized with confidence. ${number(this.app.trackState.corrected)} are corrected.`;
    // The worst text is shown as soon as all is read.
    if (this.isRunning === true && !isRunning && found?.unreviewed && !this.isEdited) this.step(1);
    this.isRunning = isRunning;
    if (this.app.chosenCue && this.cue === null && !this.editor.hidden) this.app.list.report();
  }

  async ask(request) {
    try {
      await api.recognize(this.app.input, { track: this.app.track, ...request });
      this.app.say("");
    } catch (error) {
      this.app.fail(error);
    }
    this.app.poll();
  }

  /** Shows the image and the text of a cue. */
  async choose(cue) {
    if (this.isEdited && this.cue.order !== cue?.order) await this.put();
    // A view that is not shown takes the cue when it is.
    if (this.app.view !== this) {
      this.cue = null;
      this.text.value = "";
      return;
    }
    const isSame = this.cue !== null && this.cue.order === cue?.order && this.shownKey === this.key;
    if (isSame && this.isEdited) return;
    this.cue = cue?.images && cue.text !== undefined ? { ...cue } : null;
    this.shownKey = this.key;
    this.text.value = this.cue?.text ?? "";
    this.text.disabled = this.accept.disabled = this.cue === null;
    this.images.replaceChildren(...(cue?.images ?? []).map((image, index) => element("img", {
      src: api.image(this.app.input, this.app.track, cue.order, index), alt: `Image ${index + 1} of the cue`,
    })));
    this.adapt();
  }

  /** Shows the text of the server again, which was changed elsewhere. */
  forget() {
    this.cue = null;
    this.text.value = "";
  }

  adapt() {
    const cue = this.cue;
    this.text.rows = Math.min(8, Math.max(2, this.text.value.split("\n").length));
    if (!cue) {
      this.hint.textContent = this.recognition ? "This cue has no recognized text yet. Select another one." : "";
      return;
    }
    const state = cue.reviewed ? (cue.corrected ? "Corrected." : "Accepted.") : cue.doubtful ? `Doubtful: ${cue.confidence} % confidence.` : `${cue.confidence} % confidence.`;
    this.hint.textContent = `${state} Ctrl+Enter accepts the text and goes to the next doubtful one.${this.text.value.trim() ? "" : " A cue without text is left out of the export."}`;
    this.hint.classList.toggle("warning", Boolean(cue.doubtful && !cue.reviewed));
  }

  /** Hands the text in; returns `true` if the server has it. */
  async put() {
    const { cue } = this;
    const [input, track] = this.shownKey.split(".").map(Number);
    try {
      const answer = await api.correct(input, { track, cue: cue.order, text: this.text.value });
      Object.assign(cue, { corrected: false }, answer.cue);
      if (this.cue === cue) this.text.value = cue.text;
      if (this.app.chosenCue?.order === cue.order && this.shownKey === this.key) this.app.chosenCue = { ...cue };
      await this.app.poll();
      return true;
    } catch (error) {
      this.app.fail(error);
      return false;
    }
  }

  /** Accepts the text and goes to the next doubtful one. */
  async save() {
    if (!this.cue || this.accept.disabled) return;
    this.accept.disabled = true;
    const isDone = await this.put();
    this.accept.disabled = false;
    // The viewer may have opened another view meanwhile.
    if (isDone && this.app.view === this) await this.step(1);
  }

  /** Goes to the next or the previous doubtful text that was not reviewed. */
  async step(direction) {
    if (!this.recognition) return;
    if (this.app.view !== this) this.app.openTab("text");
    if (this.isEdited && !await this.put()) return;
    try {
      const answer = await api.review(this.app.input, this.app.track, { cue: this.cue?.order, back: direction < 0 ? 1 : "" });
      if (!answer.cue) {
        this.adapt();
        this.hint.textContent = "No doubtful text is left to review. Export the track to keep the corrections.";
        return;
      }
      const had = document.activeElement === this.text || this.editor.contains(document.activeElement);
      // The cue is in the whole list and in that of doubtful ones.
      if (this.app.query || !["", "doubtful"].includes(this.app.filter)) this.app.showAll();
      await this.app.list.findCue(answer.cue.order);
      if (had && this.app.view === this) this.edit();
    } catch (error) {
      this.app.fail(error);
    }
  }

  edit() {
    if (!this.recognition) return;
    if (this.app.view !== this) this.app.openTab("text");
    this.text.focus();
  }

  /** A key in the text; returns `true` if it is an action. */
  press(event) {
    const action = event.key === "Enter" && (event.ctrlKey || event.metaKey) ? () => this.save()
      : event.altKey && event.key === "ArrowDown" ? () => this.step(1)
        : event.altKey && event.key === "ArrowUp" ? () => this.step(-1)
          : event.key === "Escape" ? () => document.getElementById("list").focus() : null;
    if (!action) return false;
    event.preventDefault();
    action();
    return true;
  }
}
