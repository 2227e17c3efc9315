// The editor of a cue, over its row of the list; and the bar that counts corrections and takes them back.

import { api } from "./api.js";
import { byID, clock, counted, element, parsedTime, shiftWords } from "./dom.js";

export class CueEditor {
  /** `app` has the state of the page and its list. */
  constructor(app) {
    this.app = app;
    // The cue that is edited, with its input, its track and its row; null while the editor is closed.
    this.open = null;
    this.root = byID("editor");
    this.start = byID("edit-start");
    this.end = byID("edit-end");
    this.text = byID("edit-text");
    this.failure = byID("edit-failure");
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.accept();
    });
    byID("edit-cancel").addEventListener("click", () => this.cancel());
    this.root.addEventListener("keydown", (event) => this.press(event));
    byID("edit-open").addEventListener("click", () => this.edit());
    byID("undo").addEventListener("click", () => this.undo());
    byID("corrected-show").addEventListener("click", () => this.app.show(this.app.filter === "corrected" ? "" : "corrected"));
    new ResizeObserver(() => this.place()).observe(byID("list"));
  }

  get fields() { return [this.start, this.end, this.text]; }

  /** `true` if a field differs from what the server has. */
  get isEdited() { return this.open !== null && this.fields.some((field) => field.value !== this.open.values.get(field)); }

  // MARK: Opening and closing

  /** Opens the editor on the chosen cue. */
  edit() {
    const { app } = this;
    const row = app.list.row(app.list.chosen);
    const cue = row?.cue;
    if (!cue) {
      app.say("Select a cue of this track first.");
      return;
    }
    if (cue.images && cue.editable === undefined) {
      // The text of images is corrected beside them.
      app.openTab("text");
      app.views.text.edit();
      return;
    }
    app.say("");
    const open = { input: app.input, track: app.track, cue, row: app.list.chosen, shift: app.shift, values: new Map() };
    this.start.value = clock(cue.start + open.shift);
    this.end.value = clock(cue.end + open.shift);
    this.text.value = cue.text ?? "";
    // The browser changes line ends.
    for (const field of this.fields) open.values.set(field, field.value);
    this.text.readOnly = !cue.editable;
    byID("edit-rule").textContent = cue.editable
      ? "What you leave keeps its style; new text takes the style of what it replaces, or of the text before it. A cue without text is left out of exports."
      : cue.text ? "This text is too long to be edited here; its times can be changed." : "This cue has no text to edit; its times can be changed.";
    this.root.setAttribute("aria-label", `Edit the cue at ${this.start.value}`);
    this.say("");
    this.open = open;
    this.root.hidden = false;
    this.text.rows = Math.min(6, Math.max(2, this.text.value.split("\n").length));
    app.list.reveal(open.row);
    this.place();
    (cue.editable ? this.text : this.start).focus();
  }

  /** Puts the editor over its row, within the list. */
  place() {
    if (!this.open) return;
    const { list } = this.app;
    const most = Math.max(0, list.root.clientHeight - this.root.offsetHeight);
    const top = (this.open.row - list.top) * list.rowHeight;
    this.root.style.top = `${Math.round(Math.min(Math.max(0, top), most))}px`;
  }

  close() {
    this.open = null;
    this.root.hidden = true;
  }

  /** Closes the editor and forgets what was entered. */
  cancel() {
    this.close();
    byID("list").focus({ preventScroll: true });
  }

  say(text) {
    this.failure.textContent = text;
    this.failure.hidden = !text;
    for (const field of this.fields) field.removeAttribute("aria-invalid");
  }

  press(event) {
    const action = event.key === "Escape" ? () => this.cancel()
      : event.key === "Enter" && (event.ctrlKey || event.metaKey) ? () => this.accept() : null;
    // The keys of the page are letters here.
    event.stopPropagation();
    if (!action) return;
    event.preventDefault();
    action();
  }

  // MARK: Changes

  /** The changed fields as the server takes them; null if one is no time. */
  get request() {
    const { open } = this;
    const request = { track: open.track, cue: open.cue.order };
    for (const [name, field] of [["start", this.start], ["end", this.end]]) {
      if (field.value === open.values.get(field)) continue;
      const time = parsedTime(field.value);
      if (time === null) {
        this.say("Write the time as 1:02:03.500, 2:03.5 or in seconds.");
        field.setAttribute("aria-invalid", "true");
        field.focus();
        return null;
      }
      request[name] = Math.round((time - open.shift) * 1000) / 1000;
    }
    if (this.text.value !== open.values.get(this.text)) request.text = this.text.value;
    return request;
  }

  /** Hands the changes in, and goes back to the list; returns `true` if the server has them. */
  async accept() {
    const { open, app } = this;
    if (!open || this.isSending) return false;
    if (!this.isEdited) {
      this.cancel();
      return true;
    }
    const { request } = this;
    if (!request) return false;
    this.isSending = true;
    try {
      const { cue } = await api.correct(open.input, request);
      if (this.open === open) this.close();
      await app.poll();
      if (app.input !== open.input || app.track !== open.track) return true;
      const isMoved = cue.start !== open.cue.start;
      if (isMoved) await app.list.goTo(cue);
      else if (app.chosenCue?.order === cue.order) app.chosenByTime({ cue });
      app.corrected();
      byID("list").focus({ preventScroll: true });
      return true;
    } catch (error) {
      if (this.open === open) this.say(error.message);
      else this.failure.textContent = error.message;
      return false;
    } finally {
      this.isSending = false;
    }
  }

  /** Ends the editing because something else is chosen; returns `false` if the changes are not accepted. */
  async leave() {
    if (!this.open) return true;
    if (this.isEdited) return this.accept();
    this.close();
    return true;
  }

  /** Hands the changes in without waiting, because the track is no longer shown. */
  abandon() {
    if (!this.open) return;
    const { start } = this.open.cue;
    if (this.isEdited) {
      this.accept().then((isTaken) => {
        if (!isTaken) this.app.say(`The change of the cue at ${clock(start)} was not accepted. ${this.failure.textContent}`);
      });
    }
    this.close();
  }

  /** Takes back the last correction or shift of the track. */
  async undo() {
    const { app } = this;
    if (this.isSending) return;
    if (this.open) this.close();
    if (app.takeBackShift() || !app.trackState?.undoable) return;
    try {
      const { cue } = await api.undo(app.input, app.track);
      app.views.text.forget();
      await app.poll();
      if (cue) {
        if (app.query || app.filter) app.showAll();
        await app.list.goTo(cue);
      }
      app.corrected();
    } catch (error) {
      app.fail(error);
    }
  }

  // MARK: The bar

  /** Shows what is changed of the track, and whether a file has it. */
  update() {
    const { app } = this;
    const state = app.trackState;
    const isBitmap = app.tracks.find((track) => track.id === app.track)?.kind === "bitmap";
    const count = state?.corrected ?? 0;
    byID("edit-open").disabled = !state?.cues || (isBitmap && !state.recognition);
    const isShift = app.shifts.isLast(app.key, state?.changes ?? 0);
    byID("undo").disabled = !isShift && !state?.undoable;
    byID("undo").title = `Take back the last ${isShift ? "shift" : "correction"} (Ctrl+Z)`;
    const isUnsaved = Boolean(state?.unsaved) || app.isShiftUnsaved;
    const isExported = Boolean(state?.exported) || app.shifts.exported.has(app.key);
    const changes = [count ? `${counted(count, "cue")} corrected` : null, app.shift ? `all ${shiftWords(app.shift)}` : null].filter((change) => change);
    if (changes.length) changes.push(!isUnsaved ? "exported" : isExported ? "last change not exported" : "not exported yet");
    const said = changes.length ? changes.join(", ") : isUnsaved ? "Changed since the last export" : "No cue is changed";
    const words = said[0].toUpperCase() + said.slice(1);
    // A status that is written again is read aloud again.
    if (byID("corrected-count").textContent !== words) byID("corrected-count").textContent = words;
    byID("corrected-count").classList.toggle("warning", isUnsaved);
    byID("corrected-show").hidden = !count && app.filter !== "corrected";
    byID("corrected-show").textContent = app.filter === "corrected" ? "Show all" : count === 1 ? "Show it" : "Show them";
  }
}

/** What an export does with the corrections of a text track. */
export function correctionNote(count) {
  return element(
    "p", { class: "hint", id: "correction-note" },
    `${counted(count, "cue is", "cues are")} corrected. Styles, tags and positions stay with the text that you left; `
    + "new text has the style of what it replaced, or of the text before it. Cues without text are left out. "
    + "The track is written anew from its cues, without comments between them.");
}
