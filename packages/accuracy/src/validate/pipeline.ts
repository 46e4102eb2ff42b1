import {
  type Deliverable,
  invalidField,
  type LayerRecord,
  type OpenedLayer,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  type PublishedReads,
  versionsOfNeeds,
} from '@headwater/core';
import { nearNames } from '@headwater/core/places';
import type { TableLimit } from '@headwater/core/ports';
import { checkTableRoom } from '@headwater/core/runs';
import { isObject, sha256 } from '@headwater/core/values';
import { createStepClock } from '@headwater/layer-kit';
import { assess } from '../assess/assessment.ts';
import type { Legend } from '../legend/legend.ts';
import { parseLegend } from '../legend/parse-legend.ts';
import { type Compared, compareLabels, mappedHectares } from './compare.ts';
import { itemLegend } from './item-legend.ts';
import { validateBulk, validateParams, type ValidateParams, validateRequest, type ValidateRequest } from './request.ts';
import { checkClassMap, resolveValidation } from './resolve.ts';
import { leftOutCounts, resultTable, type ValidationResult } from './result-table.ts';

/** Name prefix of accuracy tables. */
export const TABLE_NAMES = 'accuracy_';

/** Maximum number of accuracy tables for one version of a layer, with the remedy for more. */
export const ROOM: TableLimit = {
  names: TABLE_NAMES,
  most: 100,
  remedy:
    'Put your labels into one request, or compute the layer again (overwrite=true): its next version has no accuracy tables.',
};

const MOST_LISTED = 5;

/** Remedy for a missing layer: names the tehsil's raster layers with similar names, or its first raster layers. */
async function remedyOf(
  { tehsilId, workspace, layerName }: ValidateParams,
  published: Pick<PublishedReads, 'layer' | 'layersOf'>,
): Promise<{ readonly remedy?: string }> {
  if ((await published.layer(workspace, layerName)) !== undefined) return {};
  const layers = (await published.layersOf(tehsilId)).filter(({ layerType }) => layerType === 'raster');
  if (layers.length === 0) return { remedy: 'No raster layer of this tehsil is published yet; compute one first.' };
  const wanted = nearNames(
    layerName,
    layers.map((layer) => layer.layerName),
  );
  const near = wanted.flatMap((name) => layers.filter((layer) => layer.layerName === name));
  if (near.length > 0) return { remedy: `Did you mean ${near.map(written).join(' or ')}?` };
  const listed = layers.slice(0, MOST_LISTED).map(written).join(', ');
  const more =
    layers.length > MOST_LISTED ? ` and ${layers.length - MOST_LISTED} more; the Items of the tehsil name them` : '';
  return { remedy: `Raster layers of this tehsil: ${listed}${more}.` };
}

const written = ({ workspace, layerName }: LayerRecord): string => `${workspace}:${layerName}`;

/** A pipeline that makes layers of a workspace, for the remedy of a missing layer. */
export interface LayerMaker {
  readonly workspace: string;
  readonly pipeline: string;
  /** Returns the request for a layer; undefined if the pipeline makes no layer of this name. */
  readonly requestOf: (layerName: string) => Readonly<Record<string, unknown>> | undefined;
}

const PLACE = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil', eoAccountId: 1 };
const LAYER = { workspace: 'sample_rasters', layerName: 'sample_raster_sample_district_sample_tehsil' };

const EXAMPLE: ValidateRequest = {
  ...PLACE,
  ...LAYER,
  labels: {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { label: 'built_up' }, geometry: { type: 'Point', coordinates: [85.02, 24.05] } },
    ],
  },
};

/**
 * Compares a published class layer with labels, and publishes the figures as a table of its Item. `makers`: pipelines
 * that can compute a missing layer.
 */
export function createValidatePipeline(makers: readonly LayerMaker[] = []): Pipeline<ValidateRequest, ValidateParams> {
  return {
    name: 'validate',
    route: 'validate',
    aliases: [],
    listing: { title: 'Accuracy of a layer', theme: 'Quality', sources: ['Your own labels of classes'] },
    summary:
      'Scores a published raster layer of classes against labels, and publishes the figures as a table of its Item.',
    examples: [{ name: 'start', request: EXAMPLE }],
    messages: { initiated: 'Validation initiated', finished: 'Validation finished' },
    request: validateRequest,
    resolve: resolveValidation,
    params: validateParams,
    dependsOn: [...new Set(makers.map(({ pipeline }) => pipeline))],
    needs: async (params, { places, published }) => {
      const maker = makers.find(({ workspace }) => workspace === params.workspace);
      const place = await places.placeOfTehsil(params.tehsilId);
      const own = maker?.requestOf(params.layerName);
      if (maker === undefined || own === undefined || place === undefined)
        return [{ ...layerOf(params), ...(await remedyOf(params, published)) }];
      const { state, district, tehsil } = place;
      const names = { state: state.name, district: district.name, tehsil: tehsil.name };
      const request = { ...names, eoAccountId: params.eoAccountId, ...own };
      return [{ ...layerOf(params), pipeline: maker.pipeline, request }];
    },
    steps: [
      { name: 'labels', weight: 1 },
      { name: 'areas', weight: 2 },
    ],
    fingerprint: (p) => [p.tehsilId, p.workspace, p.layerName, p.polygons, p.labelsSha256].join(':'),
    inputs: (params, { published }) => versionsOfNeeds([layerOf(params)], { published }),
    execute,
  };
}

