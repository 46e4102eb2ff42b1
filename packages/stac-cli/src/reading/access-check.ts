import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { dirname, sep, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { specialRange } from '@headwater/net';
import { realpath } from 'node:fs/promises';
import { ReadError, TargetError } from '../errors.ts';

/** Throws `ReadError` for an address that a command may not request. */
export type AccessCheck = (href: string) => Promise<void>;

/** Permissions that the user grants to a command. */
export interface AccessOptions {
  readonly anyFile?: boolean;
}

/** Names of the address ranges of this machine and of private networks. */
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
 * Creates the access check of a tree with the root `from`. A tree on a public server may link only to public addresses.
 * A tree on a server may not link to files. A tree of files may link to http(s) addresses, and to files in the root's
 * folder (with `anyFile`: to all files).
 */
export function createAccessCheck(from: string, { anyFile = false }: AccessOptions = {}): AccessCheck {
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
    if (href.startsWith('file:')) throw new ReadError(`a document read over HTTP may not link to a file: ${href}`);
    if (!/^https?:/.test(href) || !(await isInside(href)) || (await isInside(from))) return;
    throw new ReadError(
      `${href} is on this machine or in a private network, and a public server may not link there; to read it, pass its address yourself`,
    );
  };
}

/** Checks that a file is in a folder. Real paths are compared, because a symbolic link may lead out of the folder. */
async function checkInFolder(href: string, folder: string): Promise<void> {
  const path = await realPath(fileURLToPath(href));
  if (liesIn(path, folder)) return;
  // The remedy comes first, because the linter cuts long messages.
  throw new ReadError(`outside of the root's folder (--any-file allows it): ${href}`);
}

async function isInsideHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isInsideAddress(host);
  if (/(?:^|\.)localhost\.?$/.test(host)) return true;
  // An unknown name counts as public here. The request then fails and reports the name.
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isInsideAddress(address));
}

const isInsideAddress = (address: string): boolean => INSIDE.has(specialRange(address) ?? '');

const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

/** True if a path is in a folder. Both must be real paths. */
const liesIn = (path: string, folder: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Throws `TargetError` if the target contains the tree or the current directory, because a replacement would delete
 * them.
 */
export async function refuseSourceOrCwd(root: string, target: string): Promise<void> {
  const place = await realPath(resolve(target));
  if (isIn(await realPath(process.cwd()), place))
    throw new TargetError(`${target} is the current directory, or contains it; choose another folder`);
  if (root.startsWith('file:') && isIn(await realPath(fileURLToPath(root)), place))
    throw new TargetError(`${target} contains the tree that is read; choose another target`);
}

const isIn = (path: string, folder: string): boolean => path === folder || liesIn(path, folder);
