import type { MapLayer, MapLayers, MapRequest } from '@headwater/core/ports';
import { ogcAbsent, ogcError } from './ogc-error.ts';

/** A layer name in a parameter of a request. */
export interface LayerName {
  /** Name of the parameter in lower case, for messages. */
  readonly parameter: string;
  readonly name: string;
  /** Exception code for an unknown name. */
  readonly code: string;
  readonly kind?: MapLayer['kind'];
}

const SERVICES: ReadonlySet<string> = new Set(['ows', 'wfs', 'wcs', 'wms']);

/** Workspace in the path; undefined for paths of all workspaces, such as `wms`. */
export const workspaceOf = ({ segments }: Pick<MapRequest, 'segments'>): string | undefined =>
  segments.length === 2 && SERVICES.has(segments[1] ?? '') ? segments[0] : undefined;

/**
 * Finds a layer by `workspace:layer`, `workspace__layer` or, in the path of a workspace, the name only. The parameter
 * `run` selects a version. Throws 404 with `code` for an unknown layer or a layer of another kind.
 */
export async function findLayer(
  { layers }: { readonly layers: Pick<MapLayers, 'find'> },
  request: Pick<MapRequest, 'segments' | 'query'>,
  { parameter, name, code, kind }: LayerName,
): Promise<MapLayer> {
  if (name === '')
    throw ogcError('MissingParameterValue', parameter, `${parameter}: missing; name a layer such as workspace:layer`);
  const within = workspaceOf(request);
  for (const [workspace, layerName] of readings(name, within)) {
    const layer = await layers.find(workspace, layerName, request.query['run']);
    if (layer === undefined) continue;
    if (kind === undefined || layer.kind === kind) return layer;
    const other = kind === 'raster' ? 'a vector layer; request it with WFS' : 'a raster layer; request it with WCS';
    throw ogcAbsent(code, parameter, `${parameter}: ${name.slice(0, 100)} is ${other}`);
  }
  throw ogcAbsent(
    code,
    parameter,
    `${parameter}: no layer ${JSON.stringify(name.slice(0, 100))} is published; use a layer that GetCapabilities lists`,
  );
}

/** Maximum number of ways to split a name into workspace and layer, because each way reads the catalogue. */
const MOST_READINGS = 8;

function readings(name: string, within: string | undefined): readonly (readonly [workspace: string, layer: string])[] {
  const found: (readonly [string, string])[] = [];
  const colon = name.indexOf(':');
  if (colon > 0) found.push([name.slice(0, colon), name.slice(colon + 1)]);
  else {
    if (within !== undefined) found.push([within, name]);
    for (let at = name.indexOf('__'); at > 0 && found.length < MOST_READINGS; at = name.indexOf('__', at + 1))
      found.push([name.slice(0, at), name.slice(at + 2)]);
  }
  return found.filter(([workspace, layer]) => layer !== '' && (within === undefined || workspace === within));
}
