/**
 * Class codes of the sample's true maps: the classes of the synthetic land in each year. The codes are those of the
 * LULC product (`predicted_label` in its tables).
 */
export const LAND = {
  builtUp: 1,
  waterKharif: 2,
  waterTwoSeasons: 3,
  waterAllYear: 4,
  trees: 6,
  barren: 7,
  kharifCrop: 8,
  otherCrop: 9,
  twoCrops: 10,
  threeCrops: 11,
  scrub: 12,
} as const;

/** Colours (0-255) of the true maps and of the published class style. */
export const LAND_COLOURS: Readonly<Record<number, readonly [number, number, number, number]>> = {
  1: [255, 0, 0, 255],
  2: [116, 204, 244, 255],
  3: [28, 163, 236, 255],
  4: [15, 94, 156, 255],
  6: [56, 118, 29, 255],
  7: [169, 169, 169, 255],
  8: [186, 217, 62, 255],
  9: [245, 157, 34, 255],
  10: [255, 147, 113, 255],
  11: [179, 86, 29, 255],
  12: [201, 178, 130, 255],
};
