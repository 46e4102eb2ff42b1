/**
 * Returns a deep copy, so that a store and its caller cannot change each other's data. Throws for functions and circular references. Plain
 * objects and arrays are copied without `structuredClone`, because every read of a store makes a copy, and `structuredClone` takes several
 * times as long.
 */
export function copy<T>(value: T): T;
export function copy(value: unknown): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
  if (Array.isArray(value)) return value.map(copy);
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const result: Record<string, unknown> = { ...value };
  for (const name of Object.keys(result)) {
    const member = result[name];
    if (member === null || (typeof member !== 'object' && typeof member !== 'function')) continue;
    // The spread above made every member an own property. So this assignment replaces the property, even if its name is `__proto__`, and
    // does not set the prototype.
    result[name] = copy(member);
  }
  return result;
}

/** Compares texts by UTF-16 code unit, the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
