import { realpath, stat } from 'node:fs/promises';
import { DomainError, publicAddress } from '@headwater/core';
import { isLocalFile } from '@headwater/net/files';
import { type Network, transientFailure, type TransientFailure } from '@headwater/net';
import type { DemTile } from './dem-set.ts';

/** A tile that is there: its address with all links followed, and a text that changes when its content does. */
export interface FoundTile {
  readonly href: string;
  readonly version: string;
  readonly synthetic: boolean;
}

/** How tiles are reached. */
export interface TileReach {
  readonly network: Network;
  readonly signal: AbortSignal;
}

/**
 * Finds a tile: a local file by size and time, one behind http(s) by what its server says of it (ETag, time, size). Throws `input_data` for
 * one that is not there or may not be read, `unavailable` where its server stays away.
 */
export async function findTile({ href, said, within, synthetic }: DemTile, reach: TileReach): Promise<FoundTile> {
  if (/^https?:/i.test(href)) {
    const version = await remoteVersion(href, reach);
    return { href, version: `${said}-${version}`, synthetic };
  }
  const version = (await isLocalFile(href, within)) ? await localVersion(href) : undefined;
  if (version === undefined)
    throw new DomainError(
      'input_data',
      `${href} is no file of the folder that it may lie in; put the file itself there`,
    );
  // With a catalogue the file may lie in its folders only, and a link in them must not be turned elsewhere later.
  const real = within === undefined ? href : await realpath(href);
  return { href: real, version: said === '' ? version : `${said}-${version}`, synthetic };
}

async function localVersion(path: string): Promise<string | undefined> {
  const status = await stat(path).catch(() => undefined);
  return status === undefined ? undefined : `${status.size}-${status.mtimeMs}`;
}

/** One byte is asked for, since some servers refuse HEAD where they allow GET. */
function remoteVersion(href: string, { network, signal }: TileReach): Promise<string> {
  const headers = { range: 'bytes=0-0', 'accept-encoding': 'identity' };
  const ask = async (until: AbortSignal): Promise<string | TransientFailure> => {
    const answer = await network.send({ href, headers }, until);
    answer.discard();
    if (answer.status === 200 || answer.status === 206)
      return JSON.stringify(['etag', 'last-modified', 'content-range'].map((name) => answer.header(name) ?? null));
    const may = transientFailure(answer, network.tools.now());
    if (may === undefined) throw new DomainError('input_data', `${answer.shown} answered ${answer.status}`);
    return may;
  };
  return network.request({ shown: publicAddress(href), ask, signal });
}
