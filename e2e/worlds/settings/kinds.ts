import { DECCAN } from './deccan.ts';
import { PLAIN } from './plain.ts';
import { STEPPE } from './steppe.ts';
import { TROPICS } from './tropics.ts';

/** All kinds of land, by setting. */
export const KINDS = { steppe: STEPPE, tropics: TROPICS, deccan: DECCAN, plain: PLAIN } as const;
