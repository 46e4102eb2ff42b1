import { crops, field, unsown } from './growers.ts';
import { type Kind, TOWN } from './kind.ts';

// Crop seasons in days from 1 July, rounded from MIRCA2000 (Portmann et al. 2010, doi:10.1029/2008GB003435).
const KHARIF_PADDY = field({ rise: [28, 75], fall: [112, 138], cut: 142, flood: 18 }, [0.75, 0.95], 14);
const RABI_PADDY = field({ rise: [188, 228], fall: [265, 286], cut: 290, flood: 18 }, [0.75, 0.95], 12);
const KHARIF_DRY = field({ rise: [2, 48], fall: [78, 106], cut: 110 }, [0.55, 0.9], 14);
const CHICKPEA = field({ rise: [118, 160], fall: [196, 222], cut: 228 }, [0.45, 0.8], 12);

/** Kinds of land under a monsoon (Gumma et al. 2011, doi:10.1117/1.3619838). */
export const DECCAN: readonly Kind[] = [
  {
    name: 'kharif paddy',
    cycles: 1,
    right: [8],
    grounds: ['darkClay', 'redLoam', 'alluvium'],
    leaf: 'crop',
    grow: crops(KHARIF_PADDY),
  },
  {
    name: 'paddy twice',
    cycles: 2,
    right: [10],
    grounds: ['darkClay', 'redLoam', 'alluvium'],
    leaf: 'crop',
    grow: crops(KHARIF_PADDY, RABI_PADDY),
  },
  {
    name: 'rabi paddy',
    cycles: 1,
    right: [9],
    grounds: ['darkClay', 'redLoam', 'alluvium'],
    leaf: 'crop',
    grow: crops(RABI_PADDY),
  },
  {
    name: 'rain-fed kharif crop',
    cycles: 1,
    right: [8],
    grounds: ['darkClay', 'redLoam'],
    leaf: 'crop',
    grow: crops(KHARIF_DRY),
  },
  {
    name: 'maize, then chickpea',
    cycles: 2,
    right: [10],
    grounds: ['darkClay'],
    leaf: 'crop',
    grow: crops(KHARIF_DRY, CHICKPEA),
  },
  { name: 'chickpea', cycles: 1, right: [9], grounds: ['darkClay'], leaf: 'crop', grow: crops(CHICKPEA) },
  {
    name: 'cotton',
    cycles: 1,
    right: [8],
    grounds: ['darkClay', 'redLoam'],
    leaf: 'crop',
    grow: crops(field({ rise: [10, 85], fall: [130, 200], cut: 222 }, [0.55, 0.85])),
  },
  {
    name: 'town',
    cycles: 0,
    right: [1],
    grounds: TOWN,
    leaf: 'tree',
    grow: unsown(
      { rise: [-20, 40], fall: [110, 260] },
      [
        [0.02, 0.08],
        [0.03, 0.12],
      ],
      [0, 0.08],
    ),
  },
  {
    name: 'town with trees',
    cycles: 0,
    right: [1],
    grounds: TOWN,
    leaf: 'tree',
    grow: unsown(
      { rise: [-20, 40], fall: [110, 260] },
      [
        [0.1, 0.25],
        [0.18, 0.38],
      ],
      [0, 0.1],
    ),
  },
  {
    name: 'scrub',
    cycles: 0,
    right: [12],
    grounds: ['redLoam', 'granite'],
    leaf: 'grass',
    grow: unsown({ rise: [-5, 50], fall: [95, 265] }, [
      [0.1, 0.25],
      [0.34, 0.55],
    ]),
  },
  {
    name: 'dry deciduous forest',
    cycles: 0,
    right: [6],
    grounds: ['redLoam', 'brownEarth'],
    leaf: 'tree',
    grow: unsown(
      { rise: [-28, 25], fall: [115, 250] },
      [
        [0.06, 0.25],
        [0.72, 0.93],
      ],
      [0.3, 0.6],
    ),
  },
  {
    name: 'rock',
    cycles: 0,
    right: [7],
    grounds: ['granite', 'redLoam'],
    leaf: 'grass',
    grow: unsown({ rise: [0, 50], fall: [95, 180] }, [
      [0, 0.03],
      [0.02, 0.1],
    ]),
  },
];
