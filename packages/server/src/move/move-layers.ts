import { randomUUID } from 'node:crypto';
import {
  DomainError,
  fieldError,
  type ImportReport,
  invalidField,
  isDomainError,
  layerNamesOf,
  loadPlace,
  type Place,
  slugsOf,
} from '@headwater/core';
import { findImporter, isWhollyRefused } from '@headwater/core/imports';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import type { Activation, ImportPlace } from '@headwater/core/ports';
import { findPlace } from '@headwater/core/places';
import {
  checkLayerOptions,
  createImporters,
  type DumpHeader,
  layerImporter,
  type LayerImportDeps,
  type LayerTools,
  type RecordOf,
} from '@headwater/ingest';
import { contentOf, type FileSource, findFile, type FoundFile } from './move-files.ts';
import type { RecordRef } from './move-report.ts';
import { type Move, type MovedRows, movedRows } from './moved-rows.ts';

/** Tools that move places and layers. */
export interface LayerMoveTools {
  readonly layers: LayerTools;
  readonly files: FileSource;
  readonly scratchDir: string;
  readonly ownerId: number;
}

type DataRecord = RecordOf<'boundaries' | 'tehsil' | 'dataset' | 'layer'>;

interface LayerMove extends Move, LayerMoveTools {
  readonly header: Pick<DumpHeader, 'license' | 'providers'>;
  readonly rows: Readonly<Record<DataRecord['type'], MovedRows>>;
  readonly worker: Pick<LayerImportDeps, 'workerName' | 'isDead'>;
  /** Line of each layer in the dump, by place, workspace and name. */
  readonly lineOf: Map<string, number>;
  /** True if the move has read new or changed boundaries of places. A dry run does not store them. */
  hasNewPlaces: boolean;
}

/** Moves a record of places, datasets or layers. Throws `DomainError` for a refused record. */
export type DataMover = (record: DataRecord, ref: RecordRef) => Promise<void>;

/** Creates the function that moves places, datasets and layers. */
export async function dataMover(move: Move, header: DumpHeader, tools: LayerMoveTools): Promise<DataMover> {
  const rows = {
    boundaries: await movedRows(move, 'boundaries'),
    tehsil: await movedRows(move, 'tehsil'),
    dataset: await movedRows(move, 'dataset'),
    layer: await movedRows(move, 'layer'),
  };
  const state: LayerMove = {
    ...move,
    ...tools,
    header,
    rows,
    worker: moveWorker(),
    lineOf: new Map(),
    hasNewPlaces: false,
  };
  return async (record, ref) => {
    switch (record.type) {
      case 'boundaries':
        return await moveBoundaries(state, record, ref);
      case 'tehsil':
        return await moveTehsil(state, record, ref);
      case 'dataset':
        return await moveDataset(state, record, ref);
      case 'layer':
        return await moveLayer(state, record, ref);
    }
  };
}

/** Worker of this move. The workers of other moves have died, because only one move runs at a time. */
function moveWorker(): LayerMove['worker'] {
  const workerName = `move ${randomUUID()}`;
  return { workerName, isDead: (id) => id.startsWith('move ') && !id.startsWith(workerName) };
}

async function placeOf(state: LayerMove, names: ImportPlace): Promise<Place | undefined> {
  const { state: stateName, district, tehsil } = names;
  try {
    return await findPlace(state.stores.places, { state: stateName, district, tehsil });
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'not_found') throw error;
    if (isLater(state)) return undefined;
    const problem = `there is no tehsil ${tehsil} in ${district}, ${stateName} here; import its boundary first`;
    throw invalidField('tehsil', problem, 'unknown');
  }
}

const isLater = ({ isTrial, hasNewPlaces }: LayerMove): boolean => isTrial && hasNewPlaces;

const NOT_STORED = 'its tehsil is not stored yet, so its file was not read in the dry run';

