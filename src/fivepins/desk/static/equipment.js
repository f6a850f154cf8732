// The equipment report: says at once whether a measure keeps within its limit, and fetches the PDF.
// What counts is what the server says on the paper; here it is only said early.
// What was written stays on this tab until the form is cleared: another book, a reload or a wrong tap loses nothing.

/** @typedef {"passes" | "approved" | "open" | "fails" | "words"} Status */

/** From the best to the worst: the last that occurs decides. @type {Status[]} */
const ORDER = ["passes", "approved", "open", "fails", "words"];

const DRAFT = "fivepins equipment";

const form = /** @type {HTMLFormElement} */ (document.querySelector("#equipment"));
const rules = /** @type {HTMLSelectElement} */ (document.getElementById("report.rules"));
const askClear = /** @type {HTMLButtonElement} */ (form.querySelector(".clear"));
const sure = /** @type {HTMLButtonElement} */ (form.querySelector(".sure"));
const lines = /** @type {HTMLFieldSetElement[]} */ ([...form.querySelectorAll("fieldset.question")]);

/** @param {string} key @returns {string} */
function text(key) {
  return /** @type {HTMLInputElement} */ (document.getElementById(key)).value.trim();
}

/** A figure with a point or a comma; anything else stays text, for the server to say what is wrong. @param {string} written */
function figure(written) {
  return /^\d+([.,]\d+)?$/.test(written) ? Number(written.replace(",", ".")) : written;
}

/** What was answered: yes or no, figures in a list, or "" for not checked. @param {HTMLFieldSetElement} line */
function answer(line) {
  const radio = /** @type {HTMLInputElement | null} */ (line.querySelector("input[type=radio]:checked"));
  if (radio) return radio.value && radio.value === "true";
  const inputs = /** @type {HTMLInputElement[]} */ ([...line.querySelectorAll("input")]);
  const written = inputs.map((one) => one.value.trim());
  if (!written.some(Boolean)) return "";
  if (inputs.length > 1) return written.map(figure);
  const places = written.join(" ").split(/[\s;]+/).map(figure);
  return places.every((one) => typeof one === "number") ? places : written; // "7 cm" is one text, not two
}

/** Between the heaviest and the lightest of three balls; two can show that it is too much. @param {number} most */
function spread(most) {
  const balls = lines.find((line) => line.dataset.key === "balls.weight");
  const weights = balls ? [answer(balls)].flat().filter((one) => typeof one === "number") : [];
  const found = weights.length ? Math.round((Math.max(...weights) - Math.min(...weights)) * 1e6) / 1e6 : 0;
  return weights.length === 3 || found > most ? [found] : "";
}

/** @param {HTMLFieldSetElement} line @returns {Status} */
function standing(line) {
  const { key, low, high, below, excuse } = line.dataset;
  const given = key === "balls.spread" ? spread(Number(high)) : answer(line);
  /** @param {unknown} one */
  const allowed = (one) => typeof one === "number"
    && (!low || one >= Number(low)) && (!high || one <= Number(high)) && (!below || one < Number(below));
  const all = [given].flat();
  if (all.some((one) => typeof one === "string" && one !== "")) return "words";
  const fails = all.some((one) => one === false || (typeof one === "number" && !allowed(one)));
  if (fails) return excuse && text(`approved.${excuse}`) ? "approved" : "fails";
  return all.includes("") ? "open" : "passes";
}

/** @param {HTMLOutputElement} place @param {Status} what */
function show(place, what) {
  place.value = form.dataset[what] ?? what;
  place.dataset.status = what;
}

function judge() {
  const found = lines.map((line) => {
    const what = standing(line);
    show(/** @type {HTMLOutputElement} */ (line.querySelector("output")), what);
    return what;
  });
  const worst = Math.max(...found.map((one) => ORDER.indexOf(one)));
  show(/** @type {HTMLOutputElement} */ (document.querySelector("#verdict")), ORDER[worst] ?? "open");
}

/** The answers by section, as the server wants them. */
function answers() {
  /** @type {Record<string, Record<string, unknown>>} */
  const all = {};
  /** @param {string} key @param {unknown} value */
  const put = (key, value) => {
    const [section = "", name = ""] = key.split(".");
    (all[section] ??= {})[name] = value;
  };
  for (const field of form.querySelectorAll(".about input, .about select")) put(field.id, text(field.id));
  for (const line of lines) {
    if (line.dataset.key !== "balls.spread") put(line.dataset.key ?? "", answer(line));
  }
  return all;
}

/** @param {string} what */
function complain(what) {
  const place = /** @type {HTMLElement} */ (form.querySelector(".wrong"));
  place.textContent = what;
  place.hidden = what === "";
}

/** What stands in the form: lists by name, since one measure may have several fields. @returns {Record<string, string[]>} */
function draft() {
  /** @type {Record<string, string[]>} */
  const written = {};
  for (const [name, value] of new FormData(form)) if (name !== "report.rules") (written[name] ??= []).push(String(value));
  return written;
}

function keep() {
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify(draft()));
  } catch {
    // a browser that keeps nothing: the form lasts as long as the page
  }
}

/** @returns {Record<string, string[]>} */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT) ?? "{}");
  } catch {
    return {};
  }
}

/** Write what was kept into the form; an answer that this book does not ask for is kept no longer. */
function restore() {
  for (const [name, values] of Object.entries(kept())) {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`input[name="${CSS.escape(name)}"]`));
    fields.forEach((field, place) => {
      if (field.type === "radio") field.checked = field.value === values[0];
      else field.value = values[place] ?? "";
    });
  }
}

/** Begin anew, with the same book. */
function clear() {
  const { value } = rules;
  form.reset();
  rules.value = value;
  complain("");
  keep();
  judge();
}

async function print() {
  complain("");
  try {
    const response = await fetch(`/equipment.pdf?lang=${document.documentElement.lang}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(answers()),
    });
    if (!response.ok) {
      const { message, hint } = await response.json();
      return complain([message, hint].filter(Boolean).join(": "));
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = "equipment.pdf";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // a browser may still be reading it
  } catch {
    complain(form.dataset.lost ?? "");
  }
}

form.addEventListener("input", () => {
  keep();
  judge();
});
rules.addEventListener("change", () => { location.search = `?rules=${encodeURIComponent(rules.value)}`; }); // other limits, so another form
form.addEventListener("submit", (event) => {
  event.preventDefault();
  print();
});
askClear.addEventListener("click", () => {
  sure.hidden = !sure.hidden;
});
sure.addEventListener("click", () => {
  sure.hidden = true;
  clear();
});
restore();
judge();
