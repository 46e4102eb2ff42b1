import type { Place } from '@headwater/core';
import type { User } from '@headwater/identity';

/** What a start computes of the sample. */
export interface SampleJob {
  readonly place: Place;
  readonly years: readonly [number, number];
  readonly accountId: number;
  readonly owner: User;
  /** An orchestrator computes it, whose results answer no later request (decision 125). */
  readonly isOrchestrated?: boolean;
}

/** What requests of pipelines may ask for: the place by its names, the years and the account. */
export const membersOf = ({ place, years, accountId }: SampleJob) => ({
  state: place.state.name,
  district: place.district.name,
  tehsil: place.tehsil.name,
  startYear: years[0],
  endYear: years[1],
  eoAccountId: accountId,
});
