export {
  cropableLand,
  degradedLand,
  meanShare,
  type Season,
  unseenShare,
  waterByCrops,
  waterLand,
} from './crops-and-water.ts';
export { droughtCategory } from './drought.ts';
export { aquiferClass, extractionStage } from './groundwater.ts';
export {
  croppedShare,
  drainageDensity,
  elevation,
  landShare,
  meanElevation,
  relativeElevation,
  relief,
} from './land.ts';
export { trendOf } from './trend.ts';
export { hasFacts, totalWorks, villageIds } from './units.ts';
export { meanOf, ofSeenLand, valuesOf, type Years, yearsOf, type YearValue } from './years.ts';
