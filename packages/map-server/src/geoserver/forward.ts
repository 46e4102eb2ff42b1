import { DomainError, messageOf } from '@headwater/core/errors';
import type { MapLayer, MapLayers, MapReply, MapRequest } from '@headwater/core/ports';
import { ogcError } from '../protocol/ogc-error.ts';
import { bad, type Forwarded, MOST_LAYERS, REQUESTS, VERSIONS } from './forward-requests.ts';
import { limitedText } from './rest-client.ts';

/** Dependencies of `forward`. */
export interface ForwardParts {
  /** Address of the GeoServer, without trailing slash. */
  readonly root: string;
  /** Public address of the map server. It replaces `root` in capabilities. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly layers: MapLayers;
  /** Time limit from the request to the end of the response, ms. */
  readonly timeoutMs?: number | undefined;
}

const MOST_TEXT = 64 * 2 ** 20;
const TIMEOUT_MS = 60_000;

/**
 * Rebuilds a read request from checked parameters, without credentials, and forwards it to the GeoServer. Exception
 * reports are replaced, because they may contain SQL and paths.
 */
export async function forward(parts: ForwardParts, request: MapRequest): Promise<MapReply> {
  const { root, url, fetch, timeoutMs = TIMEOUT_MS } = parts;
  const outgoing = await rewritten(parts, request);
  const target = `${root}/${outgoing.path.map(encodeURIComponent).join('/')}?${outgoing.query.toString()}`;
  const range = request.headers['range'];
  let response: Response;
  try {
    response = await fetch(target, {
      method: request.method,
      redirect: 'manual',
      headers: typeof range === 'string' && /^bytes=[\d,-]+$/.test(range) ? { range } : {},
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
    });
  } catch (cause) {
    throw new DomainError('unavailable', `the map server does not answer (${messageOf(cause)}); try again later`, {
      cause,
    });
  }
  const type = response.headers.get('content-type') ?? '';
  if (response.status >= 300 || isExceptionReport(type)) throw await refusal(response, outgoing.request);
  if (/xml/.test(type) && outgoing.request === 'getcapabilities') {
    const text = (await limitedText(response, MOST_TEXT)).replaceAll(root, url);
    return { status: 200, headers: { 'content-type': type }, body: text };
  }
  if (/xml/.test(type) || /json/.test(type)) return await checkedStart(response, outgoing.request);
  if (!/^(?:image\/|geotiff$)/.test(type)) {
    await response.body?.cancel();
    throw new DomainError(
      'unavailable',
      'the map server sent something other than a map, for example the page of a proxy; try again later',
    );
  }
  return { status: response.status, headers: forwardedHeaders(response), body: response.body ?? undefined };
}

interface Rewritten {
  readonly request: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

async function rewritten({ layers }: ForwardParts, { segments, query }: MapRequest): Promise<Rewritten> {
  const last = segments.at(-1) ?? '';
  const service = (last === 'ows' ? (query['service'] ?? '') : last).toLowerCase();
  const requests = Object.hasOwn(REQUESTS, service) ? REQUESTS[service] : undefined;
  const versions = Object.hasOwn(VERSIONS, service) ? VERSIONS[service] : undefined;
  if (requests === undefined || versions === undefined) throw bad('service', service, 'send WCS or WMS');
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
      `workspace: "${workspace.slice(0, 100)}" is unknown; use the workspace in the href of an asset of a STAC Item`,
      {
        details: { ogcCode: 'InvalidParameterValue', locator: 'workspace' },
      },
    );
  const named = await namedLayers(layers, { form, query, workspace });
  const sent = new URLSearchParams({ service: service.toUpperCase(), version, request });
  if (form.layers !== undefined && named.length > 0)
    sent.set(form.layers, named.map((layer) => `${layer.workspace}:${layer.name}`).join(','));
  for (const [name, value] of Object.entries(query)) {
    if (['service', 'version', 'request', 'run', form.layers].includes(name)) continue;
    const check = Object.hasOwn(form.parameters, name) ? form.parameters[name] : undefined;
    if (check === undefined)
      throw ogcError('OptionNotSupported', name, `${name}: this parameter is not offered; leave it out`);
    if (value === '') continue;
    // Values of several parameters `subset` arrive joined by commas.
    const values = name === 'subset' ? value.split(/(?<=\)),/) : [value];
    for (const each of values) sent.append(name, check(each, name));
  }
  return { request, path: workspace === undefined ? [service] : [workspace, service], query: sent };
}

/** Finds the layers that a request names. Their stored names are forwarded instead of the client's text. */
async function namedLayers(
  layers: MapLayers,
  {
    form,
    query,
    workspace,
  }: { readonly form: Forwarded; readonly query: MapRequest['query']; readonly workspace: string | undefined },
): Promise<readonly MapLayer[]> {
  if (form.layers === undefined) return [];
  const text = query[form.layers] ?? '';
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
        `${form.layers}: there is no layer "${each.slice(0, 100)}"; use a layer that GetCapabilities lists`,
        {
          details: { ogcCode: 'InvalidParameterValue', locator: form.layers },
        },
      );
    }),
  );
}

const isExceptionReport = (type: string): boolean => /se_xml|se\+xml/.test(type);

/** Error for a refused or failed request. The GeoServer's own text is only in `cause`. */
async function refusal(response: Response, request: string): Promise<DomainError> {
  const cause = new Error((await limitedText(response, MOST_TEXT).catch(() => '')).slice(0, 2000));
  if (response.status >= 500 || (response.status >= 300 && response.status < 400) || response.status === 401)
    return new DomainError('unavailable', `the map server failed with status ${response.status}; try again later`, {
      cause,
    });
  return new DomainError('validation', `the map server refuses this ${request} request; check its parameters`, {
    cause,
    details: { ogcCode: 'NoApplicableCode', locator: 'request' },
  });
}

/** Number of bytes at the beginning of a response that are searched for an exception report. */
const HEAD_BYTES = 2048;

/** Forwards an XML or JSON response. Throws for an exception report, which older GeoServers send with status 200. */
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

/** Headers to forward. GeoServer's type `geotiff` is not a media type, so it is replaced. */
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
