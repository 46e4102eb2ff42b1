import { crops, field, rotation, unsown } from './growers.ts';
import { type Kind, TOWN } from './kind.ts';

// Crop seasons in days from 1 July, rounded from MIRCA2000 (Portmann et al. 2010, doi:10.1029/2008GB003435).
const WHEAT_AUTUMN = field({ rise: [112, 150], fall: [165, 225] }, [0.04, 0.22]);
const WHEAT_TILLERS = field({ rise: [112, 150], fall: [250, 300] }, [0.06, 0.2]);
const WHEAT_STEPPE = field({ rise: [232, 285], fall: [312, 342], cut: 350 }, [0.72, 0.93]);
const COTTON_STEPPE = field({ rise: [-45, 25], fall: [70, 112] }, [0.6, 0.9]);
const AFTER_WHEAT = field({ rise: [18, 58], fall: [88, 120], cut: 122 }, [0.55, 0.88]);

/** Kinds of land of a dry region with cold winters and irrigated fields. */
export const STEPPE: readonly Kind[] = [
  {
    name: 'winter wheat',
    cycles: 1,
    right: [9],
    grounds: ['loess', 'alluvium'],
    leaf: 'crop',
    grow: crops(WHEAT_AUTUMN, WHEAT_TILLERS, WHEAT_STEPPE),
  },
  { name: 'cotton', cycles: 1, right: [8], grounds: ['loess', 'alluvium'], leaf: 'crop', grow: crops(COTTON_STEPPE) },
  {
    name: 'cotton after wheat fields lay bare',
    cycles: 1,
    right: [8],
    grounds: ['loess', 'alluvium'],
    leaf: 'crop',
    grow: rotation([COTTON_STEPPE], [COTTON_STEPPE], [AFTER_WHEAT]),
  },
  {
    name: 'rice',
    cycles: 1,
    right: [8],
    grounds: ['alluvium', 'brownEarth'],
    leaf: 'crop',
    grow: crops(field({ rise: [-18, 32], fall: [64, 92], cut: 97, flood: 20 }, [0.75, 0.93])),
  },
  {
    name: 'wheat after a summer crop',
    cycles: 2,
    right: [10],
    grounds: ['loess', 'alluvium'],
    leaf: 'crop',
    grow: crops(AFTER_WHEAT, WHEAT_AUTUMN, WHEAT_TILLERS, WHEAT_STEPPE),
  },
  {
    name: 'cotton, then wheat',
    cycles: 2,
    right: [10],
    grounds: ['loess', 'alluvium'],
    leaf: 'crop',
    grow: rotation([COTTON_STEPPE], [COTTON_STEPPE, WHEAT_AUTUMN, WHEAT_TILLERS, WHEAT_STEPPE], [AFTER_WHEAT]),
  },
  {
    name: 'orchard',
    cycles: 0,
    right: [6, 11],
    grounds: ['loess', 'alluvium'],
    leaf: 'tree',
    grow: unsown({ rise: [-90, -45], fall: [90, 142] }, [
      [0.12, 0.3],
      [0.6, 0.88],
    ]),
  },
  {
    name: 'steppe',
    cycles: 0,
    right: [7, 12],
    grounds: ['loess', 'desert'],
    leaf: 'grass',
    grow: unsown({ rise: [240, 285], fall: [300, 345] }, [
      [0.01, 0.06],
      [0.06, 0.3],
    ]),
  },
  {
    name: 'settlement with trees',
    cycles: 0,
    right: [1],
    grounds: TOWN,
    leaf: 'tree',
    grow: unsown(
      { rise: [-90, -45], fall: [85, 140] },
      [
        [0.05, 0.12],
        [0.12, 0.32],
      ],
      [0, 0.1],
    ),
  },
];
