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
import { isMostlySeen } from '@headwater/core/values';
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
import { CHANGE_LAYERS, CHANGE_NAMES, type ChangeLayer, UNSEEN } from './layers.ts';
import { CHANGE_WORKSPACE, changeItem, changeRaster, changeVector, changeTexts } from './names.ts';
import { CHANGE_DETECTION } from './raster-pipeline.ts';
import { CHANGE_MIN_YEARS } from './transitions.ts';

/** Publishes the hectares of each change per micro-watershed from the change rasters: five layers and five sheets. */
export const changeVectorPipeline = yearsPipeline({
  name: 'change_detection_vector',
  messages: { initiated: 'change_detection_vector task initiated' },
  listing: { title: 'Areas of change by micro-watershed', theme: 'Land cover' },
  summary: 'Computes the area of each change of land cover per micro-watershed from the published change rasters.',
  keywords: ['change detection'],
  data: CHANGE_NAMES.map((name) => CHANGE_LAYERS[name].sheet),
  method: '2',
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
    checkRaster(source.item?.item, work.params);
    const part = { path: source.path, zones };
    const areas = await work.ports.pixels.zonal(part, share(work, [index / 5, (index + 1) / 5]));
    layers.push(await publishOne(CHANGE_LAYERS[name], areas, { ...work, sources: [source] }));
  }
  return joinOutputs(layers);
}

/** Version of the method whose rasters do not mark unseen land. */
const WITHOUT_UNSEEN = '1';

/** Throws if the published raster has other years than the request, or does not mark unseen land. */
export function checkRaster(
  item: Readonly<Record<string, unknown>> | undefined,
  { startYear, endYear }: Pick<LulcParams, 'startYear' | 'endYear'>,
): void {
  const properties = propertiesOfItem(item);
  const [start, end] = [properties['start_datetime'], properties['end_datetime']];
  const isOfYears = String(start).startsWith(`${startYear}-`) && String(end).startsWith(`${endYear + 1}-`);
  if (isOfYears && properties['headwater:method_version'] === WITHOUT_UNSEEN)
    throw new DomainError(
      'input_data',
      `The published change rasters do not mark the land that was not seen; compute ${CHANGE_DETECTION} for these years again, then start again.`,
    );
  if (isOfYears) return;
  throw new DomainError(
    'input_data',
    `The published change rasters cover ${String(start)} to ${String(end)}, not hydrological years ${startYear} to ${endYear}; ` +
      `compute ${CHANGE_DETECTION} for these years, then start again.`,
  );
}

/**
 * Hectares of a micro-watershed by code, of all changes, and of unseen land. The changes are null if more than half is
 * unseen.
 */
export function changeAreas(layer: ChangeLayer, zones: ZonalAreas, uid: string) {
  const of = (code: number): number => zones[uid]?.[code] ?? 0;
  const whole = (zones[uid] ?? []).reduce((sum, area) => sum + area, 0);
  const known = isMostlySeen(of(UNSEEN), whole);
  return {
    codes: layer.transitions.map((transition) => ({ ...transition, areaHa: known ? of(transition.code) : null })),
    total: known ? layer.total.codes.reduce((sum, code) => sum + of(code), 0) : null,
    unseen: of(UNSEEN),
  };
}

function publishOne(layer: ChangeLayer, areas: ZonalAreas, work: LayerWork<LulcParams>): Promise<RunOutput> {
  const { job, params } = work;
  const { total, title } = layer;
  const found = job.mws.map(({ uid, geometry }) => {
    const { codes, total: all, unseen } = changeAreas(layer, areas, uid);
    return { mws: { uid, area_in_ha: sphericalAreaHa(geometry) }, codes, all, unseen };
  });
  const description = `${title} per micro-watershed (\`uid\`), hydrological years ${params.startYear} to ${params.endYear}: hectares of each change, and of all changes (\`${total.column}\`). \`${UNSEEN_COLUMN.column}\` is land without a class in all years of the earlier or of the later period; it is not a change. Changes are null if it is more than half of the micro-watershed.`;
  return publishMws(
    {
      ...changeVector(layer.name),
      about: {
        ...changeTexts(layer, params),
        layer: changeItem(layer.name, 'vector'),
        title: `${title} per micro-watershed`,
        description,
      },
      rows: found.map(({ mws, codes, all, unseen }): FeatureRow => {
        const cells = codes.map(({ column, areaHa }) => [column, areaHa] as const);
        return { ...mws, ...Object.fromEntries(cells), [total.column]: all, [UNSEEN_COLUMN.column]: unseen };
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
          rows: found.map(({ mws, codes, all, unseen }) => {
            const cells = codes.map(({ sheetColumn, areaHa }) => [sheetColumn, areaHa] as const);
            return {
              ...mws,
              ...Object.fromEntries(cells),
              [total.sheetColumn]: all,
              [UNSEEN_COLUMN.sheetColumn]: unseen,
            };
          }),
        },
      ],
    },
    work,
  );
}

const UNSEEN_COLUMN = { column: 'unseen_area', sheetColumn: 'unseen_area_in_ha' } as const;

const columnsOf = ({ transitions, total }: ChangeLayer, name: 'column' | 'sheetColumn'): readonly TableColumn[] => [
  MWS_UID,
  MWS_AREA,
  ...transitions.map((each) => hectares(each[name], `${each.title}, hectares`)),
  hectares(total[name], 'All changes, hectares'),
  hectares(UNSEEN_COLUMN[name], 'Land without a class in all years of the earlier or of the later period, hectares'),
];
