import { describe, expect, it } from 'vitest';
import { classesOf, type Land, type Season, type View } from './phenology.fixture.ts';

const season = (mid: Season['mid'], days: Season['days'], height: Season['height']): Season => ({ mid, days, height });
const SOIL = [0.11, 0.2] as const;
const BARE = [0.1, 0.17] as const;
const WEEDY = [0.2, 0.3] as const;
const WHEAT = season([255, 337], [50, 28], [0.4, 0.7]);
const SOY = season([128, 208], [30, 20], [0.5, 0.65]);

/** Land with latitude and correct classes. Dates are from the crop calendars in `e2e/worlds/settings`. */
const FIELDS: readonly (readonly [name: string, latitude: number, right: readonly number[], land: Land])[] = [
  ['irrigated cotton', 41, [8], { ground: SOIL, seasons: [season([-12, 95], [42, 50], [0.35, 0.65])] }],
  ['irrigated wheat', 41, [9], { ground: SOIL, seasons: [WHEAT] }],
  ['wheat, then maize', 41, [10], { ground: SOIL, seasons: [season([38, 100], [32, 30], [0.35, 0.6]), WHEAT] }],
  ['soy, then maize', -12, [10], { ground: WEEDY, seasons: [SOY, season([248, 325], [30, 40], [0.42, 0.58])] }],
  ['soy, then cotton', -12, [10], { ground: WEEDY, seasons: [SOY, season([255, 365], [40, 40], [0.42, 0.58])] }],
  ['soy without a second crop', -12, [9], { ground: WEEDY, seasons: [SOY] }],
  [
    'paddy twice',
    17,
    [10],
    { ground: SOIL, seasons: [50, 210].map((d) => season([d, d + 75], [35, 28], [0.45, 0.65])) },
  ],
  ['rain-fed cotton', 17, [8], { ground: SOIL, seasons: [season([40, 180], [50, 55], [0.35, 0.55])] }],
  ['winter wheat', 50, [9], { ground: [0.15, 0.25], seasons: [season([270, 360], [50, 25], [0.5, 0.68])] }],
  ['maize', 41, [8], { ground: [0.15, 0.28], seasons: [season([-10, 75], [30, 38], [0.5, 0.65])] }],
];
/** Fields that earlier versions of the method classified wrongly. */
const HARD_FIELDS: typeof FIELDS = [
  ['a thin crop', 41, [8], { ground: BARE, seasons: [season([10, 85], [45, 50], [0.27, 0.35])] }],
  [
    'two thin crops',
    17,
    [10],
    { ground: BARE, seasons: [40, 170].map((d) => season([d, d + 65], [35, 40], [0.27, 0.35])) },
  ],
  [
    'a weak crop, then a tall crop',
    17,
    [10],
    { ground: SOIL, seasons: [season([30, 95], [30, 28], [0.17, 0.22]), season([150, 225], [35, 28], [0.45, 0.6])] },
  ],
  [
    'a tall crop, then a weak crop',
    17,
    [10],
    { ground: BARE, seasons: [season([30, 105], [35, 28], [0.4, 0.55]), season([160, 230], [30, 25], [0.16, 0.2])] },
  ],
  ['cotton that sheds its leaves', 17, [8], { ground: SOIL, seasons: [season([30, 175], [45, 75], [0.4, 0.6])] }],
  [
    'two crops on ground that stays green',
    17,
    [10],
    {
      ground: [0.43, 0.47],
      seasons: [season([30, 105], [30, 28], [0.25, 0.35]), season([165, 245], [30, 28], [0.25, 0.35])],
    },
  ],
  [
    'two crops with a shallow gap',
    -12,
    [10],
    {
      ground: [0.2, 0.24],
      seasons: [season([115, 205], [30, 28], [0.5, 0.6]), season([215, 310], [30, 35], [0.45, 0.55])],
    },
  ],
  [
    'a long crop from February to June',
    17,
    [9],
    { ground: BARE, seasons: [season([215, 355], [40, 45], [0.45, 0.6])] },
  ],
  [
    'weeds, then two crops',
    -12,
    [10],
    {
      ground: [0.18, 0.24],
      seasons: [
        season([62, 92], [18, 18], [0.2, 0.27]),
        season([130, 205], [30, 20], [0.5, 0.6]),
        season([250, 325], [30, 40], [0.42, 0.55]),
      ],
    },
  ],
];
const OTHERS: readonly (readonly [name: string, latitude: number, land: Land])[] = [
  ['pasture', -12, { ground: [0.3, 0.45], seasons: [season([112, 340], [55, 115], [0.25, 0.4])] }],
  [
    'pasture with a dip in the rains',
    -12,
    {
      ground: [0.42, 0.48],
      seasons: [season([95, 165], [35, 25], [0.24, 0.3]), season([195, 320], [25, 90], [0.24, 0.3])],
    },
  ],
  [
    'town gardens that are green twice',
    17,
    { ground: [0.2, 0.28], seasons: [40, 165].map((d) => season([d, d + 70], [40, 50], [0.12, 0.18])) },
  ],
  ['fallow land with tall weeds', 41, { ground: SOIL, seasons: [season([265, 350], [40, 80], [0.12, 0.22])] }],
  ['grazed scrub over bare soil', 17, { ground: [0.13, 0.18], seasons: [season([20, 140], [45, 100], [0.18, 0.28])] }],
  ['savanna', -12, { ground: [0.36, 0.5], seasons: [season([105, 350], [55, 115], [0.2, 0.3])] }],
  ['evergreen forest', -12, { ground: [0.75, 0.88], seasons: [] }],
  ['dry forest', 17, { ground: [0.23, 0.32], seasons: [season([-12, 215], [35, 115], [0.4, 0.52])] }],
  ['scrub', 17, { ground: [0.18, 0.28], seasons: [season([15, 170], [50, 85], [0.15, 0.3])] }],
  ['town', 17, { ground: [0.12, 0.28], seasons: [season([20, 180], [60, 90], [0, 0.12])] }],
  ['broad-leaved forest', 50, { ground: [0.35, 0.5], seasons: [season([-65, 122], [25, 35], [0.35, 0.45])] }],
  ['meadow', 50, { ground: [0.45, 0.6], seasons: [season([-85, 120], [40, 60], [0.15, 0.28])] }],
];

