/** Maximum length, because a proxy may forward any text as an address. */
const MAX_LENGTH = 64;

/**
 * Key of an address for limits: the IPv4 address, or the /64 of an IPv6 address. A /64 usually belongs to one customer.
 */
export function addressKey(address: string): string {
  const plain = address
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return `addr:${plain}`;
  const [head = '', tail = ''] = plain.replace(/%.*$/, '').split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const zeros = plain.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `addr:${groups.slice(0, 4).map(trimZeros).join(':')}::/64`;
}

function trimZeros(group: string): string {
  return group.replace(/^0+(?=.)/, '');
}
