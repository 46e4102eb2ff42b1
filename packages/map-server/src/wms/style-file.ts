import type { MapLayer, MapReply, MapRequest, MapServerParts } from '@headwater/core/ports';
import { ogcAbsent } from '../protocol/ogc-error.ts';

const FORMS = {
  sld: { keyOf: ({ sldKey }: MapLayer) => sldKey, type: 'application/vnd.ogc.sld+xml' },
  qml: { keyOf: ({ qmlKey }: MapLayer) => qmlKey, type: 'application/xml' },
} as const;

/**
 * Sends an SLD or QML file. `styles/{workspace}/{layer}.sld` (or `.qml`): style of the layer's run.
 * `styles/{workspace}/{style}.sld`: common style.
 */
export async function styleFile(
  { layers, commonStyles = [], openFile }: Pick<MapServerParts, 'layers' | 'commonStyles' | 'openFile'>,
  { segments, query }: MapRequest,
): Promise<MapReply> {
  const [, workspace = '', file = ''] = segments;
  const [, name = '', form = ''] = /^(.+)\.(sld|qml)$/.exec(file) ?? [];
  const absent = (problem: string): Error =>
    ogcAbsent(
      'StyleNotDefined',
      'style',
      `style: "${workspace}/${file}" ${problem}; use {workspace}/{layer}.sld or .qml`,
    );
  if (form !== 'sld' && form !== 'qml') throw absent('is not a style');
  const layer = await layers.find(workspace, name, query['run']);
  const generic = commonStyles.find((each) => each.workspace === workspace && each.name === name);
  if (layer === undefined && generic !== undefined && form === 'sld')
    return { status: 200, headers: { 'content-type': FORMS.sld.type }, body: generic.sld };
  if (layer === undefined) throw absent('belongs to no published layer');
  const { keyOf, type } = FORMS[form];
  const key = keyOf(layer);
  const stored = key === null ? undefined : await openFile(key);
  if (stored === undefined) throw absent('is missing, because the layer has no such style');
  const body = stored.bytes === 0 ? '' : await new Response(stored.stream(0, stored.bytes - 1)).text();
  return { status: 200, headers: { 'content-type': type }, body, etag: stored.etag, isLasting: layer.isLasting };
}
