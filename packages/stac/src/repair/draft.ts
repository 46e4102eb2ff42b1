import { isList, isObject } from '../json.ts';
import { at } from '../validate/report.ts';

/** A repaired value. All repairs in order change the original into the repaired document. */
export interface Repair {
  /** JSON pointer (RFC 6901) in the document after all earlier repairs. */
  readonly pointer: string;
  /** Stable id of the repair, such as the validator's rule `geometry.ring-closed`. */
  readonly rule: string;
  /** Value before the repair; undefined if absent. */
  readonly before: unknown;
  /** Value after the repair; undefined if removed. */
  readonly after: unknown;
}

/** Keys from a document to a value. */
export type Path = readonly (string | number)[];

/** A document under repair. Copies values before the first change, and records each change. */
export class Draft {
  document: unknown;
  readonly repairs: Repair[] = [];
  /** Objects that this draft has copied, and may therefore change in place. */
  #own = new WeakSet<object>();

  constructor(document: unknown) {
    this.document = document;
  }

  /** Value at a path; undefined if absent. */
  read(path: Path): unknown {
    return path.reduce<unknown>(member, this.document);
  }

  /** Writes a value at a path whose parent exists; undefined removes the member. */
  write(path: Path, rule: string, after: unknown): void {
    const before = this.read(path);
    // The recorded `before` must not change, so later writes must copy again.
    if (this.#isOwn(before)) this.#own = new WeakSet();
    this.document = this.#replaced(this.document, path, after);
    this.repairs.push({ pointer: path.reduce<string>(at, ''), rule, before, after });
  }

  #replaced(node: unknown, [key, ...rest]: Path, value: unknown): unknown {
    if (key === undefined) return value;
    const copy = this.#isOwn(node) ? node : this.#copy(node);
    const child = this.#replaced(member(node, key), rest, value);
    if (child === undefined) Reflect.deleteProperty(copy, key);
    // An assignment would set the prototype for the key `__proto__`.
    else Reflect.defineProperty(copy, key, { value: child, configurable: true, enumerable: true, writable: true });
    return copy;
  }

  #isOwn(node: unknown): node is object {
    return typeof node === 'object' && node !== null && this.#own.has(node);
  }

  #copy(node: unknown): object {
    const copy = isList(node) ? [...node] : Object.fromEntries(Object.entries(isObject(node) ? node : {}));
    this.#own.add(copy);
    return copy;
  }
}

function member(node: unknown, key: string | number): unknown {
  if (isList(node)) return node[Number(key)];
  return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}
