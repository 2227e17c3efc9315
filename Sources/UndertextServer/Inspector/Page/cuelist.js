// The list of cues: only what is in view has elements, and only what is near it is kept.

import { api } from "./api.js";
import { byID, clock, counted, debounced, element, marked } from "./dom.js";

const pageSize = 100;
const pagesKept = 30;
// Browsers limit the height of an element.
const highest = 15_000_000;

export class CueList {
  /** `app` has the state of the page and `choose(cue, row)`. */
  constructor(app) {
    this.app = app;
    this.root = byID("list");
    this.spacer = byID("spacer");
    this.pages = new Map();
    // The rows that have elements, by their index.
    this.made = new Map();
    this.total = 0;
    this.chosen = -1;
    this.generation = 0;
    this.revision = -1;
    this.drawSoon = () => {
      if (this.frame) return;
      this.frame = requestAnimationFrame(() => {
        this.frame = null;
        this.draw();
      });
    };
    this.loadSoon = debounced(40, () => this.loadVisible());
    this.root.addEventListener("scroll", () => {
      this.drawSoon();
      this.loadSoon();
    });
    this.root.addEventListener("keydown", (event) => this.press(event));
    this.root.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.choose(Number(row.dataset.index));
    });
    this.root.addEventListener("dblclick", (event) => {
      if (event.target.closest(".row")) this.app.editor.edit();
    });
    new ResizeObserver(() => {
      this.drawSoon();
      this.loadSoon();
    }).observe(this.root);
  }

  get rowHeight() {
    return 3.6 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  get height() { return Math.min(highest, this.total * this.rowHeight); }

  /** The first row in view, with its fraction. */
  get top() {
    const all = this.total * this.rowHeight;
    const view = this.root.clientHeight;
    const way = this.height - view;
    const scale = all > this.height && way > 0 ? (all - view) / way : 1;
    return this.root.scrollTop * scale / this.rowHeight;
  }

  set top(row) {
    const all = this.total * this.rowHeight;
    const view = this.root.clientHeight;
    const way = this.height - view;
    const scale = all > this.height && way > 0 ? (all - view) / way : 1;
    this.root.scrollTop = row * this.rowHeight / scale;
  }

  get parameters() {
    const { query, filter, beside, shift } = this.app;
    const format = filter === "losses" ? this.app.exportFormat?.name : "";
    return { q: query, filter, format, beside, shift: beside ? shift : "" };
  }

  /** Shows another track, search or filter, at the current time. */
  async reset() {
    this.generation += 1;
    const generation = this.generation;
    this.pages.clear();
    this.pending = new Set();
    if (this.app.track === null) return;
    // A cue stays chosen if it is still listed.
    const wanted = this.wanted ?? this.app.chosenCue?.order;
    try {
      const answer = await api.cues(
        this.app.input, this.app.track,
        { ...this.parameters, at: this.app.time - (this.app.beside ? 0 : this.app.shift), cue: wanted, count: pageSize });
      if (generation !== this.generation) return;
      this.wanted = null;
      this.pages.clear();
      this.take(answer);
      this.revision = answer.revision;
      this.chosen = answer.total ? answer.position : -1;
      this.center(this.chosen);
      this.draw();
      await this.loadVisible();
      if (generation === this.generation) this.report();
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** Follows the reading of the track without moving the list. */
  async grow(revision) {
    if (revision === this.revision) return;
    this.revision = revision;
    const generation = this.generation;
    // A list that was empty until now begins at the time that the address names.
    if (!this.total) return this.reset();
    const from = Math.floor(this.top);
    try {
      const answer = await api.cues(
        this.app.input, this.app.track, { ...this.parameters, from: from - from % pageSize, count: pageSize });
      if (generation !== this.generation) return;
      this.pages.clear();
      this.take(answer);
      this.draw();
      this.loadVisible();
    } catch (error) {
      this.app.fail(error);
    }
  }

  take(answer) {
    this.total = answer.total;
    this.complete = answer.complete;
    this.spacer.style.height = `${this.height}px`;
    const first = answer.from;
    answer.rows.forEach((row, index) => {
      const page = Math.floor((first + index) / pageSize);
      if (!this.pages.has(page)) this.pages.set(page, []);
      this.pages.get(page)[(first + index) % pageSize] = row;
    });
    const near = Math.floor(this.top / pageSize);
    while (this.pages.size > pagesKept) {
      const far = [...this.pages.keys()].reduce((a, b) => Math.abs(a - near) > Math.abs(b - near) ? a : b);
      this.pages.delete(far);
    }
    const words = this.app.query || this.app.filter ? counted(this.total, "match", "matches") : counted(this.total, "cue");
    byID("count").textContent = `${words}${this.complete ? "" : ", reading…"}`;
  }

  row(index) {
    return this.pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  async loadVisible() {
    const first = Math.max(0, Math.floor(this.top) - 10);
    const last = Math.min(this.total - 1, Math.ceil(this.top + this.root.clientHeight / this.rowHeight) + 10);
    const wanted = [];
    for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) {
      const rows = this.pages.get(page);
      const from = page * pageSize;
      let isWhole = rows !== undefined;
      for (let index = Math.max(from, first); isWhole && index <= Math.min(last, from + pageSize - 1); index += 1) {
        isWhole = rows[index - from] !== undefined;
      }
      if (!isWhole && !this.pending?.has(page)) wanted.push(page);
    }
    await Promise.all(wanted.map((page) => this.load(page)));
  }

  async load(page) {
    const generation = this.generation;
    this.pending.add(page);
    try {
      const answer = await api.cues(
        this.app.input, this.app.track, { ...this.parameters, from: page * pageSize, count: pageSize });
      if (generation !== this.generation) return;
      this.take(answer);
      this.draw();
    } catch (error) {
      this.app.fail(error);
    } finally {
      if (generation === this.generation) this.pending.delete(page);
    }
  }

  draw() {
    const height = this.rowHeight;
    const top = this.top;
    const view = this.root.clientHeight;
    const first = Math.max(0, Math.floor(top) - 4);
    const last = Math.min(this.total, Math.ceil(top + view / height) + 4);
    const offset = this.root.scrollTop - top * height;
    // Elements stay as long as their rows do, with the images in them.
    const key = JSON.stringify([this.generation, this.total, this.app.shift, height]);
    const made = new Map();
    for (let index = first; index < last; index += 1) {
      const row = this.row(index);
      const before = this.made.get(index);
      const kept = before && before.key === key && before.row === row;
      const shown = kept ? before : { key, row, element: this.element(index, row) };
      shown.element.style.top = `${Math.round(offset + index * height)}px`;
      shown.element.setAttribute("aria-selected", String(index === this.chosen));
      made.set(index, shown);
    }
    const elements = [...made.values()].map((shown) => shown.element);
    if (!this.total) {
      const isSearch = this.app.query || this.app.filter;
      elements.push(element(
        "p", { id: "empty" },
        this.app.failure ?? (!this.complete ? "Reading…"
          : isSearch ? "No cue matches. " : "This track has no cues."),
        isSearch && this.complete && !this.app.failure ? element(
          "button", { type: "button", onclick: () => this.app.clearSearch() }, this.app.query ? "Clear search" : "Show all cues") : null));
    }
    const children = this.spacer.children;
    if (elements.length !== children.length || elements.some((one, index) => one !== children[index])) {
      this.spacer.replaceChildren(...elements);
    }
    this.made = made;
    this.app.editor.place();
    if (this.chosen >= first && this.chosen < last) this.root.setAttribute("aria-activedescendant", `row-${this.chosen}`);
    else this.root.removeAttribute("aria-activedescendant");
  }

  element(index, row) {
    const attributes = {
      class: this.app.beside ? "row two" : "row", role: "option", id: `row-${index}`, "data-index": index,
      "aria-setsize": this.total, "aria-posinset": index + 1,
    };
    if (!row) return element("div", attributes, element("div", { class: "when" }, "…"));
    const shown = row.cue ?? row.beside;
    const shift = row.cue ? this.app.shift : 0;
    const length = shown.end - shown.start;
    const when = element(
      "div", { class: "when number" }, clock(shown.start + shift),
      element("small", {}, `${length.toFixed(length < 10 ? 2 : 0)} s`));
    const parts = [when, this.content(row.cue, this.app.input, this.app.track)];
    if (this.app.beside) {
      const [input, track] = this.app.beside.split(".");
      parts.push(this.content(row.beside, input, track));
    }
    return element("div", attributes, ...parts);
  }

  content(cue, input, track) {
    if (!cue) return element("div", { class: "text none" }, "–");
    const badges = [];
    if (cue.forced) badges.push(element("span", { class: "badge forced" }, "forced"));
    if (cue.overlaps) badges.push(element("span", { class: "badge" }, "overlap"));
    if (cue.corrected) badges.push(element("span", { class: "badge" }, "corrected"));
    else if (cue.doubtful) {
      badges.push(element("span", { class: cue.reviewed ? "badge" : "badge warning" }, cue.reviewed ? "reviewed" : `${cue.confidence} %`));
    }
    if (cue.images) {
      const images = cue.images.map((image, index) => element("img", {
        src: api.image(input, track, cue.order, index), alt: `Image ${index + 1} of the cue, ${image.width} × ${image.height}`,
        loading: "lazy", decoding: "async",
      }));
      const text = cue.text === undefined ? [] : [element("div", { class: "recognized" }, ...marked(cue.text || "(no text)", this.app.query))];
      return element("div", { class: `text images${text.length ? " read" : ""}` }, element("div", {}, ...images), ...text, element("div", { class: "badges" }, ...badges));
    }
    return element("div", { class: "text" }, ...badges, ...marked(cue.text || "(no text)", this.app.query));
  }

  center(index) {
    if (index < 0) return;
    this.top = Math.max(0, index - this.root.clientHeight / this.rowHeight / 2 + 0.5);
  }

  /** Scrolls as little as is needed to show a row. */
  reveal(index) {
    const top = this.top;
    const rows = this.root.clientHeight / this.rowHeight;
    if (index < top) this.top = index;
    else if (index + 1 > top + rows) this.top = index + 1 - rows;
  }

  async choose(index) {
    if (!this.total || !await this.app.editor.leave()) return;
    this.chosen = Math.min(Math.max(0, index), this.total - 1);
    this.reveal(this.chosen);
    this.draw();
    await this.loadVisible();
    this.report();
  }

  report() {
    const row = this.row(this.chosen);
    if (row) this.app.choose(row);
  }

  /** Goes to a cue by its order. */
  async findCue(order) {
    this.wanted = order;
    const before = this.row(this.chosen);
    if (before?.cue?.order === order) {
      this.wanted = null;
      return this.report();
    }
    await this.reset();
  }

  /** Goes to a cue that was changed, wherever it is now. */
  async goTo(cue) {
    this.wanted = cue.order;
    this.app.time = Math.max(0, cue.start + this.app.shift);
    await this.reset();
  }

  /** Goes to the row at a time. */
  async find(time) {
    if (this.app.track === null) return;
    const generation = this.generation;
    try {
      const answer = await api.cues(
        this.app.input, this.app.track,
        { ...this.parameters, at: time - (this.app.beside ? 0 : this.app.shift), count: pageSize });
      if (generation !== this.generation || !answer.total) return;
      this.take(answer);
      this.chosen = answer.position;
      this.center(this.chosen);
      this.draw();
      this.loadSoon();
      this.app.chosenByTime(this.row(this.chosen));
    } catch (error) {
      this.app.fail(error);
    }
  }

  press(event) {
    const rows = Math.max(1, Math.floor(this.root.clientHeight / this.rowHeight) - 1);
    const target = {
      ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + rows, PageUp: this.chosen - rows,
      Home: 0, End: this.total - 1,
    }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (["Enter", "F2"].includes(event.key)) {
      event.preventDefault();
      this.app.editor.edit();
      return;
    }
    if (target === undefined) return;
    event.preventDefault();
    this.choose(target);
  }
}
