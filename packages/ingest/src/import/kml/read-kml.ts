import type { Position } from 'geojson';
import sax from 'sax';
import { BadPlaceFile, TooMuch } from '../../places/bad-place-file.ts';
import { type BadFeature, type FeatureReading, MAX_FEATURE_BYTES, type RawFeature } from '../features/raw-feature.ts';
import { joined, type KmlGeometry, positionsOf, valueOf } from './kml-geometry.ts';
import { openKml } from './kml-source.ts';

/** Endings of KML and KMZ files. */
export const KML_ENDINGS: readonly string[] = ['.kml', '.kmz'];

/** Maximum depth of elements. Folders and geometries can be nested. */
const MOST_DEPTH = 64;
const MOST_ATTRIBUTES = 100;
/**
 * Number of characters that each element or attribute of a placemark adds to its size, because even an empty one needs
 * memory.
 */
const ELEMENT = 64;
const MOST_OUTSIDE = 64 * 1024 * 1024;
const MOST_FIELDS = 10_000;

/**
 * Reads the placemarks of a KML or KMZ file one by one. Pictures and styles are ignored; a document type (entities) or
 * NetworkLink (another address) is refused. `most`: maximum size, bytes.
 */
export async function* readKml(
  { path, fileName, progress }: Pick<FeatureReading, 'path' | 'fileName' | 'progress'>,
  most?: number,
): AsyncGenerator<RawFeature | BadFeature> {
  const source = await openKml(path, fileName, most);
  const document = new KmlDocument(fileName);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let done = 0;
  try {
    for await (const chunk of source.chunks) {
      document.write(decoded(decoder, chunk));
      yield* document.taken();
      progress((done += chunk.byteLength), source.bytes);
    }
    document.end(decoded(decoder, undefined));
    yield* document.taken();
  } finally {
    source.close();
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new BadPlaceFile('the KML document is not in UTF-8; save it again in UTF-8');
  }
}

interface Placemark {
  readonly row: number;
  readonly properties: Map<string, string | number>;
  readonly geometries: KmlGeometry[];
  /** Outer and inner outlines of the polygon that is being read; a valid polygon has one outer outline. */
  outer: Position[][];
  inner: Position[][];
  field: string;
  problem: string | undefined;
  characters: number;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

const UNREAD: ReadonlySet<string> = new Set(['Model', 'Track', 'MultiTrack']);

class KmlDocument {
  readonly #parser = sax.parser(true, { position: false });
  readonly #fileName: string;
  readonly #features: (RawFeature | BadFeature)[] = [];
  /** Names of the open elements from the root, and the texts directly in them. */
  readonly #open: string[] = [];
  readonly #texts: string[][] = [];
  readonly #types = new Map<string, string>();
  #attributes = new Map<string, string>();
  #row = 0;
  #outside = 0;
  #placemark: Placemark | undefined;
  #hasRoot = false;

