import { judgeSettings, type Judged, SETTINGS } from './observed.ts';

/** Seeds of the pixels to which the table of confidence is fitted. */
const SEEDS = [11, 12, 13];
const EACH = 80;

/** Pixels to which the table of confidence is fitted, by setting. */
export type FitSample = Readonly<Record<(typeof SETTINGS)[number], readonly Judged[]>>;

/** Returns pixels of the four settings under three seeds. */
export function fitSample(): FitSample {
  const all = SEEDS.map((seed) => judgeSettings(seed, EACH));
  const of = (name: keyof FitSample): readonly Judged[] => all.map((settings) => settings[name]);
  return { steppe: of('steppe'), tropics: of('tropics'), deccan: of('deccan'), plain: of('plain') };
}

/** Returns the pixels of all settings except one. */
export const without = (sample: FitSample, name: keyof FitSample): readonly Judged[] =>
  SETTINGS.filter((other) => other !== name).flatMap((other) => sample[other]);
