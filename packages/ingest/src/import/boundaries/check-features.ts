import { ImportNotes } from '../shared/import-notes.ts';
import type { ImportPlace, RepairedRow } from '@headwater/core/ports';
import { BadPlaceFile, BadProperty, TooMuch } from '../../places/bad-place-file.ts';
import { byLowerName, type PlaceFeature } from '../../places/place-features.ts';
import { placePolygons } from '../../places/place-geometry.ts';
import { PositionBudget } from '../../places/place-geometry.ts';
import { hasProperty, tehsilKey, type TehsilNames, tehsilNames } from '../../places/place-properties.ts';
import { featureReader } from '../formats/open-features.ts';
import type { RawFeature } from '../features/raw-feature.ts';
import { BOUNDARY_RULES, type BoundaryKind, type BoundaryRules } from './boundary-kind.ts';
import { FeatureSpool, type Spooled, type SpooledIndex } from './feature-spool.ts';

/** Positions of one feature at most; a district's boundary at full detail has some 100,000. */
const MAX_POSITIONS = 1_000_000;
/** Features of a file at most: ten times the micro-watersheds of the whole country. */
const MAX_FEATURES = 5_000_000;

/** What one tehsil may have at most: all of it is held in memory while it is stored. */
export interface TehsilLimits {
  readonly features: number;
  readonly positions: number;
}

/** Ten times a tehsil of a thousand villages; as many positions as a file of the places folder may have. */
const TEHSIL_LIMITS: TehsilLimits = { features: 10_000, positions: 5_000_000 };

/** What is to be checked. */
export interface CheckRequest {
  readonly path: string;
  readonly fileName: string;
  readonly kind: BoundaryKind;
  /** The tehsil of features that do not name theirs. */
  readonly place?: ImportPlace;
  /** Working file that the good features are written to; it must not be there yet. */
  readonly spoolPath: string;
}

/** Good features of one tehsil. */
export interface CheckedTehsil {
  readonly names: TehsilNames;
  /** Where the working file says which features these are: what is told of a file does not grow with them. */
  readonly index: SpooledIndex;
}

/** Tehsils of a file at most: the country has some 7,000. */
const MAX_TEHSILS = 100_000;

/** What a file of boundaries holds. */
export interface Checked {
  readonly tehsils: readonly CheckedTehsil[];
  readonly notes: ImportNotes['report'];
}

/**
 * Reads and checks a whole file of boundaries, one feature at a time: good ones go to the working file, refused and repaired ones are
 * listed. Throws `BadPlaceFile` where the file is broken as a whole or holds no feature.
 */
export async function checkFeatures(
  request: CheckRequest,
  progress: (done: number, total: number) => void,
  limits: TehsilLimits = TEHSIL_LIMITS,
): Promise<Checked> {
  const { path, fileName, kind, spoolPath } = request;
  const reader = featureReader(fileName);
  if (reader === undefined) throw new BadPlaceFile(`${fileName} is of no format that boundaries are read from`);
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
    if (count === 0) throw new BadPlaceFile('the file holds no feature');
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

/** A tehsil whose features are being gathered. */
interface OpenTehsil {
  readonly names: TehsilNames;
  readonly features: Spooled[];
  /** Of all of its features. */
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

  /** Takes a feature, or refuses it. Throws `BadPlaceFile` where its tehsil has too much. */
  take(raw: RawFeature): void {
    const tehsil = this.#taken(raw);
    if (tehsil !== undefined) checkSize(tehsil, this.#limits);
  }

  /** The tehsil of a feature; undefined for one that is refused. */
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
    const polygons = placePolygons(geometry, { budget, tell: (note) => repairs.push(note) });
    return { properties: this.#withPlace(own), polygons, where: `feature ${row}` };
  }

  /** Names that the feature does not have are those that the caller gave. */
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
    if (this.#rules.isOneATehsil && first !== undefined)
      throw new BadProperty(
        feature.where,
        'tehsil',
        `is ${names.tehsil} (${names.district}, ${names.state}), which feature ${first.row} is already; make one feature of its parts, or correct the name`,
      );
    const tehsil = known ?? { names, features: [], positions: 0 };
    this.tehsils.set(key, tehsil);
    if (this.tehsils.size > MAX_TEHSILS)
      throw new TooMuch(
        `the file has more than ${MAX_TEHSILS} tehsils; give each feature the one that it is of, or split it`,
      );
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
    `${tehsil} (${district}, ${state}) has more than ${much}; give each feature the tehsil that it is of, and simplify it`,
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
