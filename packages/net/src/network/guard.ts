import { isIP, type LookupFunction } from 'node:net';
import { NetError, shownAddress } from '../errors.ts';
import { specialRange } from './ip-ranges.ts';

/**
 * The lookup for a connection to `url`: names are resolved once, and the connection can only be made to what was checked here, so that
 * a name cannot change its address in between. Throws `input_data` for an IP address that is not public, and gives it to the connection
 * if a name has no public one.
 */
export function guardedLookup(url: URL, lookup: LookupFunction): LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const range = isIP(host) === 0 ? undefined : specialRange(host);
  // A connection to an IP address asks no lookup.
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

/** The error does not name the IP address: it would draw a map of the network inside. */
const notPublic = (url: URL, range: string): NetError =>
  refusal(
    url.href,
    `it leads to a ${range} address and is not asked; use a public address, or let the operator of this service allow ${url.origin}`,
  );

/** An `input_data` error about an address that is not asked, whenever it is met. */
export function refusal(href: string, problem: string): NetError {
  const file = shownAddress(href);
  return new NetError('input_data', `${file}: ${problem}`, { details: { file } });
}
