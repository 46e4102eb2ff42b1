/** A deep copy, so that neither side can change what the other holds. */
export function copy<T>(value: T): T {
  return structuredClone(value);
}

/** Orders texts by UTF-16 code unit, the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
