/**
 * Removes user name, password, query and fragment from an http(s) address, because these parts may contain keys and signatures. The result
 * is safe to show, log and publish. The same parts are removed from addresses of other schemes. Text without a scheme, such as a path, is
 * returned unchanged.
 */
export function publicAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // A pattern is used instead of a URL parser, because secrets must also be removed from text that a parser would reject.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