async function moveBoundaries(state: LayerMove, record: RecordOf<'boundaries'>, ref: RecordRef): Promise<void> {
  const { stores, scratchDir, rows, isTrial, report, files } = state;
  const { kind, place, file } = record;
  const content = [kind, place, await contentOf(files, file)];
  const isUnknown =
    kind !== 'places' && (place === undefined ? isLater(state) : (await placeOf(state, place)) === undefined);
  if (isUnknown) report.note(ref, NOT_STORED);
  const run = async (): Promise<string> => {
    const importers = createImporters({ stores, scratchDir });
    await withFile(state, record.file, async ({ path, fileName }) => {
      const job = { path, fileName, isTrial, signal: files.signal, ...(place && { place }) };
      noteRows(state, await findImporter(importers, kind, fileName).run(job), ref);
    });
    return kind;
  };
  const outcome = await rows.boundaries.put(ref, {
    content,
    expected: kind,
    store: run,
    ...(!isUnknown && { check: run }),
  });
  if (kind === 'places' && outcome !== 'equal') state.hasNewPlaces = true;
}

async function withFile(
  { files }: LayerMove,
  file: RecordOf<'layer'>['file'],
  work: (found: FoundFile) => Promise<void>,
): Promise<void> {
  const found = await findFile(files, file);
  await work(found);
  // A downloaded file stays after a failure, so that the next call of the command need not download it again.
  await found.release();
}

function noteRows({ report }: LayerMove, done: ImportReport, ref: RecordRef): void {
  const { refused, refusedCount, repaired, repairedCount = repaired.length } = done;
  const [first] = refused;
  const why =
    first === undefined ? '' : ` (${[`${first.row}:`, first.field, first.problem].filter(Boolean).join(' ')})`;
  if (isWhollyRefused(done)) throw invalidField('file', `every feature was refused${why}; correct the file`);
  if (refusedCount > 0) report.note(ref, `features of its file that were refused: ${refusedCount}${why}`);
  const [repair] = repaired;
  if (repair !== undefined) report.note(ref, `${repairedCount} repairs (${repair.row}: ${repair.repair})`);
}

async function moveTehsil(state: LayerMove, record: RecordOf<'tehsil'>, ref: RecordRef): Promise<void> {
  const { stores, rows, report } = state;
  const { is_active: isActive } = record;
  const place = await placeOf(state, record);
  const expected = place === undefined ? ref.id : String(place.tehsil.id);
  const activate = async (): Promise<string> => {
    if (place === undefined) return ref.id;
    const levels = isActive ? (['state', 'district', 'tehsil'] as const) : (['tehsil'] as const);
    for (const level of levels) {
      const outcome: Activation = await stores.places.setActive({ level, id: place[level].id }, isActive);
      if (outcome === 'unknown' || outcome === 'inactive_above')
        throw new DomainError(
          'conflict',
          `The ${level} was removed or deactivated in the meantime; call the command again.`,
        );
    }
    return expected;
  };
  await rows.tehsil.put(ref, { content: [expected, isActive], expected, store: activate });
  if (expected !== ref.id) report.otherId(ref, expected);
}

async function moveDataset(state: LayerMove, record: RecordOf<'dataset'>, ref: RecordRef): Promise<void> {
  const { stores, rows, report } = state;
  const { name, workspace, style_name: styleName = '' } = record;
  const layerType = record.layer_type === 'raster' ? 'raster' : 'vector';
  const dataset = { name, workspace, styleName, layerType } as const;
  const known = (await stores.places.datasets()).find((each) => each.name === name);
  if (known !== undefined && (known.workspace !== workspace || known.layerType !== layerType))
    report.note(
      ref,
      `the dataset ${name} is a ${layerType} in the workspace ${workspace} in the dump, but a ${known.layerType} in the workspace ${known.workspace} in this service; the move does not change the dataset of this service. No action is needed: each layer is published in the workspace of its own record`,
    );
  await rows.dataset.put(ref, {
    content: dataset,
    expected: name,
    store: async () => {
      await stores.places.seedDatasets([dataset]);
      return name;
    },
  });
}

/**
 * Name of a layer without its place: `mws` for `mws_cachar_lakhipur`. If nothing is left, the name of the workspace.
 */
export function baseName(
  layerName: string,
  { district, block }: { readonly district: string; readonly block: string },
  workspace: string,
): string {
  const name = `_${layerName}_`;
  const place = [`_${district}_${block}_`, `_${block}_`].find((each) => name.toLowerCase().includes(each));
  if (place === undefined) return layerName;
  const at = name.toLowerCase().indexOf(place);
  const rest = `${name.slice(0, at)}_${name.slice(at + place.length)}`.replaceAll(/^_+|_+$/g, '');
  return rest === '' ? workspace : rest;
}

