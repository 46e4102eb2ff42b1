import { countOf } from '@headwater/core/values';
import { DomainError, type EarthObservation, messageOf } from '@headwater/core';
import { Network } from '@headwater/net';
import { withoutUser } from './href.ts';
import { JSON_HEADERS } from './json-answer.ts';

/** Sources of scenes, as a probe sees them. */
export interface ProbedSources {
  /** Catalogues that lie there now. */
  readonly catalogues: () => Promise<readonly string[]>;
  readonly api?: { readonly url: string } | undefined;
}

/** An API is asked for its landing page at most once in this time, ms, however often the probe is. */
const REST_MS = 60_000;
const PATIENCE_MS = 5000;

/**
 * Makes the probe of these sources. Throws `no_scenes` where there is neither a catalogue nor an API, `unavailable` when the API does
 * not answer.
 */
export function createScenesProbe({ catalogues, api }: ProbedSources): NonNullable<EarthObservation['probe']> {
  let asked: { readonly atMs: number; readonly answer: Promise<void> } | undefined;
  return async () => {
    const found = await catalogues();
    if (api === undefined) {
      if (found.length === 0) throw new DomainError('no_scenes', 'no catalogue of scenes and no STAC API');
      return countOf(found.length, 'catalogue');
    }
    const now = performance.now();
    if (asked === undefined || now - asked.atMs >= REST_MS) asked = { atMs: now, answer: askLandingPage(api) };
    await asked.answer;
    return `${countOf(found.length, 'catalogue')} and the STAC API ${new URL(api.url).host}, which answers`;
  };
}

async function askLandingPage({ url }: NonNullable<ProbedSources['api']>): Promise<void> {
  const { host, origin } = new URL(url);
  const network = new Network({ settings: { allowedOrigins: [origin] } });
  try {
    const answer = await network.send(
      { href: withoutUser(url), headers: JSON_HEADERS },
      AbortSignal.timeout(PATIENCE_MS),
    );
    answer.discard();
    // A refusal is an answer too: whether searching is allowed shows at the first search.
    if (answer.status >= 500) throw new Error(`it answered ${answer.status}`);
  } catch (error) {
    const why = messageOf(error);
    throw new DomainError('unavailable', `the STAC API ${host} does not answer: ${why}`, { cause: error });
  }
}
