import type { Dice } from '../second/dice.ts';
import { type CoverByDay, type GrowingSeason, sown, wild } from './covers.ts';

const weedy = (dice: Dice): ((day: number) => number) => {
  const green = dice.within(0.01, 0.07);
  return () => green;
};

/** Returns a function that draws a crop season: dates shifted by up to `days` days, and a green share from a range. */
export function field(season: Omit<GrowingSeason, 'height'>, heights: readonly [number, number], days = 10) {
  return (dice: Dice): GrowingSeason => {
    const by = dice.within(-days, days);
    const pair = ([a, b]: readonly [number, number]): readonly [number, number] => [a + by, b + by];
    const { rise, fall, flood, cut } = season;
    return {
      rise: pair(rise),
      fall: pair(fall),
      height: dice.within(...heights),
      ...(flood === undefined ? {} : { flood }),
      ...(cut === undefined ? {} : { cut: cut + by }),
    };
  };
}

type Field = ReturnType<typeof field>;

/** A field with equal crops in every year. */
export const crops =
  (...fields: readonly Field[]) =>
  (dice: Dice): CoverByDay => {
    const seasons = fields.map((one) => one(dice));
    return sown(() => seasons, weedy(dice), dice);
  };

/** A field with different crops in the previous, the observed and the next year. */
export const rotation =
  (...years: readonly [readonly Field[], readonly Field[], readonly Field[]]) =>
  (dice: Dice): CoverByDay => {
    const drawn = years.map((fields) => fields.map((one) => one(dice)));
    return sown((year) => drawn[year + 1] ?? [], weedy(dice), dice);
  };

type Range = readonly [number, number];

/** Unsown land with dates shifted by up to 12 days; green shares and litter are drawn from ranges. */
export const unsown =
  (
    { rise, fall }: Pick<GrowingSeason, 'rise' | 'fall'>,
    [least, most]: readonly [Range, Range],
    litter: Range = [0.2, 0.4],
  ) =>
  (dice: Dice): CoverByDay => {
    const by = dice.within(-12, 12);
    const low = dice.within(...least);
    return wild({
      rise: [rise[0] + by, rise[1] + by],
      fall: [fall[0] + by, fall[1] + by],
      least: low,
      most: Math.max(low, dice.within(...most)),
      litter: dice.within(...litter),
    });
  };
