import { prefixOf } from './layout.ts';

/** Addresses as pages link to them. */
export interface PageLinks {
  /** '' or '/prefix'. */
  readonly prefix: string;
  /**
   * An address of this service without its origin, so that a page works behind any proxy and its policy ('self') holds; any other
   * http(s) address as it is. Undefined for anything else: a link of data must not run a script.
   */
  readonly here: (address: string) => string | undefined;
  /** The same for a picture; undefined for one of another server, which the policy of our pages does not load. */
  readonly picture: (address: string) => string | undefined;
}

/** Links of pages below the public address. */
export function pageLinks(baseUrl: string): PageLinks {
  const prefix = prefixOf(baseUrl);
  const picture = (address: string): string | undefined =>
    address.startsWith(`${baseUrl}/`) ? prefix + address.slice(baseUrl.length) : undefined;
  const here = (address: string): string | undefined =>
    picture(address) ?? (/^https?:\/\//i.test(address) ? address : undefined);
  return { prefix, here, picture };
}
