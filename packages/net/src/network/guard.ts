import { isIP, type LookupFunction } from 'node:net';
import { NetError, shownAddress } from '../errors.ts';
import { specialRange } from './ip-ranges.ts';

/**
 * Builds the lookup for a connection to `url`: a name is resolved once, and the connection can only go to the checked address, so a name
 * cannot change its address in between. Throws `input_data` for an IP address that is not public; the connection fails with it if a name
 * has no public address.
 */
export function guardedLookup(url: URL, lookup: LookupFunction): LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const range = isIP(host) === 0 ? undefined : specialRange(host);
  // A connection to an IP address makes no lookup.
  if (range !== undefined) throw notPublic(url, range);
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const open = addresses.filter(({ address }) => specialRange(address) === undefined);
      const [first] = open;
      if (first === undefined) return callback(notPublic(url, specialRange(addresses[0]?.address ?? '') ?? ''), []);
      if (options.all === true) return callback(null, open);
      return callback(null, first.address, first.family);
    });
  };
}

/** The error does not contain the IP address, which would reveal the internal network. */
const notPublic = (url: URL, range: string): NetError =>
  refusal(
    url.href,
    `it leads to a ${range} address and is not asked; use a public address, or let the operator of this service allow ${url.origin}`,
  );

/** An `input_data` error about an address that must not be requested. */
export function refusal(href: string, problem: string): NetError {
  const file = shownAddress(href);
  return new NetError('input_data', `${file}: ${problem}`, { details: { file } });
}
