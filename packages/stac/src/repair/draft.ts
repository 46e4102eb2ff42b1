import { isList, isObject } from '../json.ts';
import { at } from '../validate/report.ts';

/**
 * One repaired value. If all repairs are applied in order to the original document, the result is the repaired
 * document.
 */
export interface Repair {
  /** JSON pointer (RFC 6901) to the value, in the document after all earlier repairs. */
  readonly pointer: string;
  /**
   * Stable id of the repair. If the validator has a rule for the repaired fault, the id of this rule, e.g.
   * `geometry.ring-closed`.
   */
  readonly rule: string;
  /** The value before the repair; undefined if there was no value. */
  readonly before: unknown;
  /** The value after the repair; undefined if the value was removed. */
  readonly after: unknown;
}

/** Keys from a document to a value in it. */
export type Path = readonly (string | number)[];

/** A document under repair. A changed value is copied before its first change, and each change is recorded. */
export class Draft {
  document: unknown;
  readonly repairs: Repair[] = [];
  /**
   * Objects and lists that this draft has copied, together with all objects that contain them. The draft may change
   * them in place.
   */
  #own = new WeakSet<object>();

  constructor(document: unknown) {
    this.document = document;
  }

  /** The value at a path; undefined if there is none. */
  read(path: Path): unknown {
    return path.reduce<unknown>(member, this.document);
  }

  /** Writes a value at a path whose parent exists; undefined removes the member. */
  write(path: Path, rule: string, after: unknown): void {
    const before = this.read(path);
    // The repair records `before`, so `before` and its members must not change afterwards. If the draft has copied
    // `before` itself, later writes must copy everything again.
    if (this.#isOwn(before)) this.#own = new WeakSet();
    this.document = this.#replaced(this.document, path, after);
    this.repairs.push({ pointer: path.reduce<string>(at, ''), rule, before, after });
  }

  #replaced(node: unknown, [key, ...rest]: Path, value: unknown): unknown {
    if (key === undefined) return value;
    const copy = this.#isOwn(node) ? node : this.#copy(node);
    const child = this.#replaced(member(node, key), rest, value);
    if (child === undefined) Reflect.deleteProperty(copy, key);
    // `defineProperty` is used, because an assignment would not create a member for the key `__proto__`.
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
