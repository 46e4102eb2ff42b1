import type { SearchBox } from '@headwater/core/ports';
import { Refusal } from './reading.ts';

const FORM = 'Write west,south,east,north in degrees, or six numbers with the heights third and last.';
/** Maps that show the world more than once send longitudes of the next turn. */
const MOST_LONGITUDE = 360;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Numbers with commas between them. Blanks around them do no harm, brackets do. */
export function readBoxText(text: string): SearchBox | Refusal {
  const parts = text.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !NUMBER.test(part));
  if (wrong !== undefined) return new Refusal(`${JSON.stringify(wrong.slice(0, 40))} is no number. ${FORM}`);
  return readBox(parts.map(Number));
}

/** A box of 4 or 6 numbers; the heights are left out, Items have none. West may be above east: it crosses the antimeridian. */
export function readBox(numbers: readonly number[]): SearchBox | Refusal {
  if (numbers.length !== 4 && numbers.length !== 6)
    return new Refusal(`${numbers.length} ${numbers.length === 1 ? 'number is' : 'numbers are'} no box. ${FORM}`);
  if (!numbers.every(Number.isFinite)) return new Refusal(`Not all are finite numbers. ${FORM}`);
  const half = numbers.length / 2;
  const [west = 0, south = 0, low = 0] = numbers;
  const [east = 0, north = 0, high = 0] = numbers.slice(half);
  if (half === 3 && low > high) return new Refusal('Its lower height is above its upper one: exchange them.');
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    return new Refusal(
      `Latitudes are from -90 to 90, and stand second and ${half === 2 ? 'fourth' : 'fifth'}. ${FORM}`,
    );
  if (south > north) return new Refusal('Its south is above its north: exchange them.');
  if (Math.abs(west) > MOST_LONGITUDE || Math.abs(east) > MOST_LONGITUDE)
    return new Refusal(
      `Longitudes are from -180 to 180, and stand first and ${half === 2 ? 'third' : 'fourth'}. ${FORM}`,
    );
  return east - west >= 360 ? [-180, south, 180, north] : [turned(west), south, turned(east), north];
}

function turned(longitude: number): number {
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}
