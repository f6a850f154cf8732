// After a stroke the pad is closed for a moment, so that a second tap of the same finger is not a second stroke.

const CLOSED = 700;
const AT_MOST = 5000;

/** Slides: every tap that is ignored closes the pad for another moment. Times are milliseconds of any steady clock. */
export class Guard {
  constructor() {
    this.since = -AT_MOST;
    this.until = 0;
    this.ignored = 0;
  }

  /** A stroke was entered. @param {number} now */
  close(now) {
    this.since = now;
    this.until = now + CLOSED;
    this.ignored = 0;
  }

  /** Whether a tap counts; one that does not is counted and prolongs the pause. @param {number} now */
  lets(now) {
    if (!this.isClosed(now)) return true;
    this.ignored += 1;
    this.until = Math.min(now + CLOSED, this.since + AT_MOST);
    return false;
  }

  /** @param {number} now */
  isClosed(now) {
    return now < this.until;
  }
}
