import { DomainError, publicAddress } from '@headwater/core';
import { readLocalText } from '@headwater/net/files';
import { type Network, transientFailure } from '@headwater/net';
import { parseJson } from '../json-text.ts';
import { isGood, JSON_HEADERS, wellFormed } from './json-response.ts';
import type { Reach } from './static-catalog.ts';

/** Maximum size of a local document, bytes. A catalogue with links to 100,000 Items is smaller. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_JSON_VALUES = 1_000_000;

/**
 * Reads a STAC document from the disk or by http(s). Throws for a missing or invalid document (`input_data` if it is on
 * a server), and `unavailable` without a response.
 */
export async function readJson(href: string, { network, signal, within }: Reach): Promise<unknown> {
  if (/^https?:/i.test(href))
    return network.request({ shown: publicAddress(href), ask: documentRequest(href, network), signal });
  return parseJson(await readLocalText(href, { within, maxBytes: MAX_FILE_BYTES }), MAX_JSON_VALUES);
}

const documentRequest =
  (href: string, network: Network) =>
  async (signal: AbortSignal): Promise<unknown> => {
    const answer = await network.send({ href, headers: JSON_HEADERS }, signal);
    if (isGood(answer)) return wellFormed(answer);
    const failure = transientFailure(answer, network.tools.now());
    if (failure === undefined)
      throw new DomainError(
        'input_data',
        `${answer.shown}: the server responded with HTTP ${answer.status}; check the address and the access rights`,
      );
    return failure;
  };
