import type { SearchBox } from '@headwater/core/ports';
import { Refusal } from './reading.ts';

const FORM = 'Write west,south,east,north in degrees, or six numbers with heights in third and last place.';
/** Limit of longitudes, degrees. Maps that repeat the world send longitudes above 180. */
const MOST_LONGITUDE = 360;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a box from numbers separated by commas. Spaces are ignored; brackets are refused. */
export function readBoxText(text: string): SearchBox | Refusal {
  const parts = text.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !NUMBER.test(part));
  if (wrong !== undefined) return new Refusal(`${JSON.stringify(wrong.slice(0, 40))} is not a number. ${FORM}`);
  return readBox(parts.map(Number));
}

/** Reads a box of 4 or 6 numbers. Heights are ignored. A box with west > east crosses the antimeridian. */
export function readBox(numbers: readonly number[]): SearchBox | Refusal {
  if (numbers.length !== 4 && numbers.length !== 6)
    return new Refusal(`A box cannot have ${numbers.length} ${numbers.length === 1 ? 'number' : 'numbers'}. ${FORM}`);
  if (!numbers.every(Number.isFinite)) return new Refusal(`Not all values are finite numbers. ${FORM}`);
  const half = numbers.length / 2;
  const [west = 0, south = 0, low = 0] = numbers;
  const [east = 0, north = 0, high = 0] = numbers.slice(half);
  if (half === 3 && low > high) return new Refusal('The lower height is above the upper height: exchange them.');
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    return new Refusal(
      `Latitudes are from -90 to 90; they are in second and ${half === 2 ? 'fourth' : 'fifth'} place. ${FORM}`,
    );
  if (south > north) return new Refusal('South is above north: exchange them.');
  if (Math.abs(west) > MOST_LONGITUDE || Math.abs(east) > MOST_LONGITUDE)
    return new Refusal(
      `Longitudes are from -180 to 180; they are in first and ${half === 2 ? 'third' : 'fourth'} place. ${FORM}`,
    );
  return east - west >= 360 ? [-180, south, 180, north] : [wrapped(west), south, wrapped(east), north];
}

function wrapped(longitude: number): number {
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}
