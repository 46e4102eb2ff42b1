const VALUE = /^[!#-+\--:<-[\]-~]*$/;

/**
 * Value of a cookie, without quotation marks. Undefined if the cookie is absent, has characters that RFC 6265, 4.1.1
 * forbids, or was sent with different values.
 */
export function readCookie(header: string | readonly string[] | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const text = typeof header === 'string' ? header : header.join('; ');
  let found: string | undefined;
  for (const pair of text.split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = unquoted(pair.slice(at + 1).trim());
    if (!VALUE.test(value) || (found !== undefined && found !== value)) return undefined;
    found = value;
  }
  return found;
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
