import type { Dataset, District, Mws, State, Tehsil, Village } from '../ports/places.ts';

/** The directory as lists of rows. */
export interface PlaceTables {
  /** The last id of each level: none is given again. */
  readonly lastIds: Map<readonly State[], number>;
  readonly states: State[];
  readonly districts: District[];
  readonly tehsils: Tehsil[];
  readonly mws: Map<number, readonly Mws[]>;
  readonly villages: Map<number, readonly Village[]>;
  readonly datasets: Dataset[];
  /** Ids of tehsils. */
  readonly imported: Set<number>;
  /** Units that an operator made inactive, by `keyOf`. */
  readonly staysInactive: Set<string>;
}
