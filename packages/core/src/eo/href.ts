/** True for `https:`, `s3:`, `file:` and the like; a Windows drive letter is no scheme. */
const hasScheme = (href: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(href);

/**
 * Resolves `href` against the document it stands in: a URL or an absolute file path (`/data/eo/items/a.json`). Relative parts (`./`, `../`)
 * are worked out; a relative href in a file stays a file path. Undefined where it cannot be resolved.
 */
export function resolveHref(base: string, href: string): string | undefined {
  if (hasScheme(href)) return href;
  if (hasScheme(base)) return URL.canParse(href, base) ? new URL(href, base).href : undefined;
  if (href.includes('\0')) return undefined;
  const path = href.startsWith('/') ? href : `${base.slice(0, base.lastIndexOf('/') + 1)}${href}`;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Schemes that the pixel engine can read, and plain file paths. */
export const isReadable = (href: string): boolean => !hasScheme(href) || /^https?:/i.test(href);
