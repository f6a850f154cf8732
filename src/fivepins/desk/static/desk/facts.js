// A stroke as it is written: every token of the notation at hand, and what the server makes of it while it is typed.

import { say } from "../say.js";
import { Refused, inWords } from "./desk.js";
import { ask } from "./dialogs.js";
import { button, make, write } from "./dom.js";
import { foulNames } from "./pad.js";

/** @typedef {import("../types.js").Ruling} Ruling */

const DELAY = 200;

/** A foul in the words of its key; some are told apart by the paragraph of article 61. @param {string} foul */
function foulName(foul) {
  const [word = "", paragraph] = foul.split(".");
  return [foulNames()[word], paragraph && `(61.${paragraph})`].filter(Boolean).join(" ");
}

/** The tokens, with what they mean. @returns {[string, [string, string][]][]} */
function tokens() {
  const names = /** @type {Record<"off-own" | "off-other" | "off-red", string>} */ (foulNames());
  return [
    [say("Before"), [["off/", say("pins not in play")], ["spot", say("object ball on its spot")], ["side", say("Sideways")],
      ["x", say("no stroke, only a foul")], ["-", say("nothing was touched")]]],
    [say("Contacts"), [["o", say("object ball")], ["r", say("red ball")], ["o-r", say("object ball and red")],
      ["|", say("cushion")], ["o|", say("object ball, cushion")], ["r|", say("red ball, cushion")]]],
    [say("Pins"), [["/", say("by object ball or red")], ["c/", say("by the cue ball")], ["o/", say("by the object ball")], ["r/", say("by the red ball")],
      ["l/", say("leaned on the cue ball")], ["u/", say("for no reason of the stroke")]]],
    [say("Which pins"), [[".", say("an outer pin")], ["1", say("top")], ["2", say("right")], ["3", say("bottom")], ["4", say("left")], ["5", say("centre")],
      ["~", say("off its seat but upright")]]],
    [say("Off the table"), [["c^", names["off-own"]], ["o^", names["off-other"]], ["r^", names["off-red"]],
      ...["c^b", "o^b", "r^b"].map((token) => /** @type {[string, string]} */ ([token, say("and came back")]))]],
    [say("Fouls"), ["wrong-ball", "motion", "tip", "touched", "touched.10", "touched.11", "touched.12", "touched.15", "contact", "foot", "jump", "push",
      "half", "line", "conduct", "partner"].map((foul) => [`!${foul}`, foulName(foul)])],
  ];
}

/** Whether the board has moved; it is on its way, and then it is asked again. @param {unknown} error */
function isStale(error) {
  return error instanceof Refused && error.refusal.error === "stale";
}

/** Whether a token goes on with the one before it, without a space. @param {string} text @param {string} token */
function goesOn(text, token) {
  return /^([.1-5]|~)$/.test(token) && /[/.1-5]$/.test(text);
}

/**
 * Ask for the facts of a stroke; `look` asks the server what they come to.
 * @param {string} title @param {string} facts @param {(facts: string) => Promise<Ruling>} look
 * @param {(again: () => void) => () => void} watch calls when the board has moved, until it is ended
 * @returns {Promise<Ruling | null>}
 */
export function askFacts(title, facts, look, watch) {
  let unwatch = () => {};
  const asking = ask(title, (/** @type {(ruling: Ruling | null) => void} */ close) => {
    const input = /** @type {HTMLInputElement} */ (make("input", {
      type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", autofocus: true, "aria-label": say("Facts in the order of time") }));
    input.value = facts;
    const words = make("p", { class: "facts-words", "aria-live": "polite" });
    const save = button(say("Save"), () => {}, "go");
    save.type = "submit";
    /** @type {Ruling | null} */
    let ruling = null;
    let timer = 0;
    let asked = 0;

    async function preview() {
      const mine = ++asked;
      ruling = null;
      save.disabled = true;
      if (input.value.trim() === "") return write(words, say("Facts in the order of time"));
      try {
        const seen = await look(input.value.trim().replace(/\s+/g, " "));
        if (mine !== asked) return;
        ruling = seen;
        write(words, [seen[5], seen[6]].filter(Boolean).join(" · "));
      } catch (error) {
        if (mine === asked) write(words, isStale(error) ? say("The server is asked what this comes to") : inWords(error));
      }
      save.disabled = ruling === null;
    }

    function later() {
      asked += 1; // an answer that is still on its way is to other facts than those that stand there now
      ruling = null;
      save.disabled = true;
      window.clearTimeout(timer);
      timer = window.setTimeout(preview, DELAY);
    }

    /** @param {string} token */
    function put(token) {
      const text = input.value.trimEnd();
      input.value = goesOn(text, token) || text === "" ? text + token : `${text} ${token}`;
      later();
    }

    const chips = tokens().map(([name, group]) => make("fieldset", { class: "tokens" }, make("legend", {}, name),
      ...group.map(([token, meaning]) => {
        const chip = button(token, () => put(token), "chip");
        if (meaning) chip.append(make("small", {}, meaning));
        return chip;
      })));
    const back = button(say("Delete the last"), () => {
      input.value = input.value.trimEnd().replace(/\S+$/, "").trimEnd();
      later();
    }, "quiet");
    input.addEventListener("input", later);
    const form = make("form", { method: "dialog" }, input, words, make("div", { class: "choices" }, back, save));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (ruling !== null) close(ruling);
    });
    unwatch = watch(preview); // what was said of another board is not true of this one
    preview();
    return [form, ...chips];
  }, "facts");
  return asking.finally(unwatch);
}
