import { realpath, stat } from 'node:fs/promises';
import { DomainError, publicAddress } from '@headwater/core';
import { isLocalFile } from '@headwater/net/files';
import { type Network, transientFailure, type TransientFailure } from '@headwater/net';
import type { DemTile } from './dem-from-item.ts';

/** Existing tile: its address or local path, and a text (`version`) that changes with its content. */
export interface FoundTile {
  readonly href: string;
  readonly version: string;
  readonly synthetic: boolean;
}

/** Network and abort signal of requests for tiles. */
export interface TileAccess {
  readonly network: Network;
  readonly signal: AbortSignal;
}

/**
 * Finds a tile and its version: size and time of a local file, headers of a remote one. Throws `input_data` for a
 * missing or unreadable tile, `unavailable` without a response.
 */
export async function findTile(
  { href, itemVersion, within, synthetic }: DemTile,
  access: TileAccess,
): Promise<FoundTile> {
  if (/^https?:/i.test(href)) {
    const version = await remoteVersion(href, access);
    return { href, version: `${itemVersion}-${version}`, synthetic };
  }
  const version = (await isLocalFile(href, within)) ? await localVersion(href) : undefined;
  if (version === undefined)
    throw new DomainError(
      'input_data',
      `${href} is not a file in an allowed folder; put the file itself, not a link, into the folder`,
    );
  // The returned path has no symbolic link, because a link could be changed after this check.
  const real = within === undefined ? href : await realpath(href);
  return { href: real, version: itemVersion === '' ? version : `${itemVersion}-${version}`, synthetic };
}

async function localVersion(path: string): Promise<string | undefined> {
  const status = await stat(path).catch(() => undefined);
  // Whole milliseconds, as backups store them, so that a restored file has an equal version.
  return status === undefined ? undefined : `${status.size}-${Math.trunc(status.mtimeMs)}`;
}

/** Version of a remote tile, from response headers. Requests one byte with GET, because some servers refuse HEAD. */
function remoteVersion(href: string, { network, signal }: TileAccess): Promise<string> {
  const headers = { range: 'bytes=0-0', 'accept-encoding': 'identity' };
  const ask = async (until: AbortSignal): Promise<string | TransientFailure> => {
    const answer = await network.send({ href, headers }, until);
    answer.discard();
    if (answer.status === 200 || answer.status === 206)
      return JSON.stringify(['etag', 'last-modified', 'content-range'].map((name) => answer.header(name) ?? null));
    const failure = transientFailure(answer, network.tools.now());
    if (failure === undefined)
      throw new DomainError(
        'input_data',
        `${answer.shown}: the server responded with HTTP ${answer.status}; check the address and the access rights`,
      );
    return failure;
  };
  return network.request({ shown: publicAddress(href), ask, signal });
}
