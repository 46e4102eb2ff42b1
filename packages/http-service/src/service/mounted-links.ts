import { isObject } from '@headwater/core/values';
import type { Prepared, Reply } from '../seam/reply.ts';

/** Removes from a reply the links to operations that are not mounted. */
export type MountedLinks = (reply: Reply) => Reply;

/** Facts by which a link is kept or removed. */
export interface LinkFacts {
  /** Public base address without trailing slash. */
  readonly baseUrl: string;
  /** True if an operation is mounted at this path. The path is without the prefix of `baseUrl`. */
  readonly isMounted: (path: string) => boolean;
}

const ANCHOR = /<a\b[^>]*?\shref="([^"]*)"[^>]*>([\s\S]*?)<\/a\s*>/g;

/**
 * Creates the filter. In pages, a link to an operation that is not mounted becomes text; in JSON, entries of `links`
 * are left out.
 */
export function mountedLinks({ baseUrl, isMounted }: LinkFacts): MountedLinks {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const isKept = (href: string): boolean => {
    if (!URL.canParse(href, `${baseUrl}/`)) return true;
    const url = new URL(href, `${baseUrl}/`);
    const isOwn = url.origin === origin && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`));
    return !isOwn || isMounted(url.pathname.slice(prefix.length) || '/');
  };
  const page = (text: string): string =>
    text.replaceAll(ANCHOR, (link: string, href: string, content: string) => {
      // Links to the same path (`#...`, `?...`) are kept.
      return /^[#?]/.test(href) || isKept(href.replaceAll('&amp;', '&')) ? link : `<span>${content}</span>`;
    });
  const document = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(document);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, member]) => {
      const isLinks = name === 'links' && Array.isArray(member);
      const kept = isLinks ? member.filter((link) => !isObject(link) || isKept(String(link['href']))) : member;
      return [name, document(kept)] as const;
    });
    return Object.fromEntries(entries);
  };
  const text = (type: string, content: string): string => {
    if (type.startsWith('text/html')) return page(content);
    return /[/+]json\b/.test(type) ? JSON.stringify(document(JSON.parse(content))) : content;
  };
  const known = new WeakMap<Prepared, Prepared>();
  const bytes = (prepared: Prepared): Prepared => {
    const filtered = known.get(prepared) ?? {
      ...prepared,
      bytes: new TextEncoder().encode(text(prepared.type, new TextDecoder().decode(prepared.bytes))),
    };
    known.set(prepared, filtered);
    return filtered;
  };
  return (reply) => {
    if ('json' in reply) return { ...reply, json: document(reply.json) };
    if ('prepared' in reply) return isText(reply.prepared.type) ? { ...reply, prepared: bytes(reply.prepared) } : reply;
    const type = String(reply.headers['content-type'] ?? '');
    // A reply with a length is a stored file, which contains data and no links of the API.
    if (reply.headers['content-length'] !== undefined) return reply;
    return typeof reply.body === 'string' && isText(type) ? { ...reply, body: text(type, reply.body) } : reply;
  };
}

const isText = (type: string): boolean => type.startsWith('text/html') || /[/+]json\b/.test(type);
