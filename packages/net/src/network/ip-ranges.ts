import { BlockList, isIP, isIPv6 } from 'node:net';

/** Special-purpose ranges (IANA registries) by name; the first match is used. Their addresses are not public. */
const RANGES = {
  loopback: '127.0.0.0/8 ::1/128',
  unspecified: '0.0.0.0/8 ::/128',
  private: '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16',
  'link-local': '169.254.0.0/16 fe80::/10',
  'carrier-grade NAT': '100.64.0.0/10',
  'unique-local': 'fc00::/7 fec0::/10',
  multicast: '224.0.0.0/4 ff00::/8',
  'IPv4-in-IPv6': '::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16',
  reserved:
    '192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 ' +
    '2001::/23 2001:db8::/32 3fff::/20',
} as const;

/** Range of all public IPv6 addresses. It includes special ranges, which are therefore checked first. */
const GLOBAL_UNICAST = blockList('2000::/3', 'ipv6');

// Each address family has its own list. In a common `BlockList`, IPv4 addresses would match rules for IPv4-mapped IPv6.
const LISTS = Object.entries(RANGES).map(([name, subnets]) => ({
  name,
  v4: blockList(subnets, 'ipv4'),
  v6: blockList(subnets, 'ipv6'),
}));

function blockList(subnets: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(' ')) {
    const [net = '', prefix] = subnet.split('/');
    if (isIPv6(net) === (family === 'ipv6')) list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

/** Special range of an IP address (`loopback`, `private`, ...); undefined if public; `malformed` for other texts. */
export function specialRange(address: string): string | undefined {
  const [ip = ''] = address.split('%');
  const family = isIP(ip);
  if (family === 0) return 'malformed';
  if (family === 4) return LISTS.find(({ v4 }) => v4.check(ip))?.name;
  const found = LISTS.find(({ v6 }) => v6.check(ip, 'ipv6'))?.name;
  return found ?? (GLOBAL_UNICAST.check(ip, 'ipv6') ? undefined : 'reserved');
}
