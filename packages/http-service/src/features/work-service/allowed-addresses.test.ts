import { describe, expect, it } from 'vitest';
import { allowedAddresses } from './allowed-addresses.ts';

describe('allowedAddresses', () => {
  const isAllowed = allowedAddresses(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32', '::1']);

  it.each(['10.1.0.0', '10.1.255.255', '192.0.2.7', '::ffff:10.1.2.3', '::FFFF:192.0.2.7', '2001:db8:1::5', '::1'])(
    'allows %s',
    (address) => expect(isAllowed(address)).toBe(true),
  );

  it.each([
    '10.2.0.0',
    '192.0.2.8',
    '127.0.0.1',
    '2001:db9::1',
    '::2',
    '::ffff:10.2.0.1',
    '',
    'localhost',
    '10.1.0.0/16',
  ])('refuses %j', (address) => expect(isAllowed(address)).toBe(false));

  it('refuses an unknown address, and ignores the zone of a link-local address', () => {
    expect(isAllowed(undefined)).toBe(false);
    expect(allowedAddresses(['fe80::/10'])('fe80::1%eth0')).toBe(true);
  });

  it('allows every address if the ranges cover all addresses', () => {
    const any = allowedAddresses(['0.0.0.0/0', '::/0']);
    expect(['8.8.8.8', '2001:db8::1'].map(any)).toEqual([true, true]);
  });

  it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/1/2', '::/129', 'example.org', ''])(
    'refuses the text %j and names it',
    (text) => expect(() => allowedAddresses([text])).toThrow(`"${text}" is not an address or range`),
  );
});
