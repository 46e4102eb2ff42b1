import { BlockList, isIP } from 'node:net';

/** True for an address that may call. */
export type AddressTest = (address: string | undefined) => boolean;

/** Creates a test from a list of IP addresses and ranges (CIDR). Throws for other texts. */
export function allowedAddresses(listed: readonly string[]): AddressTest {
  const list = new BlockList();
  for (const each of listed) add(list, each);
  return (address) => {
    const plain = plainAddress(address ?? '');
    const kind = isIP(plain);
    return kind !== 0 && list.check(plain, kind === 4 ? 'ipv4' : 'ipv6');
  };
}

function add(list: BlockList, text: string): void {
  const [address = '', bits, ...more] = text.trim().split('/');
  const kind = isIP(address);
  const most = kind === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (kind === 0 || more.length > 0 || !(prefix <= most))
    throw new Error(
      `workService.addresses: "${text}" is not an address or range; write for example 10.0.0.1, 10.0.0.0/8 or fd00::/8`,
    );
  list.addSubnet(address, prefix, kind === 4 ? 'ipv4' : 'ipv6');
}

/** Removes the zone of a link-local address, and converts an IPv4-mapped IPv6 address to IPv4. */
function plainAddress(address: string): string {
  const [whole = ''] = address.split('%');
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(whole)?.[1] ?? whole;
}
