import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** True for `https:`, `s3:`, `file:` and similar; a Windows drive letter is not a scheme. */
const hasScheme = (href: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(href);

/**
 * Address of a catalogue's root. Converts a path (relative to the working directory) or a `file:` URL to an absolute path. Other URLs are
 * not changed.
 */
export function rootAddress(root: string): string {
  if (/^file:/i.test(root)) return fileURLToPath(root);
  return hasScheme(root) ? root : resolve(root);
}

/**
 * Resolves `href` against `base`, the address of its document: a URL or an absolute file path
 * (`/data/eo/items/a.json`). Resolves `./` and `../`. In a document from http(s), every href becomes an http(s)
 * address, so a remote document cannot refer to a file of this machine. In a local document, a relative or `file:` href
 * becomes a file path. Undefined if the href cannot be resolved.
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

/** Converts the path of an href, which may be percent-encoded, to a path of the file system; `.` and `..` are resolved. */
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

/** Percent-decodes a text; returns the text unchanged if the text is not encoded (`50%.tif` is a valid file name). */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/**
 * True for an http(s) address without user name and password. Requests are sent only to such addresses of documents.
 */
export function isRequestable(href: string): boolean {
  if (!URL.canParse(href)) return false;
  const { protocol, username, password } = new URL(href);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** True for http(s) addresses and file paths. The pixel engine can read only these. */
export const isReadable = (href: string): boolean => !hasScheme(href) || /^https?:/i.test(href);

/** Removes user name and password from an http(s) address, because requests send user name and password as a header. */
export function withoutUser(href: string): string {
  const address = new URL(href);
  address.username = '';
  address.password = '';
  return address.href;
}

/**
 * Basic authorization from the user name and password in `url`, for a request to `target`. Empty if `url` contains neither, or if the origin of
 * `target` is not that of `url`.
 */
export function authorization(url: string, target: string): { readonly authorization?: string } {
  const { username, password, origin } = new URL(url);
  if ((username === '' && password === '') || new URL(target).origin !== origin) return {};
  const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { authorization: `Basic ${btoa(String.fromCodePoint(...bytes))}` };
}
