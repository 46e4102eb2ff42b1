import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isDomainError, publicAddress } from '@headwater/core/errors';
import { type Network, type TransientFailure, transientFailure } from '@headwater/net';
import { authorization, withoutUser } from '../scenes/href.ts';

/** Bytes of a checksum's file that are read at most: lists of many files are longer than what is of use here. */
const MOST_BYTES = 65_536;

/** Hex SHA-256 of a file on the disk, as it was written there. */
export async function sha256OfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { signal, highWaterMark: 1_000_000 })) {
    const bytes: Uint8Array = piece;
    hash.update(bytes);
  }
  return hash.digest('hex');
}

/**
 * The checksum that lies beside a file, under its address with `.sha256` at the end, as `sha256sum` writes it; undefined where none does.
 * Throws `unavailable` where the server does not answer.
 */
export async function checksumBeside(url: string, network: Network, signal: AbortSignal): Promise<string | undefined> {
  const address = new URL(withoutUser(url));
  const name = address.pathname.slice(address.pathname.lastIndexOf('/') + 1);
  address.pathname += '.sha256';
  const ask = async (until: AbortSignal): Promise<string | TransientFailure> => {
    const answer = await network.send({ href: address.href, headers: {}, ...authorization(url, address.href) }, until);
    if (answer.status === 200) return Buffer.from(await answer.bytes(MOST_BYTES)).toString();
    answer.discard();
    return transientFailure(answer, network.tools.now()) ?? '';
  };
  try {
    return checksumIn(await network.request({ shown: publicAddress(address.href), signal, ask }), name);
  } catch (error) {
    // Nobody promised that there is one: whatever is not asked, or is no such list, is none.
    if (isDomainError(error) && error.code === 'input_data') return undefined;
    throw error;
  }
}

/** The line of this file among several, or the only one. */
function checksumIn(text: string, name: string): string | undefined {
  const lines = text.split('\n').flatMap((line) => {
    const [, sum, file] = /^\s*([0-9a-f]{64})(?:\s+\*?(.*\S))?\s*$/i.exec(line) ?? [];
    return sum === undefined ? [] : [{ sum: sum.toLowerCase(), file }];
  });
  return (lines.length === 1 ? lines[0] : lines.find(({ file }) => file === name))?.sum;
}
