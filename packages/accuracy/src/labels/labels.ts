import type { MultiPolygon, Point, Polygon } from 'geojson';
import { DomainError } from '@headwater/core/errors';
import type { Label } from '../legend/legend.ts';

/** A reference label of a point or polygon. Longitude/latitude, degrees, WGS 84. */
export interface ReferenceLabel {
  readonly label: Label;
  readonly geometry: Point | Polygon | MultiPolygon;
  readonly year: number | undefined;
  /** Position in the file, for messages: `features[3]`, `line 12`. */
  readonly where: string;
}

/** Maximum number of labels in one file. */
export const MOST_LABELS = 2_000_000;
const FAULTS_SHOWN = 5;

/** Collects the faults of a file of labels for one error. */
export class Faults {
  readonly #first: string[] = [];
  #count = 0;

  add(fault: string): void {
    this.#count += 1;
    if (this.#first.length < FAULTS_SHOWN) this.#first.push(fault);
  }

  /**
   * Returns the result of `read`. If `read` throws an error that `fault` created, records the error and returns
   * undefined.
   */
  at<T>(where: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof LabelFault)) throw error;
      this.add(`${where}: ${error.message}`);
      return undefined;
    }
  }

  /** If there are faults, throws `validation` with the first ones: figures from only the valid labels would mislead. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#first.length;
    throw badLabels(`${this.#first.join('; ')}${more > 0 ? `; and ${more} more` : ''}`);
  }
}

class LabelFault extends Error {}

/** Creates the error for one label, which `Faults.at` records. */
export function fault(problem: string): Error {
  return new LabelFault(problem);
}

/** Creates the error for the labels as a whole. */
export function badLabels(message: string): DomainError {
  return new DomainError('validation', `reference: ${message}`, {
    fields: { reference: [{ rule: 'invalid', message }] },
  });
}

/** Checks longitude and latitude; the fault mentions values that look like another CRS. */
export function checkedPosition(lon: number, lat: number): readonly [number, number] {
  if (Math.abs(lon) <= 180 && Math.abs(lat) <= 90) return [lon, lat];
  if (Math.abs(lon) > 1000 || Math.abs(lat) > 1000)
    throw fault(`${lon}, ${lat} looks like metres of a projected CRS; convert with ogr2ogr -t_srs EPSG:4326`);
  throw fault(
    `${lon}, ${lat} is not longitude (-180 to 180), latitude (-90 to 90); check that the two are not exchanged`,
  );
}

/** Checks a label of a file: a finite number, or a text of 1 to 200 characters that is not blank. */
export function checkedLabel(value: unknown, name: string): Label {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 200) return value.trim();
  if (value === undefined || value === null || value === '') throw fault(`${name} is missing; each label needs it`);
  throw fault(`${name} must be a number or a text of 1 to 200 characters`);
}

/** Checks a year of a file; undefined without a year. */
export function checkedYear(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const year = typeof value === 'string' && /^\d{4}$/.test(value.trim()) ? Number(value) : value;
  if (typeof year === 'number' && Number.isInteger(year) && year >= 1900 && year <= 2200) return year;
  throw fault(`${name} must be a year such as 2021`);
}
