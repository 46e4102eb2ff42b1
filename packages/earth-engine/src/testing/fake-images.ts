/** An image in the form of Earth Engine's lists. */
export interface FakeImage {
  readonly id: string;
  readonly startTime: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] };
  readonly bands: readonly FakeBand[];
}

/** A band of an image. */
export interface FakeBand {
  readonly id: string;
  readonly grid: FakeGrid;
}

/** Grid in the form of Earth Engine. */
export interface FakeGrid {
  readonly crsCode: string;
  readonly dimensions: { readonly width: number; readonly height: number };
  readonly affineTransform: Readonly<Record<string, number>>;
}

/** A request for pixels of one image. */
export interface FakePixels {
  readonly id: string;
  readonly bandIds: readonly string[];
  readonly grid: FakeGrid;
}

/** A collection of images. */
export interface FakeImages {
  readonly list: readonly FakeImage[];
  readonly pixels: (request: FakePixels) => Promise<Uint8Array>;
  /** Largest number of images per page; default 500. */
  readonly pageSize?: number;
}

const COLLECTION = 'COPERNICUS/S2_SR_HARMONIZED';
const MOST_BYTES = 48 * 1024 * 1024;
const MOST_SIDE = 32_768;

/** Response to a request for a page of a collection. */
export function listedImages(images: FakeImages, query: URLSearchParams): Response {
  const filter = query.get('filter') ?? '';
  const [, from = '', to = ''] =
    /^startTime >= "([^"]+)" AND startTime < "([^"]+)" AND intersects\(/.exec(filter) ?? [];
  const [, ring = ''] = /intersects\("(.*)"\)$/.exec(filter) ?? [];
  if (from === '' || ring === '') return invalid(`Invalid filter: ${filter}`);
  const box = boxOf(JSON.parse(ring.replaceAll("'", '"')) as FakeImage['geometry']);
  const found = images.list.filter(
    ({ startTime, geometry }) => startTime >= from && startTime < to && overlaps(boxOf(geometry), box),
  );
  const first = Number(query.get('pageToken') ?? 0);
  const size = Math.min(Number(query.get('pageSize') ?? 500), images.pageSize ?? 500);
  const more = first + size < found.length ? { nextPageToken: String(first + size) } : {};
  const name = `projects/earthengine-public/assets/${COLLECTION}`;
  const assets = found
    .slice(first, first + size)
    .map(({ id, ...image }) => ({ type: 'IMAGE', name: `${name}/${id}`, id: `${COLLECTION}/${id}`, ...image }));
  // Google omits an empty list.
  return Response.json({ ...(assets.length === 0 ? {} : { assets }), ...more });
}

interface PixelBody {
  readonly expression?: { readonly result: string; readonly values: Readonly<Record<string, unknown>> };
  readonly fileFormat?: string;
  readonly bandIds?: readonly string[];
  readonly grid?: FakeGrid;
  readonly workloadTag?: string;
}

/** Response to a request for pixels of an image or of a constant. */
export async function computedPixels(images: FakeImages | undefined, body: PixelBody): Promise<Response> {
  const { expression, fileFormat, bandIds = [], grid, workloadTag = '' } = body;
  const { functionName, arguments: given = {} } = callOf(expression?.values[expression.result]);
  if (fileFormat !== 'GEO_TIFF' || grid === undefined) return invalid('The fake needs GEO_TIFF and a grid.');
  if (!/^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/.test(workloadTag)) return invalid('Invalid workload tag.');
  const { width, height } = grid.dimensions;
  const bytes = width * height * bandIds.length * 2;
  if (bytes > MOST_BYTES || Math.max(width, height) > MOST_SIDE)
    return invalid(`Total request size (${bytes} bytes) must be less than or equal to ${MOST_BYTES} bytes.`);
  if (functionName === 'Image.constant') return tiff(new Uint8Array([0x49, 0x49, 42, 0, 8, 0, 0, 0]));
  const asset = given['id']?.constantValue;
  const id = typeof asset === 'string' ? asset.replace(`${COLLECTION}/`, '') : '';
  if (functionName !== 'Image.load' || images?.list.every((image) => image.id !== id) !== false)
    return invalid(`Image.load: Image asset '${COLLECTION}/${id}' not found.`);
  return tiff(await images.pixels({ id, bandIds, grid }));
}

interface Call {
  readonly functionName?: string;
  readonly arguments?: Readonly<Record<string, { readonly constantValue?: unknown }>>;
}

const callOf = (value: unknown): Call =>
  (value as { functionInvocationValue?: Call } | undefined)?.functionInvocationValue ?? {};

const tiff = (bytes: Uint8Array): Response =>
  new Response(new Uint8Array(bytes), { headers: { 'content-type': 'image/tiff' } });

const invalid = (message: string): Response =>
  Response.json({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, { status: 400 });

type Box = readonly [number, number, number, number];

function boxOf({ coordinates }: FakeImage['geometry']): Box {
  const [ring = []] = coordinates as readonly (readonly (readonly [number, number])[])[];
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

const overlaps = (a: Box, b: Box): boolean => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
