import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assess, type Assessment, type Claim, parseLegend, readAssessment, type Remark } from '@headwater/accuracy';
import { colorOf } from '@headwater/accuracy/report';
import { compareLabels, type ComparedLabels } from './compare-labels.ts';
import { openMap, type OpenMap } from './open-map.ts';
import type { Options } from './options.ts';
import { differencePicture, mapPicture } from './pictures.ts';
import { progressLine, type Screen } from './progress-line.ts';
import { parseDocument, readText } from './read-json.ts';
import { isSampleTruth, readReference, type Reference } from './read-reference.ts';
import { reportPage } from './report/page.ts';
import { resultDocument } from './result-document.ts';
import { streamMap } from './stream-map.ts';

/** What a validation gave, and where it was written. */
export interface Validation {
  readonly assessment: Assessment;
  readonly remarks: readonly Remark[];
  readonly report: string;
  readonly result: string;
}

/** Holds a map against a reference and writes `report.html` and `result.json` into the folder that was asked for. */
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
            { map: map.file, labels: reference.labels, way: options.polygons },
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
      made: new Date(),
    });
    const { reference: from, legend: by } = options;
    const document = resultDocument(assessment, remarks, { map: map.from, reference: from, legend: by });
    return { assessment, remarks, ...(await write(options.out, page, document)) };
  } finally {
    map.file.close();
    if (reference.kind === 'raster') reference.file.close();
  }
}

/** What the figures may be called. */
function claimOf(options: Options, map: OpenMap, reference: Reference): Claim {
  if (options.synthetic || map.isSynthetic || isSampleTruth(options.reference)) return 'consistency';
  return reference.kind === 'raster' || options.referenceIsMap ? 'agreement' : 'accuracy';
}

function labelRemarks(reference: Reference, labels: ComparedLabels | undefined): Remark[] {
  if (reference.kind === 'raster' || labels === undefined) return [];
  const { years, otherYears } = reference;
  const texts = [
    ...(years.length > 1
      ? [`The labels speak of several years (${years.join(', ')}), the map of one: --year takes one.`]
      : []),
    ...(otherYears > 0 ? [`Left out, since they are of other years: ${otherYears} of the labels.`] : []),
    ...(labels.tooSmall > 0
      ? [
          `Left out, since they hold no centre of a pixel of the map (too small, or off it): ${labels.tooSmall} of the polygons.`,
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
