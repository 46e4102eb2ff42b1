import { describe, expect, it } from 'vitest';
import { specialRange } from './ip-ranges.ts';

describe('the range of an IP address', () => {
  it.each([
    ['loopback', '127.0.0.1 127.255.255.254 ::1 0:0:0:0:0:0:0:1'],
    ['unspecified', '0.0.0.0 0.1.2.3 ::'],
    ['private', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1'],
    ['link-local', '169.254.169.254 fe80::1 fe80::1%eth0 febf::1'],
    ['carrier-grade NAT', '100.64.0.1 100.127.255.255'],
    ['unique-local', 'fc00::1 fd00:ec2::254 fec0::1'],
    ['multicast', '224.0.0.1 239.255.255.255 ff02::1'],
    [
      'IPv4-in-IPv6',
      '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::127.0.0.1 ::ffff:8.8.8.8 ' +
        '64:ff9b::7f00:1 64:ff9b:1::a00:1 2002:7f00:1:: 2001:0:4136:e378:8000:63bf:3fff:fdd2',
    ],
    [
      'reserved',
      '192.0.0.8 192.0.2.1 198.19.0.1 198.51.100.1 203.0.113.1 240.0.0.1 255.255.255.255 ' +
        '2001:db8::1 2001:20::1 3fff::1 100::1 4000::1 5f00::1 ::ffff:0:127.0.0.1',
    ],
    ['malformed', 'localhost 127.1 1.2.3.4.5 [::1]'],
  ])('%s', (range, addresses) => {
    for (const address of addresses.split(' ')) expect([address, specialRange(address)]).toEqual([address, range]);
  });

  it('is undefined for public addresses, even if they are next to a special range', () => {
    const addresses =
      '8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 ' +
      '169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 223.255.255.255 ' +
      '2606:4700:4700::1111 2a00:1450::1 2003::1 2001:200::1';
    for (const address of addresses.split(' ')) expect([address, specialRange(address)]).toEqual([address, undefined]);
  });
});
