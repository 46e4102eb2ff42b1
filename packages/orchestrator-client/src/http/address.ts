import { invalidRequest } from '../errors.ts';

/** REST interface: `v1` is Airflow 2, `v2` is Airflow 3. */
export type ApiVersion = 'v1' | 'v2';

/** Parts of a base address. */
export interface BaseAddress {
  /** Root with a slash at the end. */
  readonly root: string;
  /** Named interface; undefined if the client must detect the interface. */
  readonly api: ApiVersion | undefined;
}

/** Parses a base address with or without `/api/v1` or `/api/v2`; throws `invalid_request`. */
export function readAddress(baseUrl: string): BaseAddress {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalidRequest(
      'baseUrl',
      'is not an http or https address; give an address such as http://airflow:8080/api/v1',
    );
  if (url.username !== '' || url.password !== '')
    throw invalidRequest(
      'baseUrl',
      'contains a user name or password; give them as credentials, because addresses are logged',
    );
  if (url.search !== '' || url.hash !== '')
    throw invalidRequest('baseUrl', 'contains a query or a fragment; remove it');
  const path = url.pathname.replace(/\/+$/, '');
  const named = /^(.*)\/api\/(v1|v2)$/.exec(path);
  const api = named?.[2] === 'v1' || named?.[2] === 'v2' ? named[2] : undefined;
  return { root: `${url.origin}${named?.[1] ?? path}/`, api };
}
