import type { SampleJob } from './compute-layer.ts';
import type { SmallService } from './small-service.fixture.ts';

/** The job that a first start computes. */
export async function sampleJobOf({ headwater: { stores } }: Pick<SmallService, 'headwater'>): Promise<SampleJob> {
  const owner = await stores.users.byUsername('asha');
  const [state] = await stores.places.states();
  const [district] = await stores.places.districts(state?.id ?? 0);
  const [tehsil] = await stores.places.tehsils(district?.id ?? 0);
  const place = await stores.places.placeOfTehsil(tehsil?.id ?? 0);
  if (owner === undefined || place === undefined) throw new Error('the service has no place');
  return { place, years: [2021, 2023], accountId: 1, owner };
}
