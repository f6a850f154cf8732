// Where commands wait: IndexedDB, shared by the tabs of a device and kept when it is switched off, or memory.

/** @typedef {{command_id: string, match: string, order: number, expected_seq: number, lines: string[], shown: any, made: number}} Command */

const DATABASE = "fivepins";
const COMMANDS = "outbox";
const LEASES = "leases";

/** Where the next command stands: after the newest line that is known and after all that is queued.
 * @param {Command | undefined} last @param {number} known */
export function after(last, known) {
  return Math.max(known, last === undefined ? 0 : last.expected_seq + last.lines.length);
}

/** Number a queue anew, as if all of it had been written now. @param {Command[]} commands @param {number} known */
function renumber(commands, known) {
  for (const command of commands) {
    command.expected_seq = known;
    known += command.lines.length;
  }
}

/** The queue of one match on the disk of this device. */
export class DiskShelf {
  durable = true;

  /** @param {IDBDatabase} database @param {string} match */
  constructor(database, match) {
    this.database = database;
    this.match = match;
    this.range = IDBKeyRange.bound([match], [match, []]); // an array sorts after every number
  }

  /** @param {string} match @returns {Promise<DiskShelf>} */
  static async open(match) {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(COMMANDS, { keyPath: ["match", "order"] });
      request.result.createObjectStore(LEASES, { keyPath: "match" });
    };
    return new DiskShelf(await result(request), match);
  }

  /** Resolves when the commands are on the disk. @param {Command} command @param {number} known */
  async add(command, known) {
    await this.write(COMMANDS, async (store) => {
      const cursor = await result(store.openCursor(this.range, "prev"));
      const last = /** @type {Command | undefined} */ (cursor?.value);
      command.order = (last?.order ?? 0) + 1;
      command.expected_seq = Math.max(command.expected_seq, after(last, known));
      store.add(command);
    });
  }

  /** @returns {Promise<Command[]>} */
  list() {
    return result(this.database.transaction(COMMANDS).objectStore(COMMANDS).getAll(this.range));
  }

  /** @param {Command} command */
  async remove(command) {
    await this.write(COMMANDS, async (store) => { store.delete([this.match, command.order]); });
  }

  /** @param {number} known */
  async renumber(known) {
    await this.write(COMMANDS, async (store) => {
      const commands = await result(store.getAll(this.range));
      renumber(commands, known);
      for (const command of commands) store.put(command);
    });
  }

  async clear() {
    await this.write(COMMANDS, async (store) => { store.delete(this.range); });
  }

  /** Take the right to send for a while, where the browser has no locks; false while another tab has it.
   * @param {string} owner @param {number} span ms */
  async lease(owner, span) {
    let mine = false;
    await this.write(LEASES, async (store) => {
      const held = await result(store.get(this.match));
      mine = held === undefined || held.owner === owner || held.until < Date.now();
      if (mine) store.put({ match: this.match, owner, until: Date.now() + span });
    });
    return mine;
  }

  /** Give that right back. @param {string} owner */
  async release(owner) {
    await this.write(LEASES, async (store) => {
      if ((await result(store.get(this.match)))?.owner === owner) store.delete(this.match);
    });
  }

  /** @param {string} name @param {(store: IDBObjectStore) => Promise<void>} work */
  async write(name, work) {
    const transaction = this.database.transaction(name, "readwrite", { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(undefined);
      transaction.onabort = () => reject(transaction.error);
    });
    await Promise.all([work(transaction.objectStore(name)), done]);
  }
}

/** The queue of one tab, where the browser keeps nothing: it ends with the tab, and the page says so. */
export class MemoryShelf {
  durable = false;

  /** @param {Command[]} [commands] */
  constructor(commands = []) {
    this.commands = commands;
  }

  /** @param {Command} command @param {number} known */
  async add(command, known) {
    const last = this.commands.at(-1);
    command.order = (last?.order ?? 0) + 1;
    command.expected_seq = Math.max(command.expected_seq, after(last, known));
    this.commands.push(command);
  }

  async list() {
    return [...this.commands];
  }

  /** @param {Command} command */
  async remove(command) {
    this.commands = this.commands.filter((other) => other.command_id !== command.command_id);
  }

  /** @param {number} known */
  async renumber(known) {
    renumber(this.commands, known);
  }

  async clear() {
    this.commands = [];
  }

  async lease() {
    return true;
  }

  async release() {}
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
