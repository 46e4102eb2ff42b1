import { DomainError, publicAddress } from '@headwater/core';
import { readLocalText } from '@headwater/net/files';
import { type NetResponse, type Network, transientFailure } from '@headwater/net';
import { parseJson } from '../json-text.ts';
import { isGood, jsonOf, JSON_HEADERS } from './json-answer.ts';
import type { Reach } from './static-catalog.ts';

/** Largest STAC document on the own disk, bytes: a catalogue that links 100,000 Items. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_JSON_VALUES = 1_000_000;

/** A STAC document of the own disk or behind http(s). Throws `input_data` for one that is none, `unavailable` where its server stays away. */
export async function readJson(href: string, { network, signal, within }: Reach): Promise<unknown> {
  if (/^https?:/i.test(href))
    return network.request({ shown: publicAddress(href), ask: asking(href, network), signal });
  return parseJson(await readLocalText(href, { within, maxBytes: MAX_FILE_BYTES }), MAX_JSON_VALUES);
}

/** The document; what may pass is told as such. Throws `input_data` for any other answer. */
const asking =
  (href: string, network: Network) =>
  async (signal: AbortSignal): Promise<unknown> => {
    const answer = await network.send({ href, headers: JSON_HEADERS }, signal);
    if (isGood(answer)) return wellFormed(answer);
    const may = transientFailure(answer, network.tools.now());
    if (may === undefined) throw new DomainError('input_data', `${answer.shown} answered ${answer.status}`);
    return may;
  };

/** Asking again for what is no JSON would give the same. */
async function wellFormed(answer: NetResponse): Promise<unknown> {
  try {
    return await jsonOf(answer);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DomainError('input_data', `${answer.shown}: its answer is no JSON`, { cause: error });
  }
}
