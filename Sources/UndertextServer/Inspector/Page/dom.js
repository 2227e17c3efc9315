// Elements and texts. Text of files becomes text nodes and nothing else.

/** Creates an element; properties that begin with "on" are listeners, others attributes. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export const byID = (id) => document.getElementById(id);

/** A text with the parts that contain a searched text marked. */
export function marked(text, searched) {
  const wanted = searched.toLowerCase();
  const lower = text.toLowerCase();
  if (!wanted || lower.length !== text.length) return [text];
  const parts = [];
  let from = 0;
  for (let found = lower.indexOf(wanted); found >= 0; found = lower.indexOf(wanted, from)) {
    if (found > from) parts.push(text.slice(from, found));
    parts.push(element("mark", {}, text.slice(found, found + wanted.length)));
    from = found + wanted.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** Seconds as 1:02:03.500. */
export function clock(seconds, decimals = 3) {
  const sign = seconds < 0 ? "−" : "";
  const units = Math.round(Math.abs(seconds) * 10 ** decimals);
  const whole = Math.floor(units / 10 ** decimals);
  const two = (number) => String(number).padStart(2, "0");
  const rest = decimals ? `.${String(units % 10 ** decimals).padStart(decimals, "0")}` : "";
  return `${sign}${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${rest}`;
}

/** Reads seconds, M:SS or H:MM:SS, with decimals and a sign; null for anything else. */
export function parsedTime(text) {
  // People and other programs write a comma, and a minus sign or a dash for the hyphen.
  const match = /^\s*([-+\u2212\u2013]?)\s*(?:(?:(\d{1,6}):)?(\d{1,3}):)?(\d{1,9}(?:[.,]\d*)?|[.,]\d+)\s*s?\s*$/.exec(text);
  if (!match) return null;
  const value = Number(match[2] ?? 0) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4].replace(",", "."));
  return ["", "+"].includes(match[1]) ? value : -value;
}

/** A count with its word. */
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** What a shift does, such as 2.4 s earlier. */
export const shiftWords = (shift) => `${Number(Math.abs(shift).toFixed(3))} s ${shift < 0 ? "earlier" : "later"}`;

/** Marks a field as invalid with a message beside it; an empty message takes both away. */
export function complain(field, place, text) {
  if (text) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
}

export const number = (value) => Number(value).toLocaleString("en");

/** A size such as 4.2 GB. */
export function bytes(count) {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (count >= size) return `${(count / size).toFixed(1)} ${unit}`;
  }
  return `${count} bytes`;
}

/** The English name of a language, or its tag. */
export function language(tag) {
  if (!tag) return "Unknown language";
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Calls a function once, when nobody has asked again for some milliseconds. */
export function debounced(delay, work) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), delay);
  };
}
