import type { NamedFacts } from './scene-names.ts';
import type { GivenRadiometry, Radiometry } from './own-scene.ts';
import type { SafeMetadata } from './safe-metadata.ts';

/** Reflectance per digital number in Sentinel-2 L2A. */
export const DEFAULT_SCALE = 0.0001;
/** First processing baseline with an offset, and its first day (ESA: 25 January 2022). */
const OFFSET_BASELINE = '04.00';
const OFFSET = -1000;
const OFFSET_SINCE = '2022-01-25';

const offsetOf = (baseline: string): number => (baseline >= OFFSET_BASELINE ? OFFSET : 0);

/** Conversion by a product's metadata; undefined if the metadata have neither offsets nor a baseline. */
export function metadataRadiometry({ baseline, offsets, quantification }: SafeMetadata): Radiometry | undefined {
  const scale = quantification === undefined || quantification <= 0 ? DEFAULT_SCALE : 1 / quantification;
  const known = baseline === undefined ? {} : { baseline };
  if (offsets.size > 0) return { basis: 'metadata', ...known, scale, offset: offsets };
  return baseline === undefined ? undefined : { basis: 'metadata', baseline, scale, offset: offsetOf(baseline) };
}

/**
 * Conversion for files without metadata: by the user's choice, a baseline in the names, or a day before `OFFSET_SINCE`
 * (no offset). Otherwise, the offset is unknown. Runs do not use a scene with an unknown offset (decision 027).
 */
export function looseRadiometry(
  { baseline, day = OFFSET_SINCE }: Pick<NamedFacts, 'baseline' | 'day'>,
  given: GivenRadiometry,
): Radiometry {
  const scale = DEFAULT_SCALE;
  if (given.offset !== undefined) return { basis: 'given', scale, offset: given.offset };
  if (given.baseline !== undefined)
    return { basis: 'given', scale, baseline: given.baseline, offset: offsetOf(given.baseline) };
  if (baseline !== undefined) return { basis: 'name', scale, baseline, offset: offsetOf(baseline) };
  return { basis: day < OFFSET_SINCE ? 'day' : 'unknown', scale };
}
