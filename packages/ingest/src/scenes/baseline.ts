import { asNumber, asText, own, type JsonObject } from './json.ts';

/** Start of processing baseline 04.00, from which products carry an offset of 1000 DN: 25 January 2022 (ESA). */
const OFFSET_SINCE = Date.parse('2022-01-25T00:00:00Z');
/** Processing baseline from which products carry the offset. */
const OFFSET_BASELINE = 4;

const BASELINES = ['s2:processing_baseline', 'sentinel:processing_baseline', 'processing:version'] as const;
const PRODUCTS = ['s2:product_uri', 's2:product_id', 'sentinel:product_id', 's2:granule_id'] as const;

/** What an Item says about its product, as far as the offset goes. */
export interface ProductFacts {
  readonly id: string;
  readonly properties: JsonObject;
  /** ISO 8601 instant of acquisition. */
  readonly datetime: string;
}

/** True where the product came with the offset, false where it did not, undefined where nobody can tell. */
export function carriesOffset({ id, properties, datetime }: ProductFacts): boolean | undefined {
  const baseline = saidBaseline(properties) ?? namedBaseline(id, properties);
  if (baseline !== undefined) return baseline >= OFFSET_BASELINE;
  return Date.parse(datetime) < OFFSET_SINCE ? false : undefined;
}

function saidBaseline(properties: JsonObject): number | undefined {
  for (const key of BASELINES) {
    const value = own(properties, key);
    if (asNumber(value) !== undefined) return asNumber(value);
    const text = asText(value);
    if (text !== undefined && /^\d{1,2}\.\d{2}$/.test(text)) return Number(text);
  }
  return undefined;
}

/** The baseline that stands in the product's name: `_N0400_`, in granules `_N04.00`. */
function namedBaseline(id: string, properties: JsonObject): number | undefined {
  for (const name of [...PRODUCTS.map((key) => asText(own(properties, key))), id]) {
    const [, whole, rest] = /_N(\d{2})\.?(\d{2})(?=_|\.|$)/.exec(name ?? '') ?? [];
    if (whole !== undefined && rest !== undefined) return Number(`${whole}.${rest}`);
  }
  return undefined;
}
