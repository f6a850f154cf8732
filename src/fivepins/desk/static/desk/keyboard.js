// The keyboard, the numeric keypad and the presenter: which key means what. Nothing here knows a page.

/** By the place of the key: the keypad stays complete whatever Num Lock says. @type {Record<string, string>} */
const BY_PLACE = {
  Numpad0: "pins 0", Numpad1: "pins 1", Numpad2: "pins 2", Numpad3: "pins 3", Numpad4: "pins 4",
  Numpad5: "pins R", Numpad6: "pins R+1", Numpad7: "pins R+2", Numpad8: "pins R+3", Numpad9: "pins R+4",
  NumpadAdd: "key cannon", NumpadSubtract: "key casin", NumpadDecimal: "key cue", NumpadDivide: "key missed",
  NumpadMultiply: "key red", NumpadEnter: "enter", NumLock: "undo",
};

/** By what the key writes, on any layout. @type {Record<string, string>} */
const BY_SIGN = {
  0: "pins 0", 1: "pins 1", 2: "pins 2", 3: "pins 3", 4: "pins 4",
  5: "pins R", 6: "pins R+1", 7: "pins R+2", 8: "pins R+3", 9: "pins R+4",
  "+": "key cannon", "-": "key casin", ".": "key cue", ",": "key cue", "/": "key missed", "*": "key red",
  d: "off", o: "other", s: "key spot", Enter: "enter", Backspace: "undo", Escape: "clear",
  t: "time", x: "extra", n: "note", f: "facts", m: "menu", "?": "help",
  PageDown: "clock", PageUp: "hold", b: "hold",
};

/** What a key asks for; "" where it means nothing here. @param {KeyboardEvent} event */
export function meaning(event) {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return "";
  return BY_PLACE[event.code] ?? BY_SIGN[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? "";
}

/** Whether the key belongs to what has the focus: a text field, or a control that was reached with Tab.
 * @param {KeyboardEvent} event */
export function isTaken(event) {
  const target = event.target instanceof Element ? event.target : null;
  if (target === null) return false;
  if (target.closest("input, textarea, select, [contenteditable], dialog")) return true;
  const activates = event.key === "Enter" || event.key === " ";
  return activates && target.closest("button, a, summary") !== null;
}

/** Listen; `act` says whether it had a use for what was asked. @param {(what: string) => boolean} act */
export function listen(act) {
  document.addEventListener("keydown", (event) => {
    if (isTaken(event)) {
      const holds = event.repeat && (event.key === "Enter" || event.key === " ");
      if (holds && event.target instanceof HTMLButtonElement) event.preventDefault(); // held down, it is one press
      return;
    }
    const what = meaning(event);
    if (what !== "" && act(what)) event.preventDefault();
  });
}
