/** Characters that no IRI may contain (RFC 3987); brackets may enclose a host. */
const NOT_IRI = /[\s\p{Cc}<>"{}|\\^`[\]]|%(?![0-9A-Fa-f]{2})/u;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const LOCAL = /^(?:file:|[A-Za-z]:[\\/]|\\\\|~\/)/i;
/** An href that begins with a folder of a server's disk is a file path. */
const DISK = /^\/(?:home|root|tmp|var|mnt|media|opt|usr|srv|etc|app|data|Users|private)(?:\/|$)/;

/** Start of an address with a bracketed host (IPv6). Group 1: text before the brackets; group 2: host. */
const IN_BRACKETS =
  /^((?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\/(?:[^/?#@[\]]*@)?)\[([0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\.[^[\]]+)\](?=[:/?#]|$)/i;

const mayBeIri = (text: string): boolean =>
  !NOT_IRI.test(text) || (text.includes('[') && !NOT_IRI.test(text.replace(IN_BRACKETS, '$1$2')));

/** True for an absolute IRI. */
export function isIri(value: unknown): value is string {
  return typeof value === 'string' && mayBeIri(value) && SCHEME.test(value) && value.length > value.indexOf(':') + 1;
}

/** True for an absolute or relative IRI reference. */
export function isIriReference(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    mayBeIri(value) &&
    (!value.includes(':') || /^[^:]*[/?#]/.test(value) || isIri(value))
  );
}

/** Kind of an href. `scheme`: an address that is not http; `malformed`: not an IRI, or http without a valid host. */
export type HrefKind = 'http' | 'relative' | 'local' | 'scheme' | 'malformed';

/** Kind of an href. `/api/..` is relative, `/tmp/..` and `C:\..` are local. */
export function hrefKind(href: string): HrefKind {
  if (LOCAL.test(href) || DISK.test(href)) return 'local';
  if (!isIriReference(href)) return 'malformed';
  if (/^https?:/i.test(href)) return /^https?:\/\/[^/?#]/i.test(href) && URL.canParse(href) ? 'http' : 'malformed';
  return SCHEME.test(href) ? 'scheme' : 'relative';
}

/** True if two hrefs are equal as text or as absolute URLs. */
export function sameTarget(a: string, b: string): boolean {
  if (a === b) return true;
  return URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href;
}