const share = (labels: Uint8Array, holds: (label: number) => boolean): number =>
  labels.filter(holds).length / labels.length;
const isCrop = (label: number): boolean => label >= 8 && label <= 11;

/**
 * `least`: minimum share of correct pixels of `FIELDS`. Of the pixels of `OTHERS`, at least this share, and at least
 * 0.85, must have no crop class.
 */
const VIEWS: readonly (readonly [name: string, view: Omit<View, 'latitude'>, least: number])[] = [
  ['seen in every step', { seen: 1, margins: true }, 0.9],
  ['seen only in the year, without its margins', { seen: 1, margins: false }, 0.85],
  ['seen in half of the steps', { seen: 0.5, margins: true }, 0.55],
];

describe.each(VIEWS)('land %s', (_name, view, least) => {
  it.each(FIELDS)('counts the cycles of %s', (...[, latitude, right, land]) =>
    expect(share(classesOf(land, { ...view, latitude }), (label) => right.includes(label))).toBeGreaterThanOrEqual(
      least,
    ),
  );

  it.each(view.seen === 1 ? HARD_FIELDS : [])('counts the cycles of %s', (...[, latitude, right, land]) =>
    expect(share(classesOf(land, { ...view, latitude }), (label) => right.includes(label))).toBeGreaterThanOrEqual(
      0.85,
    ),
  );

  it.each(OTHERS)('does not classify %s as a crop', (_other, latitude, land) =>
    expect(share(classesOf(land, { ...view, latitude }), (label) => !isCrop(label))).toBeGreaterThanOrEqual(
      Math.max(0.85, least),
    ),
  );
});

it('needs no latitude for land without a winter', () => {
  const [tropics] = FIELDS.filter(([name]) => name === 'soy, then maize');
  const labels =
    tropics === undefined ? new Uint8Array() : classesOf(tropics[3], { seen: 1, margins: true, latitude: undefined });
  expect(share(labels, (label) => label === 10)).toBeGreaterThanOrEqual(0.9);
});
