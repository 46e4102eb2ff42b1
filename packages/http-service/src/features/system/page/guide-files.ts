import { createHash } from 'node:crypto';
import { prepared } from '../../../caching/prepared.ts';
import { createResponseCache, type PreparedReply } from '../../../caching/response-cache.ts';
import { prefixOf } from '../../../pages/layout.ts';
import type { Guide, GuideReplies } from '../../../seam/viewers.ts';
import { paths } from '../../../wire/paths.ts';

const TEXTS: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  // The list of pages is a JSON file, but is sent as plain text: only responses of the API have the JSON type.
  json: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
};
const TYPES: Readonly<Record<string, string>> = { ...TEXTS, png: 'image/png', woff2: 'font/woff2' };

/** Creates the replies with the files of the guide. Addresses in the files get the mount prefix. */
export function guideReplies(guide: Guide, baseUrl: string): GuideReplies {
  const cached = createResponseCache<string>();
  return async (path) => {
    const type = typeOf(TYPES, path);
    const file = type === undefined ? undefined : await guide.open(path);
    if (type === undefined || file === undefined) return undefined;
    const { version } = file;
    const make = async (): Promise<PreparedReply> =>
      replyOf(path, { bytes: await file.read(), type, prefix: prefixOf(baseUrl) });
    return await cached.of(path, { version, make });
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

function replyOf(path: string, { bytes, type, prefix }: Content): PreparedReply {
  if (typeOf(TEXTS, path) === undefined) return prepared(bytes, { type, cacheControl: cacheOf(path) });
  const text = new TextDecoder().decode(bytes);
  const mounted = prefix === '' ? text : text.replaceAll(paths.guide, prefix + paths.guide);
  if (!path.endsWith('.html')) return prepared(mounted, { type, cacheControl: cacheOf(path) });
  return prepared(mounted, { type, headers: { 'content-security-policy': policyOf(mounted) } });
}

/** Assets may be cached for long, because their names have a hash. Other files may change. */
function cacheOf(path: string): string {
  return path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Content security policy of a page: files of this origin, inline styles, and the inline scripts of the page. */
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
