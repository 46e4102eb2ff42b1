import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** True for an address with a scheme. A Windows drive letter is not a scheme. */
const hasScheme = (href: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(href);

/** Address of a catalogue's root: a path or `file:` URL becomes an absolute path. */
export function rootAddress(root: string): string {
  if (/^file:/i.test(root)) return fileURLToPath(root);
  return hasScheme(root) ? root : resolve(root);
}

/**
 * Resolves `href` against `base`, a URL or absolute file path. A document from http(s) can refer only to http(s)
 * addresses, never to local files. Undefined if the href cannot be resolved.
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

/** Decodes percent-encoding. A text that is not encoded does not change: `50%.tif` is a valid file name. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** True for an http(s) address without user name and password, to which requests may be sent. */
export function isRequestable(href: string): boolean {
  if (!URL.canParse(href)) return false;
  const { protocol, username, password } = new URL(href);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** True for http(s) addresses and file paths, which the pixel engine can read. */
export const isReadable = (href: string): boolean => !hasScheme(href) || /^https?:/i.test(href);

/** Address without user name and password, which are sent as a header. */
export function withoutUser(href: string): string {
  const address = new URL(href);
  address.username = '';
  address.password = '';
  return address.href;
}

/** Basic authorization from `url` for a request to `target`. Empty without credentials or for another origin. */
export function authorization(url: string, target: string): { readonly authorization?: string } {
  const { username, password, origin } = new URL(url);
  if ((username === '' && password === '') || new URL(target).origin !== origin) return {};
  const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { authorization: `Basic ${btoa(String.fromCodePoint(...bytes))}` };
}
