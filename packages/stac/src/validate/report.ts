import { brief } from '../brief.ts';
import { EXTENSIONS, type ExtensionName } from '../extensions.ts';
import { isList, type JsonObject } from '../json.ts';
import type { Finding } from '../errors.ts';
import { severityInStac, type DocumentTraits, type Profile, type RatedFault } from './profile.ts';

/** A fault found by a rule; `severity` defaults to `error`. */
export interface Fault extends RatedFault {
  readonly expected: string;
  readonly fix: string;
  readonly source: string;
  /** Pointer to the whole field, if `pointer` leads to an element. The severity depends on the whole field. */
  readonly field?: string;
}

/** State of an extension. `exact`: the checked version; `other`: another version; `none`: not declared. */
export type Declared = 'exact' | 'other' | 'none';

/** Collects findings with the severities of a profile. */
export class Report {
  readonly findings: Finding[] = [];
  /** State of each supported extension. */
  readonly declared: Readonly<Record<ExtensionName, Declared>>;
  /** True for the profile `headwater`. */
  readonly isHeadwater: boolean;
  /** True for a document of STAC 1.0.0 in the profile `stac`: rules that are new in 1.1.0 only cause warnings. */
  readonly isV100: boolean;
  readonly #traits: DocumentTraits;

  constructor(document: JsonObject, profile: Profile = 'headwater') {
    this.isHeadwater = profile === 'headwater';
    this.isV100 = !this.isHeadwater && document['stac_version'] === '1.0.0';
    const urls = isList(document['stac_extensions']) ? document['stac_extensions'] : [];
    this.declared = Object.fromEntries(
      Object.entries(EXTENSIONS).map(([name, url]) => [name, declaredAs(url, urls)]),
    ) as Record<ExtensionName, Declared>;
    this.#traits = { type: document['type'], isV100: this.isV100, declares: (name) => this.declared[name] === 'exact' };
  }

  add(pointer: string, fault: Fault): void {
    const { rule, expected, fix, source } = fault;
    const place = fault.field ?? pointer;
    const severity = this.isHeadwater ? (fault.severity ?? 'error') : severityInStac(fault, place, this.#traits);
    if (severity === undefined) return;
    this.findings.push({ pointer, rule, severity, got: brief(fault.got), expected, fix, source });
  }
}

/** Appends a key to a JSON pointer (RFC 6901 escapes). */
export function at(base: string, key: string | number): string {
  // A fast way for most names, because this function runs for every member of a document.
  if (typeof key === 'number' || (!key.includes('~') && !key.includes('/'))) return `${base}/${String(key)}`;
  return `${base}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function declaredAs(url: string, urls: readonly unknown[]): Declared {
  if (urls.includes(url)) return 'exact';
  const family = url.slice(0, url.indexOf('/v') + 1);
  return urls.some((other) => typeof other === 'string' && other.startsWith(family)) ? 'other' : 'none';
}
