import { describe, expect, it } from 'vitest';
import { addressKey } from './address-key.ts';

describe('addressKey', () => {
  it.each([
    ['10.0.0.1', 'addr:10.0.0.1'],
    ['::ffff:10.0.0.1', 'addr:10.0.0.1'],
    ['::1', 'addr:0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', 'addr:2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::9', 'addr:2001:db8:1:2::/64'],
    ['2001:db8::9', 'addr:2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'addr:fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('cuts a long text that a proxy forwards as an address', () => {
    expect(addressKey('x'.repeat(60_000))).toBe(`addr:${'x'.repeat(64)}`);
  });
});
