import { ImportNotes } from '../shared/import-notes.ts';
import type { ImportPlace, RepairedRow } from '@headwater/core/ports';
import { BadPlaceFile, BadProperty } from '../../places/bad-place-file.ts';
import { byLowerName, type PlaceFeature } from '../../places/place-features.ts';
import { placePolygons } from '../../places/place-geometry.ts';
import { PositionBudget } from '../../places/place-geometry.ts';
import { hasProperty, tehsilKey, type TehsilNames, tehsilNames } from '../../places/place-properties.ts';
import { featureReader } from '../formats/open-features.ts';
import type { RawFeature } from '../features/raw-feature.ts';
import { BOUNDARY_RULES, type BoundaryKind, type BoundaryRules } from './boundary-kind.ts';
import { FeatureSpool, type Spooled, type SpooledIndex } from './feature-spool.ts';

/** Maximum number of positions in one feature; a detailed district has some 100,000. */
const MAX_POSITIONS = 1_000_000;
/** Maximum number of features in a file: ten times the micro-watersheds of the country. */
const MAX_FEATURES = 5_000_000;

/** Limits of a file. All features of a tehsil are in memory when they are stored. */
export interface TehsilLimits {
  readonly tehsils: number;
  /** Features per tehsil. */
  readonly features: number;
  /** Positions per tehsil. */
  readonly positions: number;
}

/** Default limits: ten times a tehsil with a thousand villages. The country has some 7,000 tehsils. */
const TEHSIL_LIMITS: TehsilLimits = { tehsils: 100_000, features: 10_000, positions: 5_000_000 };

/** File to check. */
export interface CheckRequest {
  readonly path: string;
  readonly fileName: string;
  readonly kind: BoundaryKind;
  /** State, district and tehsil of features that do not contain these names. */
  readonly place?: ImportPlace;
  /** Path of a new working file for the accepted features. */
  readonly spoolPath: string;
}

/** Accepted features of one tehsil. */
export interface CheckedTehsil {
  readonly names: TehsilNames;
  /**
   * Position of the list of features in the working file. The list is not in memory, because a country has millions of
   * features.
   */
  readonly index: SpooledIndex;
}

/** Result of checking a file of boundaries. */
export interface Checked {
  readonly tehsils: readonly CheckedTehsil[];
  readonly notes: ImportNotes['report'];
}

/**
 * Checks a file of boundaries, and writes accepted features to the working file. Throws `BadPlaceFile` for an
 * unreadable or empty file, or a file above a limit.
 */
export async function checkFeatures(
  request: CheckRequest,
  progress: (done: number, total: number) => void,
  limits: TehsilLimits = TEHSIL_LIMITS,
): Promise<Checked> {
  const { path, fileName, kind, spoolPath } = request;
  const reader = featureReader(fileName);
  if (reader === undefined)
    throw new BadPlaceFile(
      `${fileName} has a format from which boundaries cannot be read; use a GeoPackage, a zipped Shapefile, KML, KMZ or GeoJSON`,
    );
  const rules = BOUNDARY_RULES[kind];
  const spool = new FeatureSpool(spoolPath);
  try {
    const check = new FeatureCheck({ rules, spool, limits }, request.place);
    let count = 0;
    const repair = (row: RepairedRow): void => check.notes.repair(row);
    for await (const feature of reader({ path, fileName, layers: rules.layers, repair, progress })) {
      count += 1;
      if (count > MAX_FEATURES) throw new BadPlaceFile('the file has more than 5,000,000 features; split it');
      if ('problem' in feature) check.notes.refuse(feature);
      else check.take(feature);
      spool.checkRoom();
    }
    if (count === 0) throw new BadPlaceFile('the file has no feature; write it again with at least one');
    const tehsils = [...check.tehsils.values()].map(({ names, features }) => ({
      names,
      index: spool.addIndex(features),
    }));
    spool.checkRoom();
    return { tehsils, notes: check.notes.report };
  } finally {
    spool.close();
  }
}

interface OpenTehsil {
  readonly names: TehsilNames;
  readonly features: Spooled[];
  positions: number;
}

interface Checking {
  readonly rules: BoundaryRules;
  readonly spool: FeatureSpool;
  readonly limits: TehsilLimits;
}

