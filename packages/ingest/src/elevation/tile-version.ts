import { realpath, stat } from 'node:fs/promises';
import { DomainError, publicAddress } from '@headwater/core';
import { isLocalFile } from '@headwater/net/files';
import { type Network, transientFailure, type TransientFailure } from '@headwater/net';
import type { DemTile } from './dem-from-item.ts';

/** An existing tile: its address with all links resolved, and a text that changes if the content of the tile changes. */
export interface FoundTile {
  readonly href: string;
  readonly version: string;
  readonly synthetic: boolean;
}

/** Network and abort signal for requests for tiles. */
export interface TileAccess {
  readonly network: Network;
  readonly signal: AbortSignal;
}

/**
 * Finds a tile and its version. The version of a local file is its size and time. The version of an http(s) file comes from its headers (ETag,
 * time, size). Throws `input_data` for a tile that is missing or not readable, and `unavailable` if the server of the tile does not respond.
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
  // A file of a catalogue must be in an allowed folder. A link could be changed after this check, so the returned path
  // contains no link.
  const real = within === undefined ? href : await realpath(href);
  return { href: real, version: itemVersion === '' ? version : `${itemVersion}-${version}`, synthetic };
}

async function localVersion(path: string): Promise<string | undefined> {
  const status = await stat(path).catch(() => undefined);
  // A backup stores times as whole milliseconds. So the version contains whole milliseconds, and a restored file has
  // the same version.
  return status === undefined ? undefined : `${status.size}-${Math.trunc(status.mtimeMs)}`;
}

/** Version of a remote file. Requests one byte with GET, because some servers refuse HEAD requests. */
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
