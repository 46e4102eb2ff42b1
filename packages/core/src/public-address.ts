/**
 * Removes user name, password, query and fragment from a URL; returns a path unchanged. The result is safe to log and
 * publish.
 */
export function publicAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // Matched by patterns, because a URL parser would reject some texts with secrets.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
