import { isIP, type LookupFunction } from 'node:net';
import { NetError, shownAddress } from '../errors.ts';
import { specialRange } from './ip-ranges.ts';

/**
 * Builds the lookup function for a connection to `url`. A name is resolved only once, and the connection can use only the checked address, so that
 * another resolution cannot return another address. Throws `input_data` for an IP address that is not public. If a name has no public address, the
 * connection fails with the same error.
 */
export function guardedLookup(url: URL, lookup: LookupFunction): LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const range = isIP(host) === 0 ? undefined : specialRange(host);
  // Checked here, because a connection to an IP address makes no lookup.
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

/** Creates the error. The error does not contain the IP address, which would reveal the internal network. */
const notPublic = (url: URL, range: string): NetError =>
  refusal(
    url.href,
    `it leads to a ${range} address, to which no requests are sent; use a public address, or let the operator of this service allow ${url.origin}`,
  );

/** An `input_data` error about an address that must not be requested. */
export function refusal(href: string, problem: string): NetError {
  const file = shownAddress(href);
  return new NetError('input_data', `${file}: ${problem}`, { details: { file } });
}