class FeatureCheck {
  readonly notes = new ImportNotes();
  readonly tehsils = new Map<string, OpenTehsil>();
  readonly #rules: BoundaryRules;
  readonly #place: ReadonlyMap<string, unknown>;
  readonly #spool: FeatureSpool;
  readonly #limits: TehsilLimits;

  constructor({ rules, spool, limits }: Checking, place: ImportPlace | undefined) {
    [this.#rules, this.#spool, this.#limits] = [rules, spool, limits];
    this.#place = new Map(Object.entries(place ?? {}));
  }

  /** Accepts or refuses a feature. Throws `BadPlaceFile` if the file or the feature's tehsil exceeds a limit. */
  take(raw: RawFeature): void {
    const tehsil = this.#taken(raw);
    if (tehsil !== undefined) checkSize(tehsil, this.#limits);
    const { tehsils } = this.#limits;
    if (this.tehsils.size > tehsils)
      throw new BadPlaceFile(
        `the file has more than ${tehsils} tehsils; correct the tehsil of each feature, or split the file`,
      );
  }

  #taken(raw: RawFeature): OpenTehsil | undefined {
    const { source, row } = raw;
    const repairs: string[] = [];
    try {
      const tehsil = this.#keep(this.#checked(raw, repairs), row);
      for (const repair of repairs) this.notes.repair({ source, row, repair });
      return tehsil;
    } catch (error) {
      if (!(error instanceof BadPlaceFile)) throw error;
      this.notes.refuse({ source, row, ...refusalOf(error) });
      return undefined;
    }
  }

  #checked({ row, properties, geometry }: RawFeature, repairs: string[]): PlaceFeature {
    const budget = new PositionBudget(MAX_POSITIONS, 'feature');
    const own = byLowerName(properties);
    const polygons = placePolygons(geometry, { budget, report: (note) => repairs.push(note) });
    return { properties: this.#withPlace(own), polygons, where: `feature ${row}` };
  }

  #withPlace(own: Map<string, unknown>): Map<string, unknown> {
    const bare: PlaceFeature = { properties: own, polygons: [], where: '' };
    for (const [name, value] of this.#place) if (!hasName(bare, name)) own.set(name, value);
    return own;
  }

  #keep(feature: PlaceFeature, row: number): OpenTehsil {
    const names = tehsilNames(feature);
    const properties = this.#rules.properties(feature);
    const key = tehsilKey(names);
    const known = this.tehsils.get(key);
    const [first] = known?.features ?? [];
    if (this.#rules.isOnePerTehsil && first !== undefined)
      throw new BadProperty(
        feature.where,
        'tehsil',
        `is ${names.tehsil} (${names.district}, ${names.state}), which feature ${first.row} already has; make one feature of its parts, or correct the name`,
      );
    const tehsil = known ?? { names, features: [], positions: 0 };
    this.tehsils.set(key, tehsil);
    tehsil.features.push(this.#spool.add(properties, feature, row));
    for (const ring of feature.polygons.flat()) tehsil.positions += ring.length;
    return tehsil;
  }
}

function checkSize({ names, features, positions }: OpenTehsil, limits: TehsilLimits): void {
  if (features.length <= limits.features && positions <= limits.positions) return;
  const { tehsil, district, state } = names;
  const much =
    features.length > limits.features ? `${limits.features} features` : `${limits.positions} positions in its features`;
  throw new BadPlaceFile(
    `${tehsil} (${district}, ${state}) has more than ${much}; correct the tehsil of each feature, or simplify the features`,
  );
}

function refusalOf(error: BadPlaceFile): { readonly field?: string; readonly problem: string } {
  return error instanceof BadProperty
    ? { field: error.property, problem: error.reason + remedyOf(error) }
    : { field: 'geometry', problem: error.message };
}

const NAMES: ReadonlySet<string> = new Set(['state', 'district', 'tehsil']);

const remedyOf = ({ property, reason }: BadProperty): string =>
  NAMES.has(property) && reason.includes(' is missing: ')
    ? '; give each feature its state, district and tehsil, or name one tehsil for the whole file'
    : '';

function hasName(feature: PlaceFeature, name: string): boolean {
  return name === 'state' || name === 'district' || name === 'tehsil' ? hasProperty(feature, name) : false;
}
