// What each key of the keyboard does.

import { say } from "../say.js";
import { tell } from "./dialogs.js";
import { make } from "./dom.js";

export function help() {
  /** @type {[string, string][]} */
  const keys = [
    ["0 1 2 3 4", say("outer pins that fell: the stroke is saved")],
    ["5 6 7 8 9", say("the centre pin, with 0 to 4 outer pins")],
    ["+  −", `${say("Cannon")}, ${say("Casin")}`],
    [".  /  *", `${say("Cue ball in pins")}, ${say("Object ball missed")}, ${say("Red ball first")}`],
    ["d  o", `${say("Ball off")}, ${say("Other foul …")}`],
    ["s", say("object ball on its spot (44.5)")],
    ["Enter", say("balls at rest, stop; at the end of a set: what comes next")],
    ["t  x", `${say("Time +2")}, ${say("Extra time")}`],
    [`${say("Backspace")}, Num Lock`, say("Undo")],
    ["Esc", say("Clear")],
    ["f  n  m  ?", `${say("Facts …")}, ${say("Note")}, ${say("Menu")}, ${say("Help")}`],
    [say("presenter"), say("forwards: clock; backwards or B: hold the clock")],
    [say("long press"), say("on a pin key: which pins fell")],
  ];
  const list = make("dl", { class: "keys" }, ...keys.flatMap(([key, text]) => [make("dt", {}, key), make("dd", {}, text)]));
  return tell(say("Keyboard and help"), [list], []);
}
