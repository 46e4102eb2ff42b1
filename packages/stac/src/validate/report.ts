import { brief } from '../brief.ts';
import { EXTENSIONS, type ExtensionName } from '../extensions.ts';
import { isList, type JsonObject } from '../json.ts';
import type { Finding } from '../errors.ts';
import { severityInStac, type Asked, type Profile, type RatedFault } from './profile.ts';

/** What a rule says about a value; `severity` defaults to `error`. */
export interface Fault extends RatedFault {
  readonly expected: string;
  readonly fix: string;
  readonly source: string;
  /** Pointer to the field of whose elements one is at fault: schemas look at the field, so its place says how severe that is. */
  readonly field?: string;
}

/** `exact`: the version that this package checks; `other`: another version; `none`: not declared. */
export type Declared = 'exact' | 'other' | 'none';

/** Collects findings, as severe as a profile takes them; pointers are JSON pointers that the caller extends with `at`. */
export class Report {
  readonly findings: Finding[] = [];
  /** How the document declares each extension that this package knows. */
  readonly declared: Readonly<Record<ExtensionName, Declared>>;
  /** True where the document is to meet what this system asks of its own. */
  readonly isOfHouse: boolean;
  /** True where a document of STAC 1.0.0 is judged as one: what 1.1.0 alone asks for is no error. */
  readonly isOf10: boolean;
  readonly #asked: Asked;

  constructor(document: JsonObject, profile: Profile = 'headwater') {
    this.isOfHouse = profile === 'headwater';
    this.isOf10 = !this.isOfHouse && document['stac_version'] === '1.0.0';
    const urls = isList(document['stac_extensions']) ? document['stac_extensions'] : [];
    this.declared = Object.fromEntries(
      Object.entries(EXTENSIONS).map(([name, url]) => [name, declaredAs(url, urls)]),
    ) as Record<ExtensionName, Declared>;
    this.#asked = { type: document['type'], isOf10: this.isOf10, declares: (name) => this.declared[name] === 'exact' };
  }

  add(pointer: string, fault: Fault): void {
    const { rule, expected, fix, source } = fault;
    const place = fault.field ?? pointer;
    const severity = this.isOfHouse ? (fault.severity ?? 'error') : severityInStac(fault, place, this.#asked);
    if (severity === undefined) return;
    this.findings.push({ pointer, rule, severity, got: brief(fault.got), expected, fix, source });
  }
}

/** Pointer to a member of what `base` points to (RFC 6901 escapes). */
export function at(base: string, key: string | number): string {
  // Asked for each member of each document, and hardly a name needs it.
  if (typeof key === 'number' || (!key.includes('~') && !key.includes('/'))) return `${base}/${String(key)}`;
  return `${base}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function declaredAs(url: string, urls: readonly unknown[]): Declared {
  if (urls.includes(url)) return 'exact';
  const family = url.slice(0, url.indexOf('/v') + 1);
  return urls.some((other) => typeof other === 'string' && other.startsWith(family)) ? 'other' : 'none';
}
