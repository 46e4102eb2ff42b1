import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { specialRange } from '@headwater/net';
import { liesIn, realPath } from '../real-path.ts';
import { ReadError } from './read-error.ts';

/** Whether an address may be asked for in the course of a reading. Rejects with `ReadError` where it may not. */
export type Reach = (href: string) => Promise<void>;

/** What a person allows a reading beyond what is usual. */
export interface ReachOptions {
  /** Documents in files may name files outside of the root's folder. */
  readonly anyFile?: boolean;
}

/** Ranges that only this machine or the network around it can reach, or that may hide such an address. */
const INSIDE = new Set([
  'loopback',
  'unspecified',
  'private',
  'link-local',
  'carrier-grade NAT',
  'unique-local',
  'IPv4-in-IPv6',
]);

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

const isInsideAddress = (address: string): boolean => INSIDE.has(specialRange(address) ?? '');
