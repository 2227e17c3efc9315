// The timeline: a ruler with chapters, and a lane for each subtitle track.

import { api } from "./api.js";
import { byID, clock, debounced, element, language } from "./dom.js";

const steps = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200];

export class Timeline {
  /** `app` has `select(track)`, `go(time)` and `time`. */
  constructor(app) {
    this.app = app;
    this.from = 0;
    this.until = 1;
    this.end = 1;
    this.lanes = [];
    this.chapters = [];
    this.root = byID("lanes");
    this.slider = byID("timeline");
    this.ruler = byID("ruler");
    byID("zoom-in").addEventListener("click", () => this.zoom(0.5));
    byID("zoom-out").addEventListener("click", () => this.zoom(2));
    byID("zoom-all").addEventListener("click", () => this.show(0, this.end));
    this.slider.addEventListener("keydown", (event) => this.press(event));
    this.ruler.addEventListener("pointerdown", (event) => this.point(event, this.ruler));
    this.ruler.addEventListener("wheel", (event) => this.wheel(event, this.ruler), { passive: false });
    this.reload = debounced(60, () => this.lanes.forEach((lane) => this.load(lane)));
    new ResizeObserver(() => {
      this.draw();
      this.reload();
    }).observe(this.root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Shows an input: its tracks with their descriptions, its chapters and its duration. */
  open(tracks, chapters, duration) {
    this.chapters = chapters;
    this.end = Math.max(duration ?? 0, 1);
    this.from = 0;
    this.until = this.end;
    this.lanes = tracks.map((track) => this.lane(track));
    this.root.replaceChildren(...this.lanes.map((lane) => lane.row));
    this.draw();
  }

  lane(track) {
    const canvas = element("canvas", { "aria-hidden": "true" });
    const state = element("small");
    const badges = [];
    if (track.forced) badges.push(element("span", { class: "badge forced" }, "forced"));
    if (track.hearingImpaired) badges.push(element("span", { class: "badge" }, "SDH"));
    if (track.default) badges.push(element("span", { class: "badge" }, "default"));
    const title = track.title ? ` – ${track.title}` : "";
    const button = element(
      "button", { class: "name", type: "button", onclick: () => this.app.select(track.id) },
      element("bdi", {}, `${track.id}  ${language(track.language)}${title}`),
      ...badges, element("small", {}, track.codec), state);
    button.title = `Track ${track.id}: ${language(track.language)}${title}, ${track.codec}`;
    const row = element("div", { class: "lane" }, button, canvas);
    canvas.addEventListener("pointerdown", (event) => {
      this.app.select(track.id);
      this.point(event, canvas);
    });
    canvas.addEventListener("wheel", (event) => this.wheel(event, canvas), { passive: false });
    return { track, row, button, canvas, state, data: null, revision: -1 };
  }

  /** Marks the chosen track. */
  choose(id) {
    for (const lane of this.lanes) {
      lane.row.classList.toggle("chosen", lane.track.id === id);
      lane.button.setAttribute("aria-pressed", String(lane.track.id === id));
      if (lane.track.id === id) lane.row.scrollIntoView({ block: "nearest" });
    }
  }

  /** Follows the reading of the tracks. */
  update(tracks) {
    for (const state of tracks) {
      const lane = this.lanes.find((lane) => lane.track.id === state.track);
      if (!lane) continue;
      lane.state.textContent =
        state.phase === "failed" ? "unreadable"
          : state.phase === "waiting" ? "waiting"
            : state.phase === "reading" && state.progress !== null
              ? `${Math.floor(state.progress * 100)} %` : "";
      if (state.last !== null && state.last > this.end) {
        const all = this.until === this.end;
        this.end = state.last;
        if (all) this.until = this.end;
        this.reload();
      }
      if (lane.revision !== state.revision) {
        lane.revision = state.revision;
        this.load(lane);
      }
    }
  }

  async load(lane) {
    lane.loading?.abort();
    lane.loading = new AbortController();
    const [from, until] = [this.from, this.until];
    const parts = Math.max(50, Math.min(2000, Math.round(lane.canvas.clientWidth)));
    try {
      const data = await api.timeline(
        this.app.input, lane.track.id, { from, until, parts }, lane.loading.signal);
      lane.data = { ...data, from, until };
      this.drawLane(lane);
    } catch (error) {
      if (error.name !== "AbortError") this.app.fail(error);
    }
  }

  show(from, until) {
    const span = Math.min(Math.max(until - from, 1), this.end);
    this.from = Math.min(Math.max(0, from), this.end - span);
    this.until = this.from + span;
    this.draw();
    this.reload();
  }

  zoom(factor, center = this.app.time) {
    const middle = center >= this.from && center <= this.until ? center : (this.from + this.until) / 2;
    const part = (middle - this.from) / (this.until - this.from);
    const span = (this.until - this.from) * factor;
    this.show(middle - part * span, middle - part * span + span);
  }

  wheel(event, canvas) {
    // The page scrolls with the plain wheel.
    if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    const span = this.until - this.from;
    if (event.ctrlKey) return this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event, canvas));
    const way = (event.deltaX || event.deltaY) / canvas.clientWidth * span;
    this.show(this.from + way, this.until + way);
  }

  timeAt(event, canvas) {
    const box = canvas.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return this.from + part * (this.until - this.from);
  }

