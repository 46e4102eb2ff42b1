/**
 * Removes user name, password, query and fragment from an address with a scheme, so that it is safe to log and publish.
 * Other text is unchanged.
 */
export function publicAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // A URL parser would reject some texts, from which secrets must also be removed.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
