import { crops, field, unsown } from './growers.ts';
import { type Kind, TOWN } from './kind.ts';

// Crop seasons in days from 1 July, rounded from MIRCA2000 (Portmann et al. 2010, doi:10.1029/2008GB003435).
const SOY = field({ rise: [103, 152], fall: [190, 213], cut: 216 }, [0.82, 0.97], 12);
const MAIZE_SECOND = field({ rise: [224, 268], fall: [296, 342], cut: 352 }, [0.7, 0.95], 10);
const COTTON_SECOND = field({ rise: [226, 290], fall: [330, 385], cut: 395 }, [0.7, 0.95], 8);
const MILLET = field({ rise: [224, 262], fall: [285, 325] }, [0.4, 0.6], 10);

/** Kinds of land of southern tropics with a dry season (Arvor et al. 2011, doi:10.1080/01431161.2010.531783). */
export const TROPICS: readonly Kind[] = [
  {
    name: 'soy, then maize',
    cycles: 2,
    right: [10],
    grounds: ['oxisol'],
    leaf: 'crop',
    grow: crops(SOY, MAIZE_SECOND),
  },
  {
    name: 'soy, then cotton',
    cycles: 2,
    right: [10],
    grounds: ['oxisol'],
    leaf: 'crop',
    grow: crops(SOY, COTTON_SECOND),
  },
  { name: 'soy, then millet', cycles: 2, right: [10], grounds: ['oxisol'], leaf: 'crop', grow: crops(SOY, MILLET) },
  { name: 'soy alone', cycles: 1, right: [9], grounds: ['oxisol'], leaf: 'crop', grow: crops(SOY) },
  {
    name: 'cotton alone',
    cycles: 1,
    right: [9],
    grounds: ['oxisol'],
    leaf: 'crop',
    grow: crops(field({ rise: [165, 230], fall: [312, 372], cut: 378 }, [0.75, 0.95])),
  },
  {
    name: 'pasture',
    cycles: 0,
    right: [12, 6],
    grounds: ['oxisol', 'redLoam'],
    leaf: 'grass',
    grow: unsown(
      { rise: [85, 150], fall: [270, 400] },
      [
        [0.2, 0.42],
        [0.62, 0.85],
      ],
      [0.4, 0.7],
    ),
  },
  {
    name: 'savanna',
    cycles: 0,
    right: [12, 6],
    grounds: ['oxisol', 'redLoam'],
    leaf: 'tree',
    grow: unsown(
      { rise: [75, 130], fall: [290, 425] },
      [
        [0.28, 0.5],
        [0.6, 0.8],
      ],
      [0.4, 0.6],
    ),
  },
  {
    name: 'evergreen forest',
    cycles: 0,
    right: [6],
    grounds: ['oxisol'],
    leaf: 'tree',
    grow: unsown({ rise: [60, 120], fall: [250, 400] }, [
      [0.82, 0.9],
      [0.9, 0.97],
    ]),
  },
  {
    name: 'town',
    cycles: 0,
    right: [1],
    grounds: TOWN,
    leaf: 'tree',
    grow: unsown(
      { rise: [85, 140], fall: [280, 400] },
      [
        [0.05, 0.2],
        [0.1, 0.3],
      ],
      [0, 0.1],
    ),
  },
];
