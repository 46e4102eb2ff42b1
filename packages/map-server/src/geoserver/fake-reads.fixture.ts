import { createCanvas } from '@napi-rs/canvas';
import type { FakeReads } from './fake-geoserver.fixture.ts';

const REPORT = '<?xml version="1.0"?><ServiceExceptionReport>java.lang.Secret: SELECT 1</ServiceExceptionReport>';

/**
 * Maps, legends, coverages and capabilities of a fake GeoServer. Maps have the first colour of the style. Errors as in
 * version 2.26.2: exception reports with status 200 for maps, 404 for coverages.
 */
export const fakeReads: FakeReads = (fake, url) => {
  const searchParams = new URLSearchParams();
  for (const [name, value] of url.searchParams) searchParams.append(name.toLowerCase(), value);
  const [workspace, path = workspace] = url.pathname.split('/').filter(Boolean).slice(1);
  const service = path === 'ows' ? (searchParams.get('service') ?? '').toLowerCase() : path;
  const prefix = path === workspace ? '' : `${workspace}:`;
  const request = searchParams.get('request')?.toLowerCase();
  if (request === 'getcapabilities') {
    const names = fake.layers.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
    const titleOf = (name: string): string => fake.workspaces.get(workspace ?? '')?.get(name)?.title ?? '';
    const list = names.map((name) => `<Name>${name}</Name><Title>${titleOf(name)}</Title>`).join('');
    return {
      status: 200,
      type: 'text/xml',
      body: `<Capabilities xlink:href="${url.origin}/geoserver/">${list}</Capabilities>`,
    };
  }
  const key = (searchParams.get('layers') ?? searchParams.get('layer') ?? searchParams.get('coverageid') ?? '').replace(
    '__',
    ':',
  );
  const [of = '', name = ''] = key.split(':');
  const store = fake.workspaces.get(of)?.get(name);
  if (service === 'wcs') {
    if (store?.type !== 'coveragestores') return { status: 404, type: 'application/xml', body: REPORT };
    if (request === 'describecoverage')
      return { status: 200, type: 'application/xml', body: `<wcs:CoverageId>${of}__${name}</wcs:CoverageId>` };
    return { status: 200, type: 'geotiff', body: searchParams.has('subset') ? 'part' : store.bytes };
  }
  if (store === undefined) return { status: 200, type: 'application/vnd.ogc.se_xml', body: REPORT };
  if (searchParams.get('format') === 'application/json')
    return { status: 200, type: 'application/json', body: JSON.stringify({ Legend: [{ layerName: name }] }) };
  const canvas = createCanvas(Number(searchParams.get('width') ?? 20), Number(searchParams.get('height') ?? 20));
  const context = canvas.getContext('2d');
  const style = fake.styles.get(fake.defaults.get(key) ?? '') ?? '';
  context.fillStyle = /#[0-9a-f]{6}/i.exec(style)?.[0] ?? '#808080';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return { status: 200, type: 'image/png', body: canvas.toBuffer('image/png') };
};
