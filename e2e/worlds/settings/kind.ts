import type { Dice } from '../second/dice.ts';
import type { CoverByDay } from './covers.ts';
import type { GroundName } from './spectra.ts';

/** One kind of land in a setting (a synthetic landscape). */
export interface Kind {
  readonly name: string;
  /** Number of growth cycles that a map should count in the year; 0 for land that is not a field. */
  readonly cycles: 0 | 1 | 2;
  /** Class codes that are right on a map, the best code first. */
  readonly right: readonly number[];
  readonly grounds: readonly GroundName[];
  readonly leaf: 'crop' | 'tree' | 'grass';
  readonly grow: (dice: Dice) => CoverByDay;
}

/** Ground materials of towns. */
export const TOWN: readonly GroundName[] = ['concrete', 'clayTiles', 'sheets', 'asphalt', 'streetDust'];
