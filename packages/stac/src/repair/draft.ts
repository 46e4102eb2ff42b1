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

/** A document on its way to be mended: what is changed is copied, and told. */
export class Draft {
  document: unknown;
  readonly repairs: Repair[] = [];

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
    this.document = replaced(this.document, path, after);
    this.repairs.push({ pointer: path.reduce<string>(at, ''), rule, before, after });
  }
}

function member(node: unknown, key: string | number): unknown {
  if (isList(node)) return node[Number(key)];
  return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

function replaced(node: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const child = replaced(member(node, key), rest, value);
  if (isList(node)) return node.with(Number(key), child);
  const members = new Map(Object.entries(isObject(node) ? node : {}));
  if (child === undefined) members.delete(String(key));
  else members.set(String(key), child);
  return Object.fromEntries(members);
}
