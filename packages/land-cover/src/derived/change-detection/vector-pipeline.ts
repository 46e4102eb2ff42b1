import {
  DomainError,
  type LayerNeed,
  requestOfPlace,
  type PublishedTable,
  sphericalAreaHa,
  type ZonalAreas,
  featureGeometry,
  type ComputedPlace,
} from '@headwater/core';
import { propertiesOfItem } from '@headwater/core/pipelines';
import type { MadeLayer, LayerFeature } from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import { AREA, hectares, UID } from '../shared/columns.ts';
import { layerNamesOf } from '../shared/described.ts';
import type { Made, Work } from '../shared/derived-pipeline.ts';
import { share, zonesOf } from '../shared/read-years.ts';
import { equalSteps } from '../shared/steps.ts';
import { writeVectorLayer } from '../shared/vector-layer.ts';
import { yearsPipeline } from '../shared/years-pipeline.ts';
import { CHANGE_LAYERS, CHANGE_NAMES, type ChangeLayer } from './layers.ts';
import { CHANGE_WORKSPACE, changeRaster, changeVector } from './names.ts';
import { CHANGE_DETECTION } from './raster-pipeline.ts';
import { CHANGE_MIN_YEARS } from './transitions.ts';
import { changeWords } from './words.ts';

/** Hectares of each change per micro-watershed, of the published change rasters: five layers and five sheets. */
export const changeVectorPipeline = yearsPipeline({
  route: 'change_detection_vector',
  initiated: 'change_detection_vector task initiated',
  summary: 'Computes the area of each change of land cover per micro-watershed from the published change rasters.',
  keywords: ['change detection'],
  data: CHANGE_NAMES.map((name) => CHANGE_LAYERS[name].sheet),
  method: '1',
  minYears: CHANGE_MIN_YEARS,
  dependsOn: [CHANGE_DETECTION],
  needs,
  make,
});

function needs(job: ComputedPlace, { startYear, endYear, eoAccountId }: LulcParams): readonly LayerNeed[] {
  const request = { ...requestOfPlace(job, eoAccountId), startYear, endYear };
  return CHANGE_NAMES.map((name) => ({
    kind: 'layer',
    workspace: CHANGE_WORKSPACE,
    layerName: layerNamesOf(job.slugs, changeRaster(name)).layerName,
    tehsilId: job.place.tehsil.id,
    place: job,
    pipeline: CHANGE_DETECTION,
    request,
  }));
}

async function make(work: Work<LulcParams>): Promise<Made> {
  const zones = zonesOf(work);
  const [layers, tables]: [MadeLayer[], PublishedTable[]] = [[], []];
  for (const [index, name] of CHANGE_NAMES.entries()) {
    const source = work.sources[index];
    if (source === undefined) throw new RangeError(`the raster of ${name} was not opened`);
    checkYears(source.item?.item, work.params);
    const part = { path: source.path, zones };
    const areas = await work.ports.pixels.zonal(part, share(work, [index / 5, (index + 1) / 5]));
    const layer = await writeOne(CHANGE_LAYERS[name], areas, { ...work, sources: [source] });
    layers.push(layer);
    tables.push(sheetOf(CHANGE_LAYERS[name], areas, { work, itemId: layer.item.id }));
  }
  return { layers, tables };
}

/** A raster of a name is there once: the newest may be of other years than those asked for. */
function checkYears(item: Readonly<Record<string, unknown>> | undefined, { startYear, endYear }: LulcParams): void {
  const properties = propertiesOfItem(item);
  const [start, end] = [properties['start_datetime'], properties['end_datetime']];
  if (String(start).startsWith(`${startYear}-`) && String(end).startsWith(`${endYear + 1}-`)) return;
  throw new DomainError(
    'input_data',
    `The published change rasters are of ${String(start)} to ${String(end)}, not of hydrological years ${startYear} to ${endYear}; ` +
      `compute ${CHANGE_DETECTION} for these years, then start again.`,
  );
}

/** Value of a cell: hectares of one code, or of all that are a change. */
function areasOf(layer: ChangeLayer, zones: ZonalAreas, uid: string) {
  const of = (code: number): number => zones[uid]?.[code] ?? 0;
  return {
    codes: layer.transitions.map((transition) => ({ ...transition, areaHa: of(transition.code) })),
    total: layer.total.codes.reduce((sum, code) => sum + of(code), 0),
  };
}

async function writeOne(layer: ChangeLayer, areas: ZonalAreas, work: Work<LulcParams>): Promise<MadeLayer> {
  const { job, params } = work;
  const features = job.mws.map(({ uid, geometry }): LayerFeature => {
    const { codes, total } = areasOf(layer, areas, uid);
    const cells = codes.map(({ column, areaHa }) => [column, areaHa] as const);
    const properties = {
      uid,
      area_in_ha: sphericalAreaHa(geometry),
      ...Object.fromEntries(cells),
      [layer.total.column]: total,
    };
    return { type: 'Feature', properties, geometry: featureGeometry(geometry) };
  });
  const intro = `${layer.title} per micro-watershed (\`uid\`), hydrological years ${params.startYear} to ${params.endYear}: hectares of each change, and of all of them (\`${layer.total.column}\`).`;
  return writeVectorLayer(
    {
      spec: changeVector(layer.name),
      words: { ...changeWords(layer, params, intro), title: `${layer.title} per micro-watershed` },
      features,
      columns: [
        UID,
        AREA,
        ...layer.transitions.map(({ column, title }) => hectares(column, `${title}, hectares`)),
        hectares(layer.total.column, 'All changes, hectares'),
      ],
      geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(
        layer.total.column,
        `${layer.title}, hectares`,
        job.mws.map(({ uid }) => areasOf(layer, areas, uid).total),
      ),
    },
    work,
  );
}

function sheetOf(
  layer: ChangeLayer,
  areas: ZonalAreas,
  { work, itemId }: { readonly work: Work<LulcParams>; readonly itemId: string },
): PublishedTable {
  const { transitions, total, sheet } = layer;
  return {
    name: sheet,
    tehsilId: work.job.place.tehsil.id,
    key: UID.name,
    itemId,
    columns: [
      UID,
      AREA,
      ...transitions.map(({ sheetColumn, title }) => hectares(sheetColumn, `${title}, hectares`)),
      hectares(total.sheetColumn, 'All changes, hectares'),
    ],
    rows: work.job.mws.map(({ uid, geometry }) => {
      const { codes, total: all } = areasOf(layer, areas, uid);
      const cells = codes.map(({ sheetColumn, areaHa }) => [sheetColumn, areaHa] as const);
      return { uid, area_in_ha: sphericalAreaHa(geometry), ...Object.fromEntries(cells), [total.sheetColumn]: all };
    }),
  };
}
