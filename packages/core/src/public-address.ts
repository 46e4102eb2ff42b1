/**
 * An http(s) address as it may be shown, logged and published: without user name, password, query and fragment, which hold keys and
 * signatures. Any other text (a path, an address of another scheme) comes back as it is, less what such an address carries.
 */
export function publicAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // By pattern, not by URL: what no parser takes may hold a secret too.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
