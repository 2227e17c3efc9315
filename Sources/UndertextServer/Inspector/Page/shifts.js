// The shifts of the tracks, and what is needed to take them back.

/** The largest shift, in seconds. */
export const shiftLimit = 86_400;

// As many as corrections.
const stepLimit = 500;

export class Shifts {
  constructor() {
    this.values = new Map();
    // For each track the shifts that can be taken back, the last one at the end.
    this.steps = new Map();
    /** The shift of each track in the file that was exported last. */
    this.exported = new Map();
  }

  /** The offset in seconds of a track. */
  of(key) { return this.values.get(key) ?? 0; }

  /** Takes a shift that cannot be taken back, such as that of an address; none if it is the shift already. */
  begin(key, shift) {
    if (this.of(key) === shift) return;
    this.values.set(key, shift);
    this.steps.delete(key);
  }

  /** Notes a shift, made after a number of corrections; those of one field until `end` are one step. */
  change(key, shift, corrections, field) {
    if (!this.steps.has(key)) this.steps.set(key, []);
    const steps = this.steps.get(key);
    const last = steps.at(-1);
    if (!field || !last || last.field !== field || last.corrections !== corrections) {
      steps.push({ before: this.of(key), corrections, field });
      if (steps.length > stepLimit) steps.shift();
    }
    this.values.set(key, shift);
  }

  /** Ends what is one step. */
  end(key) {
    const last = this.steps.get(key)?.at(-1);
    if (last) last.field = null;
  }

  /** `true` if the last change of a track with a number of corrections is a shift. */
  isLast(key, corrections) {
    const last = this.steps.get(key)?.at(-1);
    return last !== undefined && last.corrections >= corrections;
  }

  takeBack(key) {
    const last = this.steps.get(key)?.pop();
    if (last) this.values.set(key, last.before);
  }
}
