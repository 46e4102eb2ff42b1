import { collectionOf, DomainError, invalidField, type ResolvePorts, slugsOf } from '@headwater/core';
import { checkAccount, findPlace } from '@headwater/core/places';
import { isObject, sha256 } from '@headwater/core/values';
import { geojsonLabels } from '../labels/geojson-labels.ts';
import { parseLegend } from '../legend/parse-legend.ts';
import { dataAssets, itemLegend } from './item-legend.ts';
import type { ValidateParams, ValidateRequest } from './request.ts';

const CAN =
  'Name a raster of classes: values of type uint8 on a grid in EPSG:4326, such as a layer of yearly land cover';

/**
 * Throws `validation` if the Item states another data type than uint8, or another CRS than EPSG:4326. Accepts an
 * Item without data type or CRS, because the run checks the file.
 */
export function checkClassMap(name: string, item: unknown): void {
  for (const asset of dataAssets(item)) {
    const [band] = Array.isArray(asset['bands']) ? asset['bands'].filter(isObject) : [];
    const type = asset['data_type'] ?? band?.['data_type'];
    if (typeof type === 'string' && type !== 'uint8')
      throw invalidField('layerName', `${name} has ${type} values, not classes. ${CAN}`, 'unsupported');
  }
  const properties = isObject(item) && isObject(item['properties']) ? item['properties'] : {};
  const crs = properties['proj:code'];
  if (typeof crs === 'string' && crs !== 'EPSG:4326')
    throw invalidField('layerName', `${name} has a grid in ${crs}. ${CAN}`, 'unsupported');
}

/** Maximum number of features with labels; Olofsson et al. (2014) recommend some hundreds of samples. */
const MOST_FEATURES = 20_000;

/** Returns the run's parameters. Checks place, account, layer, labels and legend; errors name the field. */
export async function resolveValidation(request: ValidateRequest, ports: ResolvePorts): Promise<ValidateParams> {
  const place = await findPlace(ports.places, request);
  const { tehsil } = place;
  await checkAccount(request.eoAccountId, ports.eoAccounts);
  const layer = await ports.published.layer(request.workspace, request.layerName);
  if (layer !== undefined && layer.tehsilId !== tehsil.id)
    throw invalidField('layerName', `is not a layer of the tehsil ${tehsil.name}; name one of its layers`, 'foreign');
  if (layer?.layerType === 'vector')
    throw invalidField('layerName', 'is a vector layer; name a raster layer of classes', 'unsupported');
  const legend = request.legend === undefined ? null : calling('legend', () => parseLegend(request.legend));
  if (layer !== undefined) {
    const path = collectionOf(slugsOf(place, 'alone'));
    checkLayer(request, (await ports.published.item(path, layer.itemId))?.item);
  }
  const bulk = JSON.stringify({ labels: labelsOf(request), legend });
  return {
    tehsilId: tehsil.id,
    eoAccountId: request.eoAccountId,
    workspace: request.workspace,
    layerName: request.layerName,
    polygons: request.polygons ?? 'majority',
    labelsSha256: await sha256(bulk),
    bulk,
  };
}

/** Checks the Item, if there is one; otherwise the run checks the layer. */
function checkLayer({ workspace, layerName, legend }: ValidateRequest, item: unknown): void {
  if (item === undefined) return;
  checkClassMap(`${workspace}:${layerName}`, item);
  if (legend === undefined) itemLegend(item);
}

function labelsOf({ labels, labelProperty = 'label' }: ValidateRequest): readonly unknown[] {
  const { features } = labels;
  if (Array.isArray(features) && features.length > MOST_FEATURES)
    throw invalidField('labels', `has ${features.length} features; the maximum is ${MOST_FEATURES}; send fewer`);
  const read = calling('labels', () => geojsonLabels(labels, { label: labelProperty }));
  return read.map(({ label, geometry }) => ({ label, geometry }));
}

/** Rethrows an error of the parser as an error of the request field. */
function calling<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.code !== 'validation') throw cause;
    const [problem] = Object.values(cause.fields).flat();
    throw invalidField(field, problem?.message ?? cause.message);
  }
}
