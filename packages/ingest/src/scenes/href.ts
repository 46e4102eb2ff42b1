import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** True for `https:`, `s3:`, `file:` and the like; a Windows drive letter is no scheme. */
const hasScheme = (href: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(href);

/** Address of a catalogue as it is walked: a URL as it is, a path (relative ones from the working directory) or `file:` URL absolute. */
export function rootAddress(root: string): string {
  if (/^file:/i.test(root)) return fileURLToPath(root);
  return hasScheme(root) ? root : resolve(root);
}

/**
 * Resolves `href` against the document it stands in: a URL or an absolute file path (`/data/eo/items/a.json`). Relative parts (`./`, `../`)
 * are worked out. In a document behind http(s) everything is an http(s) address, whatever the href looks like: what is read elsewhere never
 * names a file of this machine. In a file a relative or `file:` href is a file path. Undefined where it cannot be resolved.
 */
export function resolveHref(base: string, href: string): string | undefined {
  if (hasScheme(base)) return remoteHref(base, href);
  if (/^file:\/\//i.test(href)) return URL.canParse(href) ? localPath(new URL(href).pathname) : undefined;
  if (hasScheme(href)) return href;
  return href.startsWith('/') ? localPath(href) : localPath(href, base.slice(0, base.lastIndexOf('/') + 1));
}

function remoteHref(base: string, href: string): string | undefined {
  const url = URL.canParse(href, base) ? new URL(href, base) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** A path of the file system from the path of an href, which may be percent-encoded; `.` and `..` are worked out. */
function localPath(href: string, folder = ''): string | undefined {
  const path = `${folder}${decoded(href)}`;
  if (path.includes('\0')) return undefined;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Percent-encoding taken off; as it is where it is none (a file may be called `50%.tif`). */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** True for an http(s) address that a request can be made to: none with user name or password. */
export function canAsk(href: string): boolean {
  if (!URL.canParse(href)) return false;
  const { protocol, username, password } = new URL(href);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Schemes that the pixel engine can read, and plain file paths. */
export const isReadable = (href: string): boolean => !hasScheme(href) || /^https?:/i.test(href);

/** An http(s) address without its user name and password, which a request sends as a header. */
export function withoutUser(href: string): string {
  const address = new URL(href);
  address.username = '';
  address.password = '';
  return address.href;
}

/** Basic authorization of the user name and password in `url`, for a request to `target`; only ever sent to the origin of `url` itself. */
export function authorization(url: string, target: string): { readonly authorization?: string } {
  const { username, password, origin } = new URL(url);
  if ((username === '' && password === '') || new URL(target).origin !== origin) return {};
  const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { authorization: `Basic ${btoa(String.fromCodePoint(...bytes))}` };
}
