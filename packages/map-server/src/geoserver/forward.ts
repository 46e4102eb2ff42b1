import { DomainError, messageOf } from '@headwater/core/errors';
import type { MapLayer, MapLayers, MapReply, MapRequest } from '@headwater/core/ports';
import { ogcError } from '../protocol/ogc-error.ts';

/** Parts that `forward` uses. */
export interface ForwardParts {
  /** Address of the GeoServer, without trailing slash. */
  readonly root: string;
  /** Public address of the map server, which replaces `root` in capabilities. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly layers: MapLayers;
}

/** Facts that the checks of parameters use. */
interface Checks {
  readonly layers: readonly MapLayer[];
}

/** Checks the value of a parameter, and returns the value to send. */
type Check = (value: string, name: string, checks: Checks) => string;

const FORMATS_WFS = [
  'application/json',
  'json',
  'gml2',
  'gml3',
  'gml32',
  'csv',
  'shape-zip',
  'text/xml; subtype=gml/2.1.2',
  'text/xml; subtype=gml/3.1.1',
  'application/gml+xml; version=3.2',
];
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
/** Largest width and height of a picture, pixels. */
const MOST_PIXELS = 4096;
/** Most features of one request. */
const MOST_FEATURES = 1_000_000;

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

/** Checks names of columns. The GeoServer gets only names of columns that the layers have. */
const columns: Check = (value, name, { layers }) => {
  if (value === '*') return value;
  const known = new Set(layers.flatMap((layer) => [layer.geometryName, ...layer.columns.map((column) => column.name)]));
  const unknown = value.split(',').find((each) => !known.has(each.trim()));
  if (unknown === undefined) return value;
  throw bad(name, unknown, 'send names of columns of the layer, as DescribeFeatureType lists them');
};

const order: Check = (value, name, checks) => {
  for (const each of value.split(',')) {
    const [column = '', direction = 'A', ...more] = each.trim().split(/[ +]/);
    if (more.length > 0 || !['A', 'D', 'ASC', 'DESC'].includes(direction.toUpperCase()))
      throw bad(name, each, 'send the name of a column, and A or D after a space');
    columns(column, name, checks);
  }
  return value;
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
  // Each layer is drawn in its default style, so no name of a style is forwarded.
  if (/^[\w.,:-]*$/.test(value)) return '';
  throw bad(name, value, 'leave it empty for the default style');
};

const color: Check = (value, name) => {
  if (/^0x[0-9a-f]{6}$/i.test(value)) return value;
  throw bad(name, value, 'send six hexadecimal digits after 0x');
};

const flag = oneOf(['true', 'false']);
const pixels = whole(1, MOST_PIXELS);
const GET_MAP = {
  styles,
  bbox: box,
  width: pixels,
  height: pixels,
  srs: oneOf(CRS),
  crs: oneOf(CRS),
  format: oneOf(FORMATS_WMS),
  transparent: flag,
  bgcolor: color,
  time,
};

/**
 * A kind of request that is forwarded. `layers` is the name of the parameter that names layers. `parameters` are the checks of all other
 * parameters.
 */
interface Forwarded {
  readonly layers?: string;
  readonly parameters: Readonly<Record<string, Check>>;
}

const REQUESTS: Readonly<Record<string, Readonly<Record<string, Forwarded>>>> = {
  wfs: {
    getcapabilities: { parameters: {} },
    describefeaturetype: { layers: 'typename', parameters: {} },
    getfeature: {
      layers: 'typename',
      parameters: {
        outputformat: oneOf(FORMATS_WFS),
        maxfeatures: whole(0, MOST_FEATURES),
        count: whole(0, MOST_FEATURES),
        startindex: whole(0, MOST_FEATURES),
        bbox: box,
        srsname: oneOf(CRS),
        propertyname: columns,
        sortby: order,
        resulttype: oneOf(['hits', 'results']),
      },
    },
  },
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
    getfeatureinfo: {
      layers: 'layers',
      parameters: {
        ...GET_MAP,
        x: whole(0, MOST_PIXELS),
        y: whole(0, MOST_PIXELS),
        i: whole(0, MOST_PIXELS),
        j: whole(0, MOST_PIXELS),
        info_format: oneOf(['application/json', 'text/plain']),
        feature_count: whole(1, 100),
      },
    },
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

const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  wfs: ['1.0.0', '1.1.0', '2.0.0'],
  wcs: ['2.0.1'],
  wms: ['1.1.1', '1.3.0'],
};
/** Most layers of one request. */
const MOST_LAYERS = 20;
/** Largest capabilities document, bytes. */
const MOST_TEXT = 64 * 2 ** 20;
/** Time limit until the response begins, ms. */
const TIMEOUT_MS = 60_000;

/**
 * Forwards a read to the GeoServer. The request is built again from its checked parameters, so no unchecked text of the client arrives at
 * the GeoServer. No credentials are sent. An exception report of the GeoServer is replaced by an error of this service, because the report
 * may contain SQL and paths.
 */
export async function forward(parts: ForwardParts, request: MapRequest): Promise<MapReply> {
  const { root, url, fetch } = parts;
  const asked = await rewritten(parts, request);
  const target = `${root}/${asked.path.map(encodeURIComponent).join('/')}?${new URLSearchParams(asked.query).toString()}`;
  const range = request.headers['range'];
  let response: Response;
  try {
    response = await fetch(target, {
      method: request.method,
      redirect: 'manual',
      headers: typeof range === 'string' && /^bytes=[\d,-]+$/.test(range) ? { range } : {},
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (cause) {
    throw new DomainError('unavailable', `the map server does not answer (${messageOf(cause)}); try again later`, {
      cause,
    });
  }
  const type = response.headers.get('content-type') ?? '';
  if (response.status >= 300 || isExceptionReport(type)) throw await refusal(response, asked.request);
  if (/xml|html/.test(type) && asked.request === 'getcapabilities') {
    const text = (await limitedText(response)).replaceAll(root, url);
    return { status: 200, headers: { 'content-type': type }, body: text };
  }
  if (/xml/.test(type) || /json/.test(type)) return await checkedStart(response, asked.request);
  return { status: response.status, headers: forwardedHeaders(response), body: response.body ?? undefined };
}

/** Request as it is sent to the GeoServer. */
interface Rewritten {
  readonly request: string;
  readonly path: readonly string[];
  readonly query: Record<string, string>;
}

async function rewritten({ layers }: ForwardParts, { segments, query }: MapRequest): Promise<Rewritten> {
  const last = segments.at(-1) ?? '';
  const service = (last === 'ows' ? (query['service'] ?? '') : last).toLowerCase();
  const requests = Object.hasOwn(REQUESTS, service) ? REQUESTS[service] : undefined;
  const versions = Object.hasOwn(VERSIONS, service) ? VERSIONS[service] : undefined;
  if (requests === undefined || versions === undefined) throw bad('service', service, 'send WFS, WCS or WMS');
  const request = (query['request'] ?? '').toLowerCase();
  const form = Object.hasOwn(requests, request) ? requests[request] : undefined;
  if (form === undefined)
    throw ogcError(
      'OperationNotSupported',
      'request',
      `request: "${request}" is not offered; send ${Object.keys(requests).join(', ')}`,
    );
  const version = query['version'] ?? versions.at(-1)!;
  if (!versions.includes(version)) throw bad('version', version, `send ${versions.join(' or ')}`);
  const [workspace] = segments.length > 1 ? segments : [undefined];
  if (workspace !== undefined && !(await layers.workspaces()).includes(workspace))
    throw new DomainError(
      'not_found',
      `workspace: "${workspace.slice(0, 100)}" has no layer; use a name of an Item's href`,
      {
        details: { ogcCode: 'InvalidParameterValue', locator: 'workspace' },
      },
    );
  const named = await namedLayers(layers, { form, query, workspace });
  const sent: Record<string, string> = { service: service.toUpperCase(), version, request };
  if (form.layers !== undefined && named.length > 0)
    sent[parameterOf(service, version, form.layers)] = named
      .map((layer) => `${layer.workspace}:${layer.name}`)
      .join(',');
  for (const [name, value] of Object.entries(query)) {
    if (['service', 'version', 'request', 'run', form.layers, 'typenames', 'query_layers'].includes(name)) continue;
    const check = Object.hasOwn(form.parameters, name) ? form.parameters[name] : undefined;
    if (check === undefined)
      throw ogcError('OptionNotSupported', name, `${name}: this parameter is not offered; leave it out`);
    if (value !== '') sent[name] = check(value, name, { layers: named });
  }
  if (request === 'getfeatureinfo') sent['query_layers'] = sent['layers'] ?? '';
  return { request, path: workspace === undefined ? [service] : [workspace, service], query: sent };
}

const parameterOf = (service: string, version: string, name: string): string =>
  service === 'wfs' && version === '2.0.0' ? 'typenames' : name;

/** The published layers that the request names. Their stored names are forwarded, not the text of the client. */
async function namedLayers(
  layers: MapLayers,
  {
    form,
    query,
    workspace,
  }: { readonly form: Forwarded; readonly query: MapRequest['query']; readonly workspace: string | undefined },
): Promise<readonly MapLayer[]> {
  if (form.layers === undefined) return [];
  const text = query[form.layers] ?? query['typenames'] ?? '';
  const names = text.split(',').filter((each) => each !== '');
  if (names.length === 0 && Object.keys(form.parameters).length > 0)
    throw ogcError('MissingParameterValue', form.layers, `${form.layers}: missing; name a layer`);
  if (names.length > MOST_LAYERS) throw bad(form.layers, `${names.length} layers`, `name at most ${MOST_LAYERS}`);
  return await Promise.all(
    names.map(async (each) => {
      const [, prefix, plain = each] = /^(.+?)(?::|__)(.+)$/s.exec(each) ?? [];
      const found = await layers.find(prefix ?? workspace ?? '', plain);
      if (found !== undefined && (workspace === undefined || found.workspace === workspace)) return found;
      throw new DomainError(
        'not_found',
        `${form.layers}: there is no layer "${each.slice(0, 100)}"; use a name of GetCapabilities`,
        {
          details: { ogcCode: 'InvalidParameterValue', locator: form.layers },
        },
      );
    }),
  );
}

function bad(name: string, value: string, remedy: string): DomainError {
  return ogcError('InvalidParameterValue', name, `${name}: "${value.slice(0, 100)}" is not possible; ${remedy}`);
}

const isExceptionReport = (type: string): boolean => /se_xml|se\+xml/.test(type);

/** Error for an answer that is an exception. The server's own text is only in `cause`. */
async function refusal(response: Response, request: string): Promise<DomainError> {
  const cause = new Error((await limitedText(response).catch(() => '')).slice(0, 2000));
  if (response.status >= 500 || (response.status >= 300 && response.status < 400) || response.status === 401)
    return new DomainError('unavailable', `the map server failed with status ${response.status}; try again later`, {
      cause,
    });
  return new DomainError('validation', `the map server refuses this ${request} request; check its parameters`, {
    cause,
    details: { ogcCode: 'NoApplicableCode', locator: 'request' },
  });
}

/** Number of bytes at the beginning of a response in which an exception report is searched. */
const HEAD_BYTES = 2048;

/** Streams a text. Throws if the text begins as an exception report, because older versions of GeoServer send reports with status 200. */
async function checkedStart(response: Response, request: string): Promise<MapReply> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let isDone = reader === undefined;
  while (!isDone && bytes < HEAD_BYTES) {
    const { done, value } = await reader!.read();
    isDone = done;
    if (value !== undefined) pieces.push(value);
    bytes += value?.byteLength ?? 0;
  }
  const head = Buffer.concat(pieces);
  if (/<(?:\w+:)?(?:ServiceExceptionReport|ExceptionReport)\b/.test(head.toString('utf8', 0, HEAD_BYTES))) {
    await reader?.cancel();
    throw await refusal(new Response(new Uint8Array(head), { status: 400 }), request);
  }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (head.length > 0) controller.enqueue(new Uint8Array(head));
      if (isDone) controller.close();
    },
    pull: async (controller) => {
      const { done, value } = await reader!.read();
      if (value !== undefined) controller.enqueue(value);
      if (done) controller.close();
    },
    cancel: async (reason) => await reader?.cancel(reason),
  });
  return { status: response.status, headers: forwardedHeaders(response), body };
}

/** Headers that are passed on; `geotiff` is no media type, so it is corrected. */
function forwardedHeaders({ headers }: Response): Record<string, string> {
  const type = headers.get('content-type') ?? 'application/octet-stream';
  const sent: Record<string, string> = {
    'content-type': type === 'geotiff' ? 'image/tiff; application=geotiff' : type,
  };
  for (const name of ['content-range', 'accept-ranges', 'last-modified']) {
    const value = headers.get(name);
    if (value !== null) sent[name] = value;
  }
  return sent;
}

async function limitedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MOST_TEXT)
      throw new DomainError('unavailable', `the map server sent more than ${MOST_TEXT / 2 ** 20} MiB of text`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
