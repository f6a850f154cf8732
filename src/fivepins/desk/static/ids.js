// Names for commands that no other device gives.

/** A random id. `crypto.randomUUID` is missing where a hall is served by plain HTTP; the random numbers are not. */
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
