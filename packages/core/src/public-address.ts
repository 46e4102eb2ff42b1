/**
 * Removes user name, password, query and fragment from an http(s) address, because they may contain keys and signatures. The result is safe
 * to show, log and publish. The same parts are removed from addresses of other schemes. Text without a scheme, such as a path, is returned
 * unchanged.
 */
export function publicAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // This uses a pattern instead of a URL parser, because text that a parser rejects may also contain a secret.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
