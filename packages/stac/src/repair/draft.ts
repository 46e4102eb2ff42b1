import { isList, isObject } from '../json.ts';
import { at } from '../validate/report.ts';

/** One value that was mended. Made in order on the document given, the repairs lead to the mended one. */
export interface Repair {
  /** JSON pointer (RFC 6901) to the value in the document as the repairs before this one left it. */
  readonly pointer: string;
  /** Stable id of what was mended; the validator's own where it has a rule for it, e.g. `geometry.ring-closed`. */
  readonly rule: string;
  /** The value that stood there; undefined where there was none. */
  readonly before: unknown;
  /** The value that stands there now; undefined where it was taken out. */
  readonly after: unknown;
}

/** Keys that lead from a document to a value in it. */
export type Path = readonly (string | number)[];

/** A document on its way to be mended: what is changed is copied, once, and told. */
export class Draft {
  document: unknown;
  readonly repairs: Repair[] = [];
  /** Copies that nobody but this draft holds, and what holds them is one too: these are changed in place. */
  #own = new WeakSet<object>();

  constructor(document: unknown) {
    this.document = document;
  }

  /** The value at a path; undefined where there is none. */
  read(path: Path): unknown {
    return path.reduce<unknown>(member, this.document);
  }

  /** Puts a value at a path whose holder is there; undefined takes the member out. */
  write(path: Path, rule: string, after: unknown): void {
    const before = this.read(path);
    // A copy that is told must stay as it is, with all that lies in it, wherever that is used again.
    if (this.#isOwn(before)) this.#own = new WeakSet();
    this.document = this.#replaced(this.document, path, after);
    this.repairs.push({ pointer: path.reduce<string>(at, ''), rule, before, after });
  }

  #replaced(node: unknown, [key, ...rest]: Path, value: unknown): unknown {
    if (key === undefined) return value;
    const copy = this.#isOwn(node) ? node : this.#copy(node);
    const child = this.#replaced(member(node, key), rest, value);
    if (child === undefined) Reflect.deleteProperty(copy, key);
    // Not an assignment: that of `__proto__` would not make a member.
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