  point(event, canvas) {
    if (event.button === 0) this.app.go(this.timeAt(event, canvas));
  }

  press(event) {
    const step = event.shiftKey ? 10 : 1;
    const target = {
      ArrowLeft: this.app.time - step, ArrowRight: this.app.time + step, ArrowDown: this.app.time - step,
      ArrowUp: this.app.time + step, PageUp: this.app.time + 60, PageDown: this.app.time - 60, Home: 0, End: this.end,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.app.go(Math.min(Math.max(0, target), this.end));
  }

  /** Shows the current time, and moves there if it is not in view. */
  mark() {
    const time = this.app.time;
    if (time < this.from || time > this.until) {
      const span = this.until - this.from;
      this.show(time - span / 2, time + span / 2);
    }
    this.slider.setAttribute("aria-valuemax", Math.round(this.end));
    this.slider.setAttribute("aria-valuenow", Math.round(time));
    this.slider.setAttribute("aria-valuetext", clock(time, 0));
    byID("clock").textContent = clock(time);
    this.draw();
  }

  draw() {
    const style = getComputedStyle(document.documentElement);
    this.colors = {};
    for (const name of ["text", "soft", "line", "cover", "forced", "overlap", "problem", "accent", "back"]) {
      this.colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.drawRuler();
    for (const lane of this.lanes) this.drawLane(lane);
  }

  prepared(canvas) {
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    return { context, width, height };
  }

  position(time, width) {
    return (time - this.from) / (this.until - this.from) * width;
  }

  drawRuler() {
    const { context, width, height } = this.prepared(this.ruler);
    const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const span = this.until - this.from;
    const step = steps.find((step) => step / span * width > size * 5) ?? 14400;
    context.font = `${size * 0.75}px system-ui, sans-serif`;
    context.textBaseline = "bottom";
    context.strokeStyle = this.colors.line;
    context.fillStyle = this.colors.soft;
    for (let time = Math.ceil(this.from / step) * step; time <= this.until; time += step) {
      const x = Math.round(this.position(time, width)) + 0.5;
      context.beginPath();
      context.moveTo(x, height - 5);
      context.lineTo(x, height);
      context.stroke();
      const label = clock(time, step < 1 ? 1 : 0);
      const half = context.measureText(label).width / 2;
      context.fillText(label, Math.min(Math.max(0, x - half), width - 2 * half), height - 5);
    }
    context.textBaseline = "top";
    let free = 0;
    for (const chapter of this.chapters) {
      const x = this.position(chapter.start, width);
      if (chapter.end !== null && this.position(chapter.end, width) < 0 || x > width) continue;
      context.fillStyle = this.colors.accent;
      context.fillRect(Math.max(0, x), 0, 2, size * 0.9);
      const left = Math.max(x + 5, free);
      const room = chapter.end === null ? width - left : Math.min(width, this.position(chapter.end, width)) - left;
      if (left < free || room < size * 2) continue;
      let title = chapter.title;
      while (title.length > 1 && context.measureText(title).width > room) title = `${title.slice(0, -2)}…`;
      context.fillStyle = this.colors.text;
      context.fillText(title, left, 0);
      free = left + context.measureText(title).width + 4;
    }
    this.drawTime(context, width, height);
  }

  drawLane(lane) {
    if (!this.colors) return;
    const { context, width, height } = this.prepared(lane.canvas);
    context.fillStyle = this.colors.back;
    context.fillRect(0, 3, width, height - 6);
    const data = lane.data;
    if (data) {
      // Until new data arrive, the old ones are drawn where they belong.
      const shift = this.app.shiftOf(lane.track.id);
      const left = this.position(data.from + shift, width);
      const part = (this.position(data.until + shift, width) - left) / data.coverage.length;
      context.fillStyle = this.colors.cover;
      data.coverage.forEach((percent, index) => {
        if (!percent) return;
        context.globalAlpha = 0.25 + 0.75 * percent / 100;
        context.fillRect(left + index * part, 4, Math.max(1, part), height - 8);
      });
      context.globalAlpha = 1;
      const ticks = (indices, color, y, length) => {
        context.fillStyle = color;
        for (const index of indices) context.fillRect(left + index * part, y, Math.max(2, part), length);
      };
      ticks(data.forced, this.colors.forced, 3, 5);
      ticks(data.overlaps, this.colors.overlap, height - 7, 4);
      context.strokeStyle = this.colors.soft;
      context.setLineDash([3, 3]);
      for (const [start, end] of data.gaps) {
        const [a, b] = [this.position(start + shift, width), this.position(end + shift, width)];
        if (b < 0 || a > width || b - a < 12) continue;
        context.beginPath();
        context.moveTo(a + 3, height / 2);
        context.lineTo(b - 3, height / 2);
        context.stroke();
      }
      context.setLineDash([]);
      context.fillStyle = this.colors.problem;
      for (const time of data.diagnostics) {
        const x = this.position(time + shift, width);
        context.beginPath();
        context.moveTo(x - 4, 0);
        context.lineTo(x + 4, 0);
        context.lineTo(x, 8);
        context.fill();
      }
    }
    this.drawTime(context, width, height);
  }

  drawTime(context, width, height) {
    const x = Math.round(this.position(this.app.time, width));
    context.fillStyle = this.colors.text;
    context.fillRect(Math.min(x, width - 1), 0, 1.5, height);
  }
}
