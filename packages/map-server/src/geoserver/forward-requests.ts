import type { DomainError } from '@headwater/core/errors';
import { readUtm } from '../protocol/crs.ts';
import { ogcError } from '../protocol/ogc-error.ts';

type Check = (value: string, name: string) => string;

const FORMATS_WCS = [
  'geotiff',
  'image/tiff',
  'image/geotiff',
  'image/tiff; application=geotiff',
  'image/tiff;application=geotiff',
];
const FORMATS_WMS = ['image/png', 'image/png8', 'image/jpeg', 'image/webp'];
const CRS = [
  'epsg:4326',
  'epsg:3857',
  'crs:84',
  'urn:ogc:def:crs:epsg::4326',
  'urn:ogc:def:crs:epsg::3857',
  'urn:ogc:def:crs:ogc:1.3:crs84',
  'http://www.opengis.net/gml/srs/epsg.xml#4326',
];
const MOST_PIXELS = 4096;

const oneOf =
  (values: readonly string[]): Check =>
  (value, name) => {
    if (values.includes(value.toLowerCase())) return value;
    throw bad(name, value, `send ${values.slice(0, 4).join(', ')}`);
  };

const whole =
  (least: number, most: number): Check =>
  (value, name) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return String(number);
    throw bad(name, value, `send a whole number from ${least} to ${most}`);
  };

const finite = (text: string): boolean =>
  /^[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d{1,3})?$/i.test(text.trim()) && Number.isFinite(Number(text));

const box: Check = (value, name) => {
  const [west = '', south = '', east = '', north = '', crs, ...more] = value.split(',').map((each) => each.trim());
  const numbers = [west, south, east, north];
  const isKnown = crs === undefined || CRS.includes(crs.toLowerCase());
  if (more.length > 0 || !numbers.every(finite) || !isKnown)
    throw bad(
      name,
      value,
      'send four numbers, and after them EPSG:4326 or EPSG:3857 if you want to name the coordinate system',
    );
  return [...numbers.map(Number), ...(crs === undefined ? [] : [crs])].join(',');
};

const subset: Check = (value, name) => {
  const [, axis, low = '', high = ''] = /^(Long|Lat)\(([^,()]+)(?:,([^,()]+))?\)$/.exec(value) ?? [];
  if (axis === undefined || !finite(low) || (high !== '' && !finite(high)))
    throw bad(name, value, 'send Long(west,east) or Lat(south,north)');
  return high === '' ? `${axis}(${Number(low)})` : `${axis}(${Number(low)},${Number(high)})`;
};

const time: Check = (value, name) => {
  const day = String.raw`\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?)?)?`;
  if (new RegExp(`^${day}(/${day})?$`).test(value)) return value;
  throw bad(name, value, 'send an instant or an interval of ISO 8601, such as 2024-07-01 or 2023-07-01/2024-06-30');
};

const sizes: Check = (value, name) => {
  const match = /^i\((\d{1,5})\),j\((\d{1,5})\)$/.exec(value);
  if (match === null || Number(match[1]) > MOST_PIXELS || Number(match[2]) > MOST_PIXELS)
    throw bad(name, value, `send i(columns),j(rows), each at most ${MOST_PIXELS}`);
  return value;
};

const styles: Check = (value, name) => {
  // Style names are not forwarded; each layer has its default style.
  if (/^[\w.,:-]*$/.test(value)) return '';
  throw bad(name, value, 'leave it empty for the default style');
};

const color: Check = (value, name) => {
  if (/^0x[0-9a-f]{6}$/i.test(value)) return value;
  throw bad(name, value, 'send six hexadecimal digits after 0x');
};

const mapCrs: Check = (value, name) => (readUtm(value) === undefined ? oneOf(CRS)(value, name) : value);
const flag = oneOf(['true', 'false']);
const pixels = whole(1, MOST_PIXELS);
const GET_MAP = {
  styles,
  bbox: box,
  width: pixels,
  height: pixels,
  srs: mapCrs,
  crs: mapCrs,
  format: oneOf(FORMATS_WMS),
  transparent: flag,
  bgcolor: color,
  time,
};

/** A kind of forwarded request. `layers`: parameter that names layers. `parameters`: checks of the other parameters. */
export interface Forwarded {
  readonly layers?: string;
  readonly parameters: Readonly<Record<string, Check>>;
}

/** Forwarded requests by service and name. */
export const REQUESTS: Readonly<Record<string, Readonly<Record<string, Forwarded>>>> = {
  wcs: {
    getcapabilities: { parameters: {} },
    describecoverage: { layers: 'coverageid', parameters: {} },
    getcoverage: {
      layers: 'coverageid',
      parameters: {
        format: oneOf(FORMATS_WCS),
        subset,
        scalesize: sizes,
        compression: oneOf(['lzw', 'deflate', 'none']),
        tiling: flag,
        tileheight: whole(16, MOST_PIXELS),
        tilewidth: whole(16, MOST_PIXELS),
      },
    },
  },
  wms: {
    getcapabilities: { parameters: {} },
    getmap: { layers: 'layers', parameters: GET_MAP },
    getlegendgraphic: {
      layers: 'layer',
      parameters: {
        format: oneOf([...FORMATS_WMS, 'application/json']),
        width: whole(1, 200),
        height: whole(1, 200),
        style: styles,
      },
    },
  },
};

/** Forwarded versions by service; the last is the default. */
export const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  wcs: ['2.0.1'],
  wms: ['1.1.1', '1.3.0'],
};
/** Maximum number of layers in one request. */
export const MOST_LAYERS = 20;
/** Error for a value that is not forwarded. */
export function bad(name: string, value: string, remedy: string): DomainError {
  return ogcError('InvalidParameterValue', name, `${name}: "${value.slice(0, 100)}" is not possible; ${remedy}`);
}
