// Short tones, computed: a tap that was taken, ten seconds left, none left.

/** Hertz, and where each tone begins and ends in seconds. @type {Record<"tap" | "ten" | "zero", [number, number, number][]>} */
const TONES = {
  tap: [[1200, 0, 0.03]],
  ten: [[880, 0, 0.12], [880, 0.2, 0.32]],
  zero: [[440, 0, 0.7]],
};
const LOUD = 0.25;
const SOFT = 0.005; // a tone that begins or ends at once clicks

/** @type {AudioContext | null} */
let audio = null;

export const sound = {
  /** Whether a tone would be heard. */
  get ready() {
    return audio?.state === "running";
  },

  /** To be called in a tap: a browser lets no page make a noise before one. */
  async unlock() {
    audio ??= new AudioContext();
    if (audio.state !== "running") await audio.resume();
  },

  /** @param {"tap" | "ten" | "zero"} name */
  beep(name) {
    if (audio === null || audio.state !== "running") return;
    for (const tone of TONES[name]) play(audio, ...tone);
  },
};

/** @param {AudioContext} context @param {number} pitch @param {number} from @param {number} to */
function play(context, pitch, from, to) {
  const start = context.currentTime;
  const tone = new OscillatorNode(context, { frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start + from);
  volume.gain.linearRampToValueAtTime(LOUD, start + from + SOFT);
  volume.gain.setValueAtTime(LOUD, start + to - SOFT);
  volume.gain.linearRampToValueAtTime(0, start + to);
  tone.connect(volume).connect(context.destination);
  tone.start(start + from);
  tone.stop(start + to);
}
