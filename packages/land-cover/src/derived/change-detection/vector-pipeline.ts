import {
  type ComputedPlace,
  DomainError,
  layerNamesOf,
  type LayerNeed,
  requestOfPlace,
  sphericalAreaHa,
  type TableColumn,
  type ZonalAreas,
} from '@headwater/core';
import { propertiesOfItem } from '@headwater/core/pipelines';
import {
  equalSteps,
  type FeatureRow,
  hectares,
  type LayerWork,
  type RunOutput,
  joinOutputs,
  MWS_AREA,
  MWS_UID,
  publishMws,
  share,
  zonesOf,
} from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import { yearsPipeline } from '../years/years-pipeline.ts';
import { CHANGE_LAYERS, CHANGE_NAMES, type ChangeLayer } from './layers.ts';
import { CHANGE_WORKSPACE, changeItem, changeRaster, changeVector, changeTexts } from './names.ts';
import { CHANGE_DETECTION } from './raster-pipeline.ts';
import { CHANGE_MIN_YEARS } from './transitions.ts';

/** Publishes the hectares of each change per micro-watershed from the published change rasters: five layers and five sheets. */
export const changeVectorPipeline = yearsPipeline({
  name: 'change_detection_vector',
  messages: { initiated: 'change_detection_vector task initiated' },
  listing: { title: 'Areas of change by micro-watershed', theme: 'Land cover' },
  summary: 'Computes the area of each change of land cover per micro-watershed from the published change rasters.',
  keywords: ['change detection'],
  data: CHANGE_NAMES.map((name) => CHANGE_LAYERS[name].sheet),
  method: '1',
  minYears: CHANGE_MIN_YEARS,
  dependsOn: [CHANGE_DETECTION],
  needs,
  run: make,
});

function needs(job: ComputedPlace, { startYear, endYear, eoAccountId }: LulcParams): readonly LayerNeed[] {
  const request = { ...requestOfPlace(job, eoAccountId), startYear, endYear };
  return CHANGE_NAMES.map((name) => ({
    kind: 'layer',
    workspace: CHANGE_WORKSPACE,
    layerName: layerNamesOf(job.slugs, changeRaster(name).layerName).layerName,
    tehsilId: job.place.tehsil.id,
    place: job,
    pipeline: CHANGE_DETECTION,
    request,
  }));
}

async function make(work: LayerWork<LulcParams>): Promise<RunOutput> {
  const zones = zonesOf(work);
  const layers: RunOutput[] = [];
  for (const [index, name] of CHANGE_NAMES.entries()) {
    const source = work.sources[index];
    if (source === undefined) throw new RangeError(`the raster of ${name} was not opened`);
    checkYears(source.item?.item, work.params);
    const part = { path: source.path, zones };
    const areas = await work.ports.pixels.zonal(part, share(work, [index / 5, (index + 1) / 5]));
    layers.push(await publishOne(CHANGE_LAYERS[name], areas, { ...work, sources: [source] }));
  }
  return joinOutputs(layers);
}

/** Throws if the published rasters are not of the requested years; only the newest raster of each name is stored. */
function checkYears(item: Readonly<Record<string, unknown>> | undefined, { startYear, endYear }: LulcParams): void {
  const properties = propertiesOfItem(item);
  const [start, end] = [properties['start_datetime'], properties['end_datetime']];
  if (String(start).startsWith(`${startYear}-`) && String(end).startsWith(`${endYear + 1}-`)) return;
  throw new DomainError(
    'input_data',
    `The published change rasters cover ${String(start)} to ${String(end)}, not hydrological years ${startYear} to ${endYear}; ` +
      `compute ${CHANGE_DETECTION} for these years, then start again.`,
  );
}

/** Hectares of each code in a micro-watershed, and of all codes that mean a change. */
function areasOf(layer: ChangeLayer, zones: ZonalAreas, uid: string) {
  const of = (code: number): number => zones[uid]?.[code] ?? 0;
  return {
    codes: layer.transitions.map((transition) => ({ ...transition, areaHa: of(transition.code) })),
    total: layer.total.codes.reduce((sum, code) => sum + of(code), 0),
  };
}

function publishOne(layer: ChangeLayer, areas: ZonalAreas, work: LayerWork<LulcParams>): Promise<RunOutput> {
  const { job, params } = work;
  const { total, title } = layer;
  const found = job.mws.map(({ uid, geometry }) => {
    const { codes, total: all } = areasOf(layer, areas, uid);
    return { mws: { uid, area_in_ha: sphericalAreaHa(geometry) }, codes, all };
  });
  const description = `${title} per micro-watershed (\`uid\`), hydrological years ${params.startYear} to ${params.endYear}: hectares of each change, and of all changes (\`${total.column}\`).`;
  return publishMws(
    {
      ...changeVector(layer.name),
      about: {
        ...changeTexts(layer, params),
        layer: changeItem(layer.name, 'vector'),
        title: `${title} per micro-watershed`,
        description,
      },
      rows: found.map(({ mws, codes, all }): FeatureRow => {
        const cells = codes.map(({ column, areaHa }) => [column, areaHa] as const);
        return { ...mws, ...Object.fromEntries(cells), [total.column]: all };
      }),
      columns: columnsOf(layer, 'column'),
      geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(
        total.column,
        `${title}, hectares`,
        found.map(({ all }) => all),
      ),
      tables: [
        {
          name: layer.sheet,
          key: MWS_UID.name,
          columns: columnsOf(layer, 'sheetColumn'),
          rows: found.map(({ mws, codes, all }) => {
            const cells = codes.map(({ sheetColumn, areaHa }) => [sheetColumn, areaHa] as const);
            return { ...mws, ...Object.fromEntries(cells), [total.sheetColumn]: all };
          }),
        },
      ],
    },
    work,
  );
}

/** Columns of the vector (`column`) or the sheet (`sheetColumn`). */
const columnsOf = ({ transitions, total }: ChangeLayer, name: 'column' | 'sheetColumn'): readonly TableColumn[] => [
  MWS_UID,
  MWS_AREA,
  ...transitions.map((each) => hectares(each[name], `${each.title}, hectares`)),
  hectares(total[name], 'All changes, hectares'),
];
