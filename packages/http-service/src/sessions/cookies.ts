/** A cookie of the pages: its name, and its attributes as one text. */
export interface Cookie {
  readonly name: string;
  readonly attributes: string;
}

/** Cookies of the pages of one service. */
export interface ScreenCookies {
  /** Holds the id of the browser's session. */
  readonly session: Cookie;
  /** Holds the secret against forged forms (CSRF) of a visitor, or of a user who signed in at the host. */
  readonly form: Cookie;
}

/**
 * Names and attributes of the cookies of a service. Over https the prefix `__Host-` keeps other hosts of the domain from setting them. A
 * browser sends these cookies to all ports and paths of a host. So a suffix (port and path of the service) gives the cookies of each
 * service their own names.
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

/** Value of `Set-Cookie`; the cookie lasts until the browser is closed. */
export function setCookie({ name, attributes }: Cookie, value: string): string {
  return `${name}=${value}; ${attributes}`;
}

/** Value of `Set-Cookie` that removes the cookie. */
export function removeCookie({ name, attributes }: Cookie): string {
  return `${name}=; Max-Age=0; ${attributes}`;
}
