import { MEDIA } from '@headwater/stac';
import { nextQuery, withQuery, type StacApiAddresses } from '../schemas/addresses.ts';

/** A link of a document of the API. */
export interface ApiLink {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  readonly title?: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: Readonly<Record<string, unknown>>;
  readonly merge?: boolean;
}

/** Parts of a request from which the links of a page are built. */
export type PageRequest =
  | { readonly method: 'GET'; readonly address: string; readonly query: string }
  | { readonly method: 'POST'; readonly address: string; readonly body: Readonly<Record<string, unknown>> };

/** Link of a page to itself. */
export function selfLink(request: PageRequest, type: string): ApiLink {
  const href = request.method === 'GET' ? withQuery(request.address, request.query) : request.address;
  return { rel: 'self', href, type };
}

/** Link to the next page. For POST, the link has the complete body, so that clients need not merge bodies. */
export function nextLink(request: PageRequest, cursor: string, type: string): ApiLink {
  const { method, address } = request;
  if (method === 'GET')
    return { rel: 'next', href: withQuery(address, nextQuery(request.query, cursor)), type, method };
  return { rel: 'next', href: address, type, method, merge: false, body: { ...request.body, token: cursor } };
}

/** Link to the landing page. */
export function rootLink({ landing }: StacApiAddresses, title: string): ApiLink {
  return { rel: 'root', href: landing, type: MEDIA.json, title };
}
