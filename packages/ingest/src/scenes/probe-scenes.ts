import { countOf } from '@headwater/core/values';
import { DomainError, type EarthObservation, messageOf } from '@headwater/core';
import { Network } from '@headwater/net';
import { withoutUser } from './href.ts';
import { JSON_HEADERS } from './json-response.ts';

/** Sources of scenes for a probe. */
export interface ProbedSources {
  readonly catalogues: () => Promise<readonly string[]>;
  readonly api?: { readonly url: string } | undefined;
}

/** Time for which the result of a request for the landing page is reused, ms. */
const REST_MS = 60_000;
const PATIENCE_MS = 5000;

/**
 * Creates a check of the sources. The check throws `no_scenes` if there is neither a catalogue nor an API, and
 * `unavailable` if the API does not respond or responds with 5xx.
 */
export function createScenesProbe({ catalogues, api }: ProbedSources): NonNullable<EarthObservation['probe']> {
  let last: { readonly atMs: number; readonly answer: Promise<void> } | undefined;
  return async () => {
    const found = await catalogues();
    if (api === undefined) {
      if (found.length === 0)
        throw new DomainError('no_scenes', 'there is no catalogue of scenes and no STAC API; add one of them');
      return countOf(found.length, 'catalogue');
    }
    const now = performance.now();
    if (last === undefined || now - last.atMs >= REST_MS) last = { atMs: now, answer: requestLandingPage(api) };
    await last.answer;
    return `${countOf(found.length, 'catalogue')} and the STAC API ${new URL(api.url).host}, which responds`;
  };
}

async function requestLandingPage({ url }: NonNullable<ProbedSources['api']>): Promise<void> {
  const { host, origin } = new URL(url);
  const network = new Network({ settings: { allowedOrigins: [origin] } });
  try {
    const answer = await network.send(
      { href: withoutUser(url), headers: JSON_HEADERS },
      AbortSignal.timeout(PATIENCE_MS),
    );
    answer.discard();
    // A status 4xx is no error, because the API may allow searches although it refuses the landing page.
    if (answer.status >= 500) throw new Error(`it responded with HTTP ${answer.status}`);
  } catch (error) {
    const why = messageOf(error);
    throw new DomainError('unavailable', `the STAC API ${host} is not available: ${why}`, { cause: error });
  }
}
