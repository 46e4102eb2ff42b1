import type { Dice } from '../second/dice.ts';
import type { CoverByDay } from './covers.ts';
import type { GroundName } from './spectra.ts';

/** One kind of land in a setting: what it truly is, which codes of a map are right for it, and how it grows. */
export interface Kind {
  readonly name: string;
  /** Growth cycles in the year that a map should count; 0 for land that is no field. */
  readonly cycles: 0 | 1 | 2;
  /** Class codes that are right; the first is the best. */
  readonly right: readonly number[];
  readonly grounds: readonly GroundName[];
  readonly leaf: 'crop' | 'tree' | 'grass';
  readonly grow: (dice: Dice) => CoverByDay;
}

/** What towns are built of. */
export const TOWN: readonly GroundName[] = ['concrete', 'clayTiles', 'sheets', 'asphalt', 'streetDust'];