  constructor(fileName: string) {
    this.#fileName = fileName;
    const events: Partial<
      Pick<sax.SAXParser, 'onerror' | 'ondoctype' | 'onattribute' | 'onopentag' | 'ontext' | 'oncdata' | 'onclosetag'>
    > = {
      onerror: (error) => {
        throw new BadPlaceFile(`this is not KML (${error.message.split('\n')[0]}); save the map again as KML`);
      },
      ondoctype: () => {
        throw new BadPlaceFile('the KML document has a document type, which KML does not need; remove <!DOCTYPE …>');
      },
      onattribute: ({ name, value }) => {
        this.#count(name.length + value.length, ELEMENT);
        this.#attributes.set(local(name), value);
        if (this.#attributes.size > MOST_ATTRIBUTES) throw tooMuch(`${MOST_ATTRIBUTES} attributes in one element`);
      },
      onopentag: ({ name }) => this.#begin(local(name)),
      ontext: (text) => this.#addText(text),
      oncdata: (text) => this.#addText(text),
      onclosetag: () => this.#finish(),
    };
    Object.assign(this.#parser, events);
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(text: string): void {
    this.#parser.write(text).close();
    if (!this.#hasRoot) throw new BadPlaceFile('this is not KML: it is empty; save the map again as KML');
  }

  /** Yields the placemarks that were read since the last call. */
  *taken(): Generator<RawFeature | BadFeature> {
    yield* this.#features.splice(0);
  }

  #begin(name: string): void {
    if (!this.#hasRoot && name !== 'kml')
      throw new BadPlaceFile(`this is not KML: it begins with <${name.slice(0, 40)}> instead of <kml>`);
    this.#hasRoot = true;
    if (name === 'NetworkLink')
      throw new BadPlaceFile(
        'the KML document has a NetworkLink to data at another address, which is not read; save these data themselves as KML',
      );
    this.#open.push(name);
    this.#texts.push([]);
    if (this.#open.length > MOST_DEPTH) throw tooMuch(`${MOST_DEPTH} nested elements`);
    const attributes = this.#attributes;
    this.#attributes = new Map();
    if (name === 'SimpleField') this.#declare(attributes);
    if (name === 'Placemark' && this.#placemark === undefined) this.#placemark = this.#newPlacemark();
    this.#count(name.length, ELEMENT);
    const placemark = this.#placemark;
    if (placemark === undefined) return;
    if (name === 'Data' || name === 'SimpleData') placemark.field = attributes.get('name') ?? '';
    if (name === 'Polygon') [placemark.outer, placemark.inner] = [[], []];
    if (UNREAD.has(name)) placemark.problem ??= `a ${name} cannot be imported; draw polygons, lines or points`;
  }

  #declare(attributes: ReadonlyMap<string, string>): void {
    this.#types.set(attributes.get('name') ?? '', attributes.get('type') ?? '');
    if (this.#types.size > MOST_FIELDS) throw tooMuch(`${MOST_FIELDS} fields in its Schemas`);
  }

  #newPlacemark(): Placemark {
    this.#row += 1;
    return {
      row: this.#row,
      properties: new Map(),
      geometries: [],
      outer: [],
      inner: [],
      field: '',
      problem: undefined,
      characters: 0,
    };
  }

  #addText(text: string): void {
    this.#count(text.length);
    // Text outside of placemarks is only counted.
    if (this.#placemark !== undefined) this.#texts.at(-1)?.push(text);
  }

  /**
   * Counts characters of the open placemark; if none is open, characters outside of placemarks. Throws above the limit
   * of the placemark or of the text outside. `more`: memory that a placemark needs in addition to its text.
   */
  #count(characters: number, more = 0): void {
    if (this.#placemark === undefined) {
      this.#outside += characters;
      if (this.#outside > MOST_OUTSIDE) throw tooMuch('64 MB outside of its placemarks');
      return;
    }
    this.#placemark.characters += characters + more;
    if (this.#placemark.characters > MAX_FEATURE_BYTES)
      throw new TooMuch('a placemark has more than 64 MB; simplify it');
  }

  #finish(): void {
    const name = this.#open.pop() ?? '';
    const text = (this.#texts.pop() ?? []).join('');
    const placemark = this.#placemark;
    if (placemark === undefined) return;
    if (name === 'Placemark' && !this.#open.includes('Placemark')) {
      this.#placemark = undefined;
      this.#features.push(featureOf(placemark, this.#fileName));
      return;
    }
    const parent = this.#open.at(-1) ?? '';
    if ((name === 'name' || name === 'description') && parent === 'Placemark') set(placemark, name, text.trim());
    if ((name === 'value' && parent === 'Data') || name === 'SimpleData')
      set(
        placemark,
        placemark.field,
        valueOf(text, name === 'SimpleData' ? this.#types.get(placemark.field) : undefined),
      );
    try {
      this.#geometry(placemark, name, { parent, text });
    } catch (error) {
      if (!(error instanceof BadPlaceFile)) throw error;
      placemark.problem ??= error.message;
    }
  }

  #geometry(
    placemark: Placemark,
    name: string,
    { parent, text }: { readonly parent: string; readonly text: string },
  ): void {
    if (name === 'Polygon') {
      const { outer, inner } = placemark;
      [placemark.outer, placemark.inner] = [[], []];
      if (outer.length === 1) placemark.geometries.push({ type: 'Polygon', coordinates: [...outer, ...inner] });
      else
        placemark.problem ??= `a polygon has ${outer.length} outlines; it needs one outerBoundaryIs with one LinearRing`;
    }
    if (name !== 'coordinates') return;
    const positions = positionsOf(text);
    const boundary = this.#open.at(-2) ?? '';
    if (parent === 'Point') {
      if (positions.length !== 1) throw new BadPlaceFile(`a point has ${positions.length} positions instead of one`);
      placemark.geometries.push({ type: 'Point', coordinates: positions[0] });
    } else if (parent === 'LinearRing' && boundary === 'outerBoundaryIs') placemark.outer.push(positions);
    else if (parent === 'LinearRing' && boundary === 'innerBoundaryIs') placemark.inner.push(positions);
    else if (parent === 'LineString' || parent === 'LinearRing')
      placemark.geometries.push({ type: 'LineString', coordinates: positions });
  }
}

const tooMuch = (what: string): TooMuch =>
  new TooMuch(`the KML document has more than ${what}; save the map again as KML`);

function set({ properties }: Placemark, name: string, value: string | number): void {
  if (name !== '' && value !== '') properties.set(name, value);
}

function featureOf(placemark: Placemark, source: string): RawFeature | BadFeature {
  const { row, properties, geometries, problem } = placemark;
  if (problem !== undefined) return { source, row, problem };
  try {
    return { source, row, properties: Object.fromEntries(properties), geometry: joined(geometries) };
  } catch (error) {
    if (error instanceof BadPlaceFile) return { source, row, problem: error.message };
    throw error;
  }
}
