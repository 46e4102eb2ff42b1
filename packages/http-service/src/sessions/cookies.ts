/** Cookie of the pages. `attributes`: all attributes, as in `Set-Cookie`. */
export interface Cookie {
  readonly name: string;
  readonly attributes: string;
}

/** Cookies of the pages of one service. */
export interface ScreenCookies {
  /** Id of the browser's session. */
  readonly session: Cookie;
  /** Secret against forged forms (CSRF), for users without a session of this service. */
  readonly form: Cookie;
}

/**
 * Names and attributes of a service's cookies. Over https the prefix `__Host-` protects them from other hosts; port and
 * path in the name separate the services of a host.
 */
export function screenCookies(baseUrl: string): ScreenCookies {
  const { protocol, port, pathname } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  const parts = `${port}${pathname}`.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
  const suffix = parts.map((part) => `_${part}`).join('');
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const named = (name: string): Cookie => ({
    name: `${isSecure ? '__Host-' : ''}headwater_${name}${suffix}`,
    attributes,
  });
  return { session: named('session'), form: named('form') };
}

/** `Set-Cookie` of a cookie that lasts until the browser is closed. */
export function setCookie({ name, attributes }: Cookie, value: string): string {
  return `${name}=${value}; ${attributes}`;
}

/** `Set-Cookie` that removes the cookie. */
export function removeCookie({ name, attributes }: Cookie): string {
  return `${name}=; Max-Age=0; ${attributes}`;
}
