import { judgeSettings, type Judged } from './observed.ts';

/** Pixels that the table of confidence is fitted to: the four settings under three seeds. */
export const fitSample = (): readonly Judged[] => [11, 12, 13].flatMap((seed) => judgeSettings(seed, 80));
