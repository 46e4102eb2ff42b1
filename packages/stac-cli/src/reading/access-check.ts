import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { dirname, sep, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { specialRange } from '@headwater/net';
import { realpath } from 'node:fs/promises';
import { ReadError, TargetError } from '../errors.ts';

/** Checks that a command may request an address. Rejects with `ReadError` otherwise. */
export type AccessCheck = (href: string) => Promise<void>;

/** Permissions of the user for a command. */
export interface AccessOptions {
  /** True if documents in files may link to files outside of the root's folder. */
  readonly anyFile?: boolean;
}

/**
 * Kinds of IP addresses that may lead to this machine or to a private network. An IPv4 address in an IPv6 address also
 * counts.
 */
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
 * Creates the access check for a command that starts at `from`. The user may name a server on this machine or in a private network; links
 * of such a server may lead to any server. A public server may only link to public addresses. A document read over HTTP may not link to a
 * file. A document in a file may only link to files in the folder of the root or below this folder, because the tree may come from an
 * unknown author. The user can allow links to any file (`anyFile`).
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

/**
 * Rejects a file outside of the folder. Real paths are compared, because a symbolic link in the folder may lead out of
 * the folder.
 */
async function checkInFolder(href: string, folder: string): Promise<void> {
  const path = await realPath(fileURLToPath(href));
  if (liesIn(path, folder)) return;
  // The remedy comes first, because the linter shortens long messages.
  throw new ReadError(`outside of the root's folder (--any-file allows it): ${href}`);
}

async function isInsideHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isInsideAddress(host);
  if (/(?:^|\.)localhost\.?$/.test(host)) return true;
  // An unknown name is ignored here, because the request itself reports it.
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isInsideAddress(address));
}

const isInsideAddress = (address: string): boolean => INSIDE.has(specialRange(address) ?? '');

/** The path with symbolic links resolved; the path itself if nothing exists at the path. */
const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

/** True if a path is below a folder. The path and the folder must be real paths. */
const liesIn = (path: string, folder: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Rejects with `TargetError` if replacing the target would delete the root of the tree or the current directory. This
 * check is necessary in addition to the check that the target is a former export, because the tree itself may be a
 * former export.
 */
export async function refuseSourceOrCwd(root: string, target: string): Promise<void> {
  const place = await realPath(resolve(target));
  if (isIn(await realPath(process.cwd()), place))
    throw new TargetError(`${target} is the current directory, or contains it; choose another folder`);
  if (root.startsWith('file:') && isIn(await realPath(fileURLToPath(root)), place))
    throw new TargetError(`${target} contains the tree that is read; choose another target`);
}

const isIn = (path: string, folder: string): boolean => path === folder || liesIn(path, folder);
