import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { liesIn, realPath } from '../real-path.ts';
import { ReadError } from './read-error.ts';

/** Whether an address may be asked for in the course of a reading. Rejects with `ReadError` where it may not. */
export type Reach = (href: string) => Promise<void>;

/** What a person allows a reading beyond what is usual. */
export interface ReachOptions {
  /** Documents in files may name files outside of the root's folder. */
  readonly anyFile?: boolean;
}

/** What only this machine or the network around it can reach (RFC 6890, RFC 6598, RFC 4193); mapped forms are looked up too. */
const INSIDE: readonly (readonly [net: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
];

const inside = new BlockList();
for (const each of INSIDE) inside.addSubnet(...each);

/**
 * Where a reading that begins at this address may go. A person may name a server of this machine or of the network around it, and what
 * that one says is followed; what a public server says leads to public addresses only, and what came over HTTP never to a file. What lies in a file leads to files of
 * the root's folder and those below it, unless the person says that it may name any: a tree may come from somebody else.
 */
export function reachFrom(from: string, { anyFile = false }: ReachOptions = {}): Reach {
  const known = new Map<string, Promise<boolean>>();
  const isInside = (href: string): Promise<boolean> => {
    const { hostname } = new URL(href);
    const there = known.get(hostname) ?? isInsideHost(hostname);
    known.set(hostname, there);
    return there;
  };
  const startsAtFile = from.startsWith('file:');
  let folder: Promise<string> | undefined;
  return async (href) => {
    if (startsAtFile) {
      if (anyFile || href === from || !href.startsWith('file:')) return;
      folder ??= realPath(dirname(fileURLToPath(from)));
      return checkInFolder(href, await folder);
    }
    if (href.startsWith('file:')) throw new ReadError(`what was read over HTTP may not lead to a file: ${href}`);
    if (!/^https?:/.test(href) || !(await isInside(href)) || (await isInside(from))) return;
    throw new ReadError(
      `${href} lies on this machine or in a private network, where a public server may not lead; to read it, name it yourself`,
    );
  };
}

/** By where files really lie: a link in the folder may lead out of it. */
async function checkInFolder(href: string, folder: string): Promise<void> {
  const path = await realPath(fileURLToPath(href));
  if (liesIn(path, folder)) return;
  // The remedy first: linters show no more of a reason than its beginning.
  throw new ReadError(`outside of the root's folder (--any-file allows it): ${href}`);
}

async function isInsideHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isInsideAddress(host);
  if (/(?:^|\.)localhost\.?$/.test(host)) return true;
  // A name that nobody knows is told by the request itself.
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isInsideAddress(address));
}

const isInsideAddress = (address: string): boolean => inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
