import {
  assess,
  type Assessment,
  type Claim,
  csvLabels,
  geojsonLabels,
  parseLegend,
  readAssessment,
  type ReferenceLabel,
  type Remark,
} from '@headwater/accuracy';
import { colorOf } from '@headwater/accuracy/report';
import { DomainError } from '@headwater/core/errors';
import { openRaster, type RasterFile } from '@headwater/raster';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { type ComparedLabels, compareLabels } from './compare-labels.ts';
import { openMap, type OpenMap } from './open-map.ts';
import type { Options } from './options.ts';
import { differencePicture, mapPicture } from './pictures.ts';
import { progressLine, type Screen } from './progress-line.ts';
import { checkExists, parseDocument, readText } from './read-json.ts';
import { reportPage } from './report/page.ts';
import { streamMap } from './stream-map.ts';

type Reference =
  | {
      readonly kind: 'labels';
      readonly labels: readonly ReferenceLabel[];
      readonly years: readonly number[];
      /** Number of labels that are ignored because of their year. */
      readonly otherYears: number;
    }
  | { readonly kind: 'raster'; readonly file: RasterFile };

/**
 * Reads labels, or opens a reference raster. Throws `validation` for invalid labels or extension, `input_data` for an
 * unreadable file.
 */
async function readReference({ reference: path, property, year }: Options): Promise<Reference> {
  const ending = extname(path).toLowerCase();
  if (ending === '.tif' || ending === '.tiff') return readRaster(path);
  if (ending === '.csv') return ofYear(csvLabels(await readText(path), { label: property }), year);
  if (ending === '.geojson' || ending === '.json')
    return ofYear(geojsonLabels(parseDocument(await readText(path), path), { label: property }), year);
  throw new DomainError(
    'validation',
    `reference: ${path} has the extension ${ending === '' ? '(none)' : ending}; use labels as .geojson or .csv, or a raster as .tif`,
  );
}

async function readRaster(path: string): Promise<Reference> {
  checkExists(path);
  return { kind: 'raster', file: await openRaster(path) };
}

/**
 * True if the folder of the reference contains `sample.json`, as the folder of the synthetic sample's true classes
 * does.
 */
function isSampleTruth(path: string): boolean {
  return existsSync(join(dirname(path), 'sample.json'));
}

function ofYear(all: readonly ReferenceLabel[], wanted: number | undefined): Reference {
  const labels = all.filter(({ year }) => wanted === undefined || year === undefined || year === wanted);
  const years = [...new Set(labels.flatMap(({ year }) => (year === undefined ? [] : [year])))].sort((a, b) => a - b);
  if (labels.length === 0)
    throw new DomainError(
      'validation',
      `--year ${wanted}: none of the ${all.length} labels is of this year; leave out the option or name another year`,
    );
  return { kind: 'labels', labels, years, otherYears: all.length - labels.length };
}

interface Compared {
  readonly map: string;
  readonly reference: string;
  readonly legend: string;
}

/** Text of `result.json`: snake_case names, shares 0-1, areas in hectares, null for unknown figures. */
function resultDocument(assessment: Assessment, remarks: readonly Remark[], compared: Compared): string {
  const { map, reference, legend } = compared;
  return `${JSON.stringify(snakeCased({ compared: { map, reference, legend }, ...assessment, remarks }), null, 1)}\n`;
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), snakeCased(inner)]));
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Result of a validation, and the paths of its files. */
export interface Validation {
  readonly assessment: Assessment;
  readonly remarks: readonly Remark[];
  readonly report: string;
  readonly result: string;
}

/** Compares a map with a reference; writes `report.html` and `result.json` into the folder of the options. */
export async function validate(options: Options, screen: Screen): Promise<Validation> {
  const legend = parseLegend(parseDocument(await readText(options.legend), options.legend));
  const reference = await readReference(options);
  const map = await openMap(options.map);
  try {
    const raster = reference.kind === 'raster' ? reference.file : undefined;
    const files = { map: map.file, ...(raster === undefined ? {} : { reference: raster }) };
    const streamed = await streamMap(files, legend, progressLine('map', screen));
    const labels =
      reference.kind === 'labels'
        ? await compareLabels(
            { map: map.file, labels: reference.labels, sampling: options.polygons },
            legend,
            progressLine('labels', screen),
          )
        : undefined;
    const assessment = assess({
      claim: claimOf(options, map, reference),
      design: labels?.design ?? 'raster',
      legend,
      tally: labels?.tally ?? streamed.tally,
      mappedHa: streamed.mappedHa,
      pairHa: labels === undefined ? streamed.pairHa : undefined,
    });
    const remarks = [...readAssessment(assessment), ...labelRemarks(reference, labels)];
    const colors = legend.classes.map(({ color }, place) => colorOf(place, color));
    const page = await reportPage({
      mapTitle: map.title,
      sources: [
        ['Map', map.from],
        ['Reference', options.reference],
        ['Legend', options.legend],
      ],
      assessment,
      remarks,
      pictures: {
        full: map.file.grid,
        map: mapPicture(streamed.picture.size, streamed.picture.places, colors),
        differences: differencePicture(labels?.differences ?? streamed.differences),
        marks: labels?.marks,
      },
      legendNames: legend.classes.map(({ name }) => name),
      createdAt: new Date(),
    });
    const { reference: from, legend: by } = options;
    const document = resultDocument(assessment, remarks, { map: map.from, reference: from, legend: by });
    return { assessment, remarks, ...(await write(options.out, page, document)) };
  } finally {
    map.file.close();
    if (reference.kind === 'raster') reference.file.close();
  }
}

function claimOf(options: Options, map: OpenMap, reference: Reference): Claim {
  if (options.synthetic || map.isSynthetic || isSampleTruth(options.reference)) return 'consistency';
  return reference.kind === 'raster' || options.referenceIsMap ? 'agreement' : 'accuracy';
}

function labelRemarks(reference: Reference, labels: ComparedLabels | undefined): Remark[] {
  if (reference.kind === 'raster' || labels === undefined) return [];
  const { years, otherYears } = reference;
  const texts = [
    ...(years.length > 1
      ? [`The labels are of several years (${years.join(', ')}), but the map shows one year; select it with --year.`]
      : []),
    ...(otherYears > 0 ? [`Left out: ${otherYears} of the labels, because they are of other years.`] : []),
    ...(labels.tooSmall > 0
      ? [
          `Left out: ${labels.tooSmall} of the polygons, because they contain no pixel centre of the map (too small, or outside of it).`,
        ]
      : []),
  ];
  return texts.map((text) => ({ kind: 'caution', text }));
}

async function write(folder: string, page: string, document: string): Promise<Pick<Validation, 'report' | 'result'>> {
  await mkdir(folder, { recursive: true });
  const [report, result] = [join(folder, 'report.html'), join(folder, 'result.json')];
  await writeFile(report, page);
  await writeFile(result, document);
  return { report, result };
}
