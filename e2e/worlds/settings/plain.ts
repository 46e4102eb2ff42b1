import { crops, field, rotation, unsown } from './growers.ts';
import { type Kind, TOWN } from './kind.ts';

// Crop seasons in days from 1 July, rounded from MIRCA2000 (Portmann et al. 2010, doi:10.1029/2008GB003435).
const WHEAT_PLAIN = field({ rise: [250, 312], fall: [345, 372], cut: 388 }, [0.8, 0.97], 10);
const WHEAT_PLAIN_AUTUMN = field({ rise: [108, 155], fall: [168, 230] }, [0.06, 0.3]);
const WHEAT_PLAIN_TILLERS = field({ rise: [108, 155], fall: [260, 315] }, [0.08, 0.35]);
const MAIZE_PLAIN = field({ rise: [-38, 12], fall: [62, 92], cut: 97 }, [0.8, 0.96]);

/** Kinds of land of a plain with cool winters: fields, grass and forest. */
export const PLAIN: readonly Kind[] = [
  {
    name: 'winter wheat',
    cycles: 1,
    right: [9],
    grounds: ['brownEarth', 'alluvium'],
    leaf: 'crop',
    grow: crops(WHEAT_PLAIN_AUTUMN, WHEAT_PLAIN_TILLERS, WHEAT_PLAIN),
  },
  {
    name: 'rape',
    cycles: 1,
    right: [9],
    grounds: ['brownEarth'],
    leaf: 'crop',
    grow: crops(
      field({ rise: [62, 108], fall: [140, 235] }, [0.45, 0.85]),
      field({ rise: [235, 282], fall: [345, 372], cut: 376 }, [0.5, 0.62]),
      field({ rise: [235, 282], fall: [298, 312] }, [0.2, 0.3]),
      field({ rise: [306, 325], fall: [345, 372], cut: 376 }, [0.2, 0.3]),
    ),
  },
  { name: 'maize', cycles: 1, right: [8], grounds: ['brownEarth', 'alluvium'], leaf: 'crop', grow: crops(MAIZE_PLAIN) },
  {
    name: 'beet',
    cycles: 1,
    right: [8],
    grounds: ['brownEarth', 'alluvium'],
    leaf: 'crop',
    grow: crops(field({ rise: [-50, 5], fall: [70, 180], cut: 115 }, [0.85, 0.97])),
  },
  {
    name: 'maize, then wheat',
    cycles: 2,
    right: [10],
    grounds: ['brownEarth', 'alluvium'],
    leaf: 'crop',
    grow: rotation([MAIZE_PLAIN], [MAIZE_PLAIN, WHEAT_PLAIN_AUTUMN, WHEAT_PLAIN_TILLERS, WHEAT_PLAIN], [WHEAT_PLAIN]),
  },
  {
    name: 'grass',
    cycles: 0,
    right: [12, 6],
    grounds: ['brownEarth'],
    leaf: 'grass',
    grow: unsown({ rise: [245, 300], fall: [340, 550] }, [
      [0.5, 0.7],
      [0.75, 0.95],
    ]),
  },
  {
    name: 'broad-leaved forest',
    cycles: 0,
    right: [6],
    grounds: ['brownEarth'],
    leaf: 'tree',
    grow: unsown(
      { rise: [-78, -40], fall: [88, 138] },
      [
        [0.2, 0.45],
        [0.88, 0.97],
      ],
      [0.4, 0.6],
    ),
  },
  {
    name: 'conifers',
    cycles: 0,
    right: [6],
    grounds: ['brownEarth'],
    leaf: 'tree',
    grow: unsown({ rise: [-80, -20], fall: [80, 150] }, [
      [0.75, 0.85],
      [0.85, 0.95],
    ]),
  },
  {
    name: 'town',
    cycles: 0,
    right: [1],
    grounds: TOWN,
    leaf: 'tree',
    grow: unsown(
      { rise: [-80, -40], fall: [85, 140] },
      [
        [0.05, 0.15],
        [0.12, 0.36],
      ],
      [0, 0.1],
    ),
  },
];
