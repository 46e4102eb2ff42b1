import sax from 'sax';

/** Facts from a product's `MTD_MSIL2A.xml`, as far as present. */
export interface SafeMetadata {
  /** Name of the product with `.SAFE`. */
  readonly uri?: string;
  /** True for Level-2A, false for Level-1C. */
  readonly isL2A: boolean;
  /** Start of the acquisition, ISO 8601. */
  readonly startsAt?: string;
  readonly baseline?: string;
  readonly madeAt?: string;
  /** Satellite, such as `S2A`. */
  readonly platform?: string;
  /** Percent. */
  readonly cloudCover?: number;
  /** Digital number for a reflectance of 1. */
  readonly quantification?: number;
  /** `BOA_ADD_OFFSET` by band id (`B02`), digital numbers; empty before baseline 04.00. */
  readonly offsets: ReadonlyMap<string, number>;
}

/** Bands in the order of `band_id` (ESA, Sentinel-2 Products Specification Document, 14.9). */
const BAND_IDS = 'B01 B02 B03 B04 B05 B06 B07 B08 B8A B09 B10 B11 B12'.split(' ');
const MOST_ELEMENTS = 200_000;

interface Leaf {
  readonly text: string;
  readonly bandId: string | undefined;
}

/** Metadata of a product; undefined for other texts. */
export function parseSafeMetadata(xml: string): SafeMetadata | undefined {
  const leaves = leavesOf(xml);
  if (leaves === undefined) return undefined;
  // Products before 2018 have the second of two names.
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => leaves.get(name)?.[0]?.text).find((text) => text !== undefined && text !== '');
  const number = (...names: readonly string[]): number | undefined => {
    const value = Number(first(...names) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const uri = first('PRODUCT_URI', 'PRODUCT_URI_2A');
  const baseline = first('PROCESSING_BASELINE');
  if (uri === undefined && baseline === undefined) return undefined;
  const platform = /^Sentinel-2([A-D])$/.exec(first('SPACECRAFT_NAME') ?? '')?.[1];
  return {
    isL2A: /2A/i.test(first('PROCESSING_LEVEL') ?? uri ?? '2A'),
    offsets: offsetsOf(leaves.get('BOA_ADD_OFFSET') ?? []),
    ...defined({
      uri,
      startsAt: instantOf(first('PRODUCT_START_TIME')),
      baseline: /^\d{2}\.\d{2}$/.test(baseline ?? '') ? baseline : undefined,
      madeAt: instantOf(first('GENERATION_TIME')),
      platform: platform === undefined ? undefined : `S2${platform}`,
      cloudCover: number('Cloud_Coverage_Assessment', 'CLOUD_COVERAGE_ASSESSMENT'),
      quantification: number('BOA_QUANTIFICATION_VALUE', 'L2A_BOA_QUANTIFICATION_VALUE'),
    }),
  };
}

function offsetsOf(leaves: readonly Leaf[]): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  for (const { text, bandId } of leaves) {
    const band = BAND_IDS[Number(bandId ?? Number.NaN)];
    if (band !== undefined && /^-?\d+(?:\.\d+)?$/.test(text)) offsets.set(band, Number(text));
  }
  return offsets;
}

function instantOf(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function leavesOf(xml: string): ReadonlyMap<string, readonly Leaf[]> | undefined {
  const leaves = new Map<string, Leaf[]>();
  const parser = sax.parser(true, { position: false, trim: true });
  let [count, text, isLeaf] = [0, '', false];
  let bandId: string | undefined;
  Object.assign(parser, {
    onerror: (error: Error) => {
      throw error;
    },
    onopentag: ({ attributes }: sax.Tag) => {
      [text, isLeaf, bandId] = ['', true, attributes['band_id']];
      count += 1;
      if (count > MOST_ELEMENTS) throw new RangeError('too many elements');
    },
    ontext: (piece: string) => (text += piece),
    onclosetag: (name: string) => {
      const local = name.slice(name.indexOf(':') + 1);
      const same = leaves.get(local) ?? [];
      if (isLeaf && same.length < BAND_IDS.length) leaves.set(local, [...same, { text, bandId }]);
      isLeaf = false;
    },
  });
  try {
    parser.write(xml).close();
    return leaves;
  } catch {
    return undefined;
  }
}

/** Removes undefined members. */
export function defined<T extends object>(object: T): { readonly [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
