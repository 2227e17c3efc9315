// The interface of the server. Addresses are relative: the path of the page has the token.

/** An answer that says in words what failed. */
export class ServerError extends Error {}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError("Undertext does not answer. Is the command still running?");
  }
  if (response.ok) return response;
  throw new ServerError((await response.text()).trim() || `The server answers ${response.status}.`);
}

/** Encodes parameters; those that are null or empty are left out. */
export function query(parameters) {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length ? `?${pairs.join("&")}` : "";
}

async function post(input, name, request) {
  return (await answer(`api/inputs/${input}/${name}`, { method: "POST", body: JSON.stringify(request) })).json();
}

const track = (input, id) => `api/inputs/${input}/tracks/${id}`;

export const api = {
  overview: async () => (await answer("api/overview")).json(),
  progress: async () => (await answer("api/progress")).json(),
  cues: async (input, id, parameters, signal) =>
    (await answer(`${track(input, id)}/cues${query(parameters)}`, { signal })).json(),
  timeline: async (input, id, parameters, signal) =>
    (await answer(`${track(input, id)}/timeline${query(parameters)}`, { signal })).json(),
  diagnostics: async (input, id) => (await answer(`${track(input, id)}/diagnostics`)).json(),
  losses: async (input, id) => (await answer(`${track(input, id)}/losses`)).json(),
  /** The numbers of cues that a shift moves before zero: exports leave out or cut them. */
  beforeZero: async (input, id, shift) => (await answer(`${track(input, id)}/before-zero${query({ shift })}`)).json(),
  picture: async (input, parameters, signal) =>
    (await answer(`api/inputs/${input}/picture${query(parameters)}`, { signal, cache: "default" })).blob(),
  image: (input, id, cue, index) => `${track(input, id)}/images/${cue}/${index}`,
  file: async (input, id, parameters) => {
    const response = await answer(`${track(input, id)}/file${query(parameters)}`);
    const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") ?? "");
    return { name: name ? decodeURIComponent(name[1]) : "subtitles", blob: await response.blob() };
  },
  export: (input, request) => post(input, "export", request),
  /** Starts or stops the recognition of a track's text. */
  recognize: (input, request) => post(input, "recognition", request),
  /** Takes the corrected text, start or end of a cue; answers with the cue. */
  correct: (input, request) => post(input, "correction", request),
  /** Takes back the last correction of a track; answers with the cue, or null. */
  undo: (input, id) => post(input, "undo", { track: id }),
  /** Notes that the corrections of a track were exported. */
  saved: (input, id) => post(input, "saved", { track: id }),
  review: async (input, id, parameters) => (await answer(`${track(input, id)}/review${query(parameters)}`)).json(),
  media: (input) => `api/inputs/${input}/media`,
  captions: (input, id, parameters) => `${track(input, id)}/captions${query(parameters)}`,
};