async function moveLayer(state: LayerMove, record: RecordOf<'layer'>, ref: RecordRef): Promise<void> {
  const { stores, rows, layers, ownerId, worker, isTrial, report, files } = state;
  const { version, file } = record;
  const found = await placeOf(state, record);
  const options = optionsOf(state, record, found);
  const { state: stateName, district, tehsil } = record;
  const place = { state: stateName, district, tehsil };
  refuseSameName(state, [found?.tehsil.id ?? [stateName, district, tehsil], record.workspace, options.name], ref);
  const content = await contentOf(files, file, version);
  const run = async (): Promise<string> => {
    const checkReplaced = replacedCheck(state, options.name, ref);
    const importer = layerImporter({ ...layers, stores, ownerId, checkReplaced, ...worker }, options);
    await withFile(state, file, async ({ path, fileName }) => {
      noteRows(state, await importer.run({ path, fileName, place, isTrial, signal: files.signal }), ref);
    });
    return options.name;
  };
  if (found === undefined) report.note(ref, NOT_STORED);
  await rows.layer.put(ref, {
    content: [options, place, content],
    expected: options.name,
    isHere:
      found === undefined || (await isPublished(state, found, { name: options.name, workspace: record.workspace })),
    store: run,
    ...(found !== undefined && { check: run }),
  });
}

/** Throws `conflict` for a repeated name, because otherwise this layer would replace the earlier layer. */
function refuseSameName({ lineOf }: LayerMove, layer: readonly unknown[], { line }: RecordRef): void {
  const key = JSON.stringify(layer).toLowerCase();
  const other = lineOf.get(key) ?? line;
  if (other !== line) {
    const message = `would replace the layer of line ${other}, because both layers have the same name without the place; rename one of the two layers (lines ${other} and ${line}).`;
    throw fieldError('conflict', { layer_name: [{ rule: 'taken', message }] });
  }
  lineOf.set(key, line);
}

/**
 * Creates a function that throws `conflict` if a layer of this service would be replaced. Layers that an earlier move
 * stored for the same record may be replaced; with `replaceLayers`, all layers.
 */
function replacedCheck({ rows, replaceLayers }: LayerMove, name: string, ref: RecordRef) {
  return ({ isImport }: { readonly isImport: boolean }): void => {
    if (replaceLayers || (isImport && rows.layer.idHere(ref.id) === name)) return;
    const message = `would replace a layer that was ${isImport ? 'imported' : 'computed'} here, because both layers have the same name without the place. The layer here stays; to replace it, add --replace-layers.`;
    throw fieldError('conflict', { layer_name: [{ rule: 'taken', message }] });
  };
}

/** Options of a layer. If the record lacks a license or providers, those of the dump's header are used. */
function optionsOf({ header }: LayerMove, record: RecordOf<'layer'>, place: Place | undefined) {
  const { layer_name: layerName, workspace, dataset, title, description, start, end } = record;
  const { license = header.license, providers = header.providers } = record;
  const { attribution, lineage, keywords, unit, classes } = record;
  const name = place === undefined ? layerName : baseName(layerName, slugsOf(place, 'alone').former, workspace);
  const named = { name, workspace, dataset, title, description, license, providers, start, end };
  const optional = Object.entries({ attribution, lineage, keywords, unit, classes });
  return checkLayerOptions({ ...named, ...Object.fromEntries(optional.filter(([, value]) => value !== undefined)) });
}

async function isPublished(
  { stores }: LayerMove,
  { tehsil }: Place,
  { name, workspace }: { readonly name: string; readonly workspace: string },
): Promise<boolean> {
  const { slugs } = await loadPlace(tehsil.id, { places: stores.places, remedies: DEFAULT_REMEDIES });
  const { layerName } = layerNamesOf(slugs, (of) => `${name}_${of}`);
  const published = await stores.catalog.layersOf(tehsil.id);
  return published.some((layer) => layer.workspace === workspace && layer.layerName === layerName);
}
