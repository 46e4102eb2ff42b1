import { dayOf, monthOf, SIDE } from './calendar.ts';
import { Dice } from './dice.ts';

/** The sky over the square during one pass. */
export interface Weather {
  /** Scene-classification code of the cloud or shadow over each pixel; 0 = the ground is visible. */
  readonly code: Uint8Array;
  /** Cloud share of each pixel, 0-1, including clouds that are missing in `code`. */
  readonly cloud: Float32Array;
  /** Reflectance that haze adds in the blue band, as the mean over the square. */
  readonly haze: number;
  /** 1 for pixels in the shadow of a cloud, including shadows that are missing in `code`. */
  readonly shade: Uint8Array;
}

const CODES = { shadow: 3, medium: 8, high: 9, cirrus: 10 } as const;

/** Shares of overcast and clear passes by month; other passes are partly cloudy. */
const SKIES: Readonly<Record<number, readonly [overcast: number, open: number]>> = {
  6: [0.4, 0.25],
  7: [0.68, 0.04],
  8: [0.66, 0.05],
  9: [0.4, 0.2],
  10: [0.12, 0.6],
  5: [0.08, 0.6],
};

/** Outages of sensor or ground segment, without any scene. */
const OUTAGES: readonly (readonly [string, string])[] = [
  ['2019-12-12', '2020-01-21'],
  ['2021-05-24', '2021-06-24'],
];

/** Returns true for a day of an outage. */
export const isLost = (day: number): boolean => OUTAGES.some(([from, to]) => day >= dayOf(from) && day < dayOf(to));

/** Draws the sky of a day: clouds, shadows and winter haze. Some clouds and rims are missing in `code`. */
export function weatherOn(day: number, seed: number): Weather {
  const dice = new Dice('sky', day, seed);
  const month = monthOf(day);
  const [overcast, open] = SKIES[month] ?? [0.07, 0.72];
  const [code, shade] = [new Uint8Array(SIDE * SIDE), new Uint8Array(SIDE * SIDE)];
  const cloud = new Float32Array(SIDE * SIDE);
  const luck = dice.next();
  if (luck < overcast) {
    code.fill(CODES.high);
    cloud.fill(1);
  } else if (luck < 1 - open) {
    const count = Math.round(dice.within(2, 22));
    for (let i = 0; i < count; i++) puff({ code, cloud, shade }, dice);
  }
  const smog = (month >= 11 || month <= 2) && dice.hits(0.4);
  return { code, cloud, shade, haze: smog ? dice.within(0.015, 0.06) : dice.within(0, 0.012) };
}

type Sheet = Omit<Weather, 'haze'>;

function puff({ code, cloud, shade }: Sheet, dice: Dice): void {
  const [top, left] = [dice.within(-10, SIDE + 10), dice.within(-10, SIDE + 10)];
  const radius = 3 + 22 * dice.next() ** 2;
  const seenTo = dice.within(0.9, 1.15);
  const fall = dice.within(6, 14);
  overDisc([top, left], radius * 1.25, (pixel, reach) => {
    const thick = Math.min(1, Math.max(0, (1.25 - reach) / 0.45));
    cloud[pixel] = Math.max(cloud[pixel] ?? 0, thick);
    if (reach < seenTo) code[pixel] = reach < 0.6 ? CODES.high : reach < 0.9 ? CODES.medium : CODES.cirrus;
  });
  overDisc([top - fall, left - fall], radius, (pixel, reach) => {
    shade[pixel] = 1;
    if (reach < seenTo - 0.1 && code[pixel] === 0) code[pixel] = CODES.shadow;
  });

  function overDisc(
    [row0, col0]: readonly [number, number],
    most: number,
    visit: (pixel: number, reach: number) => void,
  ): void {
    for (let row = Math.max(0, Math.floor(row0 - most)); row < Math.min(SIDE, row0 + most); row++)
      for (let col = Math.max(0, Math.floor(col0 - most)); col < Math.min(SIDE, col0 + most); col++) {
        const reach = Math.hypot(row - row0, col - col0) / radius;
        if (reach * radius < most) visit(row * SIDE + col, reach);
      }
  }
}
