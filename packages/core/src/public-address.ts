/**
 * An http(s) address without user name, password, query and fragment, which hold keys and signatures: safe to show, log and publish. Other
 * text (a path, an address of another scheme) is returned without these parts as well.
 */
export function publicAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // By pattern, not by URL: text that no URL parser accepts may hold a secret too.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
