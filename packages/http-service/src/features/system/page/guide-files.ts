import { createHash } from 'node:crypto';
import { prepared } from '../../../caching/prepared.ts';
import { prefixOf } from '../../../pages/layout.ts';
import type { Reply } from '../../../seam/reply.ts';
import type { Guide, GuideReplies } from '../../../seam/viewers.ts';
import { paths } from '../../../wire/paths.ts';

const TEXTS: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  // The list of pages with their hashes. It is no reply of the API, so it has no JSON type.
  json: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
};
const TYPES: Readonly<Record<string, string>> = { ...TEXTS, png: 'image/png', woff2: 'font/woff2' };

/** Replies that are cached, with their compressed forms. The largest file of the site has some megabytes. */
const MOST_CACHED = 100;

/**
 * Creates the replies with the files of the site. The site is built for a service at the root of its origin, so the
 * prefix of another mount is inserted into its addresses.
 */
export function guideReplies(guide: Guide, baseUrl: string): GuideReplies {
  const cached = new Map<string, { readonly version: string; readonly reply: Promise<Reply> }>();
  return async (path) => {
    const type = typeOf(TYPES, path);
    const file = type === undefined ? undefined : await guide.open(path);
    if (type === undefined || file === undefined) return undefined;
    const known = cached.get(path);
    if (known?.version === file.version) return await known.reply;
    const reply = file.read().then((bytes) => replyOf(path, { bytes, type, prefix: prefixOf(baseUrl) }));
    cached.delete(path);
    cached.set(path, { version: file.version, reply });
    reply.catch(() => cached.delete(path));
    const [oldest] = cached.keys();
    if (cached.size > MOST_CACHED && oldest !== undefined) cached.delete(oldest);
    return await reply;
  };
}

function typeOf(types: Readonly<Record<string, string>>, path: string): string | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(types, extension) ? types[extension] : undefined;
}

interface Content {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly prefix: string;
}

function replyOf(path: string, { bytes, type, prefix }: Content): Reply {
  if (typeOf(TEXTS, path) === undefined) return prepared(bytes, { type, cacheControl: cacheOf(path) });
  const text = new TextDecoder().decode(bytes);
  const mounted = prefix === '' ? text : text.replaceAll(paths.guide, prefix + paths.guide);
  if (!path.endsWith('.html')) return prepared(mounted, { type, cacheControl: cacheOf(path) });
  return prepared(mounted, { type, headers: { 'content-security-policy': policyOf(mounted) } });
}

/** The names of assets have a hash of their content. Other files may change with each build. */
function cacheOf(path: string): string {
  return path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** The policy of a page: files of this origin, the styles of code, and the page's own scripts by their hashes. */
function policyOf(page: string): string {
  const hashes = [...page.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
