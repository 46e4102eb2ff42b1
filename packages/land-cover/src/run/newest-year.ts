import type { Box, InputPorts, ResolvePorts } from '@headwater/core';
import { FIRST_YEAR, lastCompleteYear } from '../series/series.ts';
import { isThin, type LulcSettings, periodOf, readYear } from './year-scenes.ts';

interface YearTools {
  readonly ports: Pick<InputPorts, 'earthObservation'> & Pick<ResolvePorts, 'now'>;
  readonly settings: LulcSettings;
  readonly signal: AbortSignal;
}

/**
 * Finds the newest complete hydrological year with enough scenes; undefined if there is none. Throws the errors of the
 * search.
 */
export async function newestYear(box: Box, { ports, settings, signal }: YearTools): Promise<number | undefined> {
  for (let year = lastCompleteYear(ports.now()); year >= FIRST_YEAR; year -= 1) {
    const { scenes } = await ports.earthObservation.search({ bbox: box, ...periodOf([year]), signal });
    if (!isThin(readYear(year, scenes, { ...settings, box }))) return year;
  }
  return undefined;
}
