import type { Dice } from '../second/dice.ts';

/**
 * Climate of a setting. `clear`: shares of clear passes by month, from July to June. `snow`: period in which snow
 * begins to lie, days from 1 July.
 */
interface Climate {
  readonly clear: readonly number[];
  readonly snow?: readonly [from: number, to: number];
  /** Degrees, north positive. */
  readonly latitude: number;
  /** A cloudy gap: length (days), and the period that contains it (days from 1 July). */
  readonly gap?: { readonly days: readonly [number, number]; readonly within: readonly [number, number] };
}

/** Climates of the settings; clear shares are rounded from Wilson and Jetz 2016 (doi:10.1371/journal.pbio.1002415). */
export const CLIMATES = {
  steppe: {
    latitude: 41,
    clear: [0.8, 0.85, 0.85, 0.7, 0.55, 0.4, 0.35, 0.35, 0.4, 0.45, 0.6, 0.75],
    snow: [165, 235],
  },
  tropics: {
    latitude: -13,
    clear: [0.85, 0.8, 0.55, 0.35, 0.25, 0.18, 0.15, 0.18, 0.22, 0.4, 0.6, 0.8],
    gap: { days: [20, 80], within: [130, 270] },
  },
  deccan: {
    latitude: 17,
    clear: [0.1, 0.12, 0.2, 0.5, 0.75, 0.85, 0.9, 0.9, 0.85, 0.8, 0.7, 0.3],
    gap: { days: [30, 100], within: [-20, 100] },
  },
  plain: {
    latitude: 50,
    clear: [0.4, 0.42, 0.4, 0.3, 0.18, 0.12, 0.12, 0.2, 0.3, 0.38, 0.4, 0.4],
    snow: [170, 250],
    gap: { days: [10, 60], within: [120, 240] },
  },
} as const satisfies Record<string, Climate>;

/** Name of one of the four settings. */
export type SettingName = keyof typeof CLIMATES;

/** One clear observation. Shares of light: `haze` comes from thin cloud, `shade` is removed by undetected shadow. */
export interface Look {
  readonly day: number;
  readonly snow: boolean;
  readonly haze: number;
  readonly shade: number;
}

const REVISIT = 5;

/** Draws the days on which a pixel is observed, from 70 days before to 70 days after the year. */
export function looksOf(name: SettingName, dice: Dice): readonly Look[] {
  const { clear, snow, gap }: Climate = CLIMATES[name];
  const looks: Look[] = [];
  const first = Math.floor(dice.within(0, REVISIT));
  const dark = gap === undefined ? [0, 0] : gapOf(gap, dice);
  const snowy =
    snow === undefined
      ? []
      : [0, 1].map(() => {
          const from = dice.within(...snow);
          return [from, from + dice.within(0, 35)] as const;
        });
  for (let day = -70 + first; day < 435; day += REVISIT) {
    const month = Math.floor(((((day % 365) + 365) % 365) / 365) * 12);
    const isClear = dice.hits(clear[month] ?? 0);
    const haze = dice.hits(0.04) ? dice.within(0.08, 0.35) : 0;
    const shade = dice.hits(0.02) ? dice.within(0.3, 0.6) : 0;
    if (!isClear || (day >= (dark[0] ?? 0) && day < (dark[1] ?? 0))) continue;
    looks.push({ day, snow: snowy.some(([from, to]) => day >= from && day < to), haze, shade });
  }
  return looks;
}

function gapOf({ days, within }: NonNullable<Climate['gap']>, dice: Dice): readonly [number, number] {
  const length = dice.within(...days);
  const from = dice.within(within[0], Math.max(within[0], within[1] - length));
  return [from, from + length];
}