const layerOf = ({ tehsilId, workspace, layerName }: ValidateParams) =>
  ({ kind: 'layer', tehsilId, workspace, layerName }) as const;

async function execute(params: ValidateParams, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  // The version is determined before the layer is opened. If another version is published in between, the result is
  // still right, but is not reused.
  const inputs = await versionsOfNeeds([layerOf(params)], ports);
  const opened = await ports.published.layerFile(params.workspace, params.layerName);
  // The Item is checked again, because the layer may have been published, or replaced, after the check of the request.
  checkClassMap(`${params.workspace}:${params.layerName}`, opened.item?.item);
  const { labels, legend: sentLegend } = validateBulk.parse(JSON.parse(params.bulk));
  const name = await tableName(params, opened.layer.version);
  const { item } = opened;
  const of =
    item === undefined ? {} : { earlierItem: { id: item.id, collectionPath: item.collectionPath, limit: ROOM } };
  // The limit is checked before the computation, so that a run over the limit fails early. The store checks it again.
  checkTableRoom(item?.item, { name, ...of });
  const legend = sentLegend === null ? itemLegend(item?.item) : parseLegend(sentLegend);
  const layer = { path: opened.path, pixels: ports.pixels, legend };
  const compared = await clock.step('labels', (work) => compareLabels(layer, { labels, way: params.polygons }, work));
  const unknown = unknownText(compared, legend);
  const mappedHa = await clock.step('areas', (work) => mappedHectares(layer, work));
  const { tally, design, tooSmall, repeated } = compared;
  const assessment = assess({ claim: claimOf(opened), design, legend, tally, mappedHa });
  const judged = { version: opened.layer.version, runId: opened.runId };
  const result = { assessment, tooSmall, repeated, labelsSha256: params.labelsSha256, judged };
  context.log(`samples compared with ${params.workspace}:${params.layerName}: ${assessment.samples}; table ${name}`);
  if (unknown !== undefined) context.log(unknown);
  const table = { name, tehsilId: params.tehsilId, ...resultTable(result) };
  const timings = { ...clock.seconds(), ...headline(result) };
  return { items: [], layers: [], tables: [{ ...table, ...of }], timings, inputs };
}

/**
 * Log line with the number of samples without a class. It does not contain the labels, because a wrong `labelProperty`
 * may name private data. Throws `validation` if no sample could be compared.
 */
function unknownText({ tally: { matrix, leftOut }, tooSmall }: Compared, legend: Legend): string | undefined {
  const unknown = leftOut.unknownReference.reduce((sum, { count }) => sum + count, 0);
  const known = `classes of the legend are ${legend.classes.map(({ name }) => name).join(', ')}`;
  if (matrix.total > 0)
    return unknown === 0 ? undefined : `samples left out, because no class lists their label: ${unknown}; ${known}`;
  if (unknown > 0)
    throw invalidField(
      'labels',
      `no class lists any of the labels; ${known}. Use these classes, or send a legend that lists your labels`,
    );
  const off = tooSmall + leftOut.mapNodata;
  throw invalidField(
    'labels',
    off > 0
      ? `no label could be compared (labels outside of the layer, at pixels without data, or too small to contain a pixel centre: ${off}). Send labels within the layer, longitude first`
      : 'no label could be compared. Send labels with a known class within the layer, longitude first',
  );
}

/** Claim of the figures: a layer from generated scenes can only show consistency. */
function claimOf({ item }: OpenedLayer): 'accuracy' | 'consistency' {
  const properties = item?.item['properties'];
  return isObject(properties) && properties['headwater:synthetic'] === true ? 'consistency' : 'accuracy';
}

function headline(result: ValidationResult): Readonly<Record<string, number>> {
  const { samples, overall, kappa, areaOverall } = result.assessment;
  const known = { overall_accuracy: overall?.value, kappa: kappa?.value, area_accuracy: areaOverall?.value };
  const figures = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { samples, ...Object.fromEntries(figures), ...leftOutCounts(result) };
}

/** Name of the table. Contains the layer's version, and a hash of the layer's name, labels, legend and `polygons`. */
async function tableName(params: ValidateParams, version: number): Promise<string> {
  const { workspace, layerName, labelsSha256, polygons } = params;
  const hash = await sha256(JSON.stringify([workspace, layerName, labelsSha256, polygons]));
  const layer = `${TABLE_NAMES}${workspace}_${layerName}`.replace(/[^A-Za-z0-9_.-]/g, '-').slice(0, 75);
  return `${layer}_v${version}_${hash.slice(0, 12)}`;
}
