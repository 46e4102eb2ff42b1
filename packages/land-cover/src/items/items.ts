import {
  type AssetInput,
  type ClassInput,
  type FileFacts,
  instant,
  type ItemInput,
  type LinkTarget,
  type NonEmpty,
  rasterItem,
  vectorItem,
} from '@headwater/stac';
import type { Box, PipelineContext, PipelinePorts, StoredFile, WrittenRaster } from '@headwater/core';
import { displayColor, LULC_CLASSES } from '../classes/classes.ts';
import { LULC_METHOD_VERSION } from '../method/thresholds.ts';
import type { LulcJob } from '../run/job.ts';
import {
  collectionOf,
  RASTER_WORKSPACE,
  rasterItemId,
  rasterLayer,
  VECTOR_WORKSPACE,
  vectorItemId,
  vectorLayer,
} from '../run/names.ts';
import type { QualityCounts, YearRaster } from '../run/rasters.ts';
import { describe, rasterIntro, vectorIntro, type Honesty } from './description.ts';
import { mwsColumns } from './mws-layer.ts';

/** Style files and preview of a layer. */
export interface SideFiles {
  readonly qml: StoredFile;
  readonly sld: StoredFile;
  readonly png: StoredFile;
}

/** What Items of one run share. */
export interface ItemTools {
  readonly job: LulcJob;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  readonly corrected: boolean;
}

/** `derived_from` links of one Item; with more scenes only their count is given. */
const MAX_DERIVED_LINKS = 50;

/** Item of one year's raster. */
export function rasterItemOf(year: YearRaster, side: SideFiles, tools: ItemTools): ReturnType<typeof rasterItem> {
  const { job, ports } = tools;
  const { result, cog } = year;
  const layer = rasterLayer(job.slugs, result.year);
  const quality = asset(
    ports,
    year.qualityFile,
    'Quality of each pixel: 1 computed, 2 too few observations, 3 filled, 4 corrected',
  );
  const { west, north, pixelWidth, pixelHeight, cols, rows } = cog.grid;
  const box: Box = [west, north - rows * pixelHeight, west + cols * pixelWidth, north];
  return rasterItem({
    ...common(tools, { from: result.year, to: result.year, years: [year], box, kind: 'raster' }),
    id: rasterItemId(job.slugs, result.year),
    grid: { code: 'EPSG:4326', shape: [rows, cols], transform: [pixelWidth, 0, west, 0, -pixelHeight, north], gsd: 10 },
    content: { classes: classesOf(cog), dataType: 'uint8', nodata: 0 },
    assets: {
      data: { href: ports.addresses.coverage(RASTER_WORKSPACE, layer), title: 'Raster Layer' },
      cog: asset(ports, year.cogFile, 'Cloud-optimized GeoTIFF'),
      ...sideAssets(ports, side),
      others: {
        quality: { ...quality, type: 'image/tiff; application=geotiff; profile=cloud-optimized', roles: ['metadata'] },
      },
    },
  });
}

/** Item of the per-MWS vector over all years. */
export function vectorItemOf(
  years: readonly YearRaster[],
  files: SideFiles & { readonly geojson: StoredFile },
  tools: ItemTools,
): ReturnType<typeof vectorItem> {
  const { job, ports } = tools;
  const [from, to] = [job.years[0] ?? 0, job.years.at(-1) ?? 0];
  return vectorItem({
    ...common(tools, { from, to, years, box: job.mwsBox, kind: 'vector' }),
    id: vectorItemId(job.slugs),
    columns: mwsColumns(job.years),
    primaryGeometry: 'geometry',
    rowCount: job.mws.length,
    assets: {
      data: { href: ports.addresses.features(VECTOR_WORKSPACE, vectorLayer(job.slugs)), title: 'Vector Layer' },
      geojson: asset(ports, files.geojson, 'GeoJSON'),
      ...sideAssets(ports, files),
    },
  });
}

interface Coverage {
  readonly from: number;
  readonly to: number;
  readonly years: readonly YearRaster[];
  readonly box: Box;
  readonly kind: 'raster' | 'vector';
}

/** Everything but id, content and assets. */
function common({ job, ports, context, corrected }: ItemTools, cover: Coverage): Omit<ItemInput, 'id'> {
  const { place, slugs } = job;
  const { from, to, years, kind } = cover;
  const used = years.flatMap(({ result }) => result.scenes.filter((s) => result.contributing.includes(s.id)));
  const scenes = [...new Map(used.map((scene) => [scene.id, scene])).values()];
  const synthetic = scenes.some((scene) => scene.synthetic);
  const counts = addCounts(years.map((y) => y.counts));
  const honesty: Honesty = {
    placeName: place.tehsil.name,
    from,
    to,
    synthetic,
    corrected,
    runYears: job.years.length,
    counts,
  };
  const path = collectionOf(slugs);
  const id = kind === 'raster' ? rasterItemId(slugs, from) : vectorItemId(slugs);
  const published = instant(ports.now());
  const note = synthetic ? ' (synthetic sample)' : '';
  return {
    geometry: boxPolygon(cover.box),
    title:
      kind === 'raster'
        ? `Land use and land cover of ${place.tehsil.name}: ${from}-${from + 1}${note}`
        : `Land use and land cover of ${place.tehsil.name} per micro-watershed${note}`,
    description: describe(honesty, kind === 'raster' ? rasterIntro(honesty) : vectorIntro(honesty)),
    start: instant(`${from}-07-01T00:00:00Z`),
    end: instant(`${to + 1}-06-30T00:00:00Z`),
    published,
    keywords: [
      'land use',
      'land cover',
      'cropping',
      place.tehsil.name,
      place.district.name,
      place.state.name,
      ...(synthetic ? ['synthetic'] : []),
    ],
    processing: {
      lineage: `Rules on 16-day composites of Sentinel-2 L2A, method ${LULC_METHOD_VERSION}; ${corrected ? 'temporal correction over the years of the run' : 'no temporal correction'}`,
      software: { headwater: ports.version },
      version: LULC_METHOD_VERSION,
      datetime: published,
    },
    root: { href: ports.addresses.catalog(), title: 'Headwater STAC catalogue' },
    collection: { id: slugs.block, href: ports.addresses.collection(path), title: place.tehsil.name },
    self: ports.addresses.item(path, id),
    derivedFrom: derivedFrom(scenes),
    extra: {
      'headwater:state': place.state.name,
      'headwater:district': place.district.name,
      'headwater:tehsil': place.tehsil.name,
      'headwater:run_id': context.run.id,
      'headwater:synthetic': synthetic,
      'headwater:method_version': LULC_METHOD_VERSION,
      'headwater:temporal_correction': corrected,
      'headwater:scene_count': scenes.length,
      'headwater:skipped_scenes': skippedScenes(years),
      'headwater:pixels_computed': counts.computed,
      'headwater:pixels_insufficient': counts.insufficient,
      'headwater:pixels_filled': counts.filled,
      'headwater:pixels_corrected': counts.corrected,
    },
  };
}

/** Scene id -> reason, at most 50; the log has all. Items are public: of a path or URL only the file's name is told. */
const skippedScenes = (years: readonly YearRaster[]): Readonly<Record<string, string>> => {
  const skipped = years.flatMap((y) => Object.entries(y.result.skipped)).slice(0, MAX_DERIVED_LINKS);
  return Object.fromEntries(skipped.map(([id, reason]) => [id, publicReason(reason)]));
};

const publicReason = (reason: string): string =>
  reason.replace(/\S*\/\S*/g, (path) =>
    path.slice(path.lastIndexOf('/', path.search(/\?|$/)) + 1).replace(/\?[^:\s]*/, ''),
  );

function derivedFrom(scenes: readonly { readonly id: string; readonly itemHref: string }[]): readonly LinkTarget[] {
  // Items on the server's own disk have no public address; their number is in headwater:scene_count.
  const links = scenes.filter((scene) => isPublicUrl(scene.itemHref));
  if (links.length > MAX_DERIVED_LINKS) return [];
  return links.map((scene) => ({ href: scene.itemHref, title: scene.id, type: 'application/geo+json' }));
}

/** An http(s) URL that an Item may carry: one with credentials or blanks is somebody else's mistake, not to be published. */
function isPublicUrl(href: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(href) || !URL.canParse(href)) return false;
  const { username, password } = new URL(href);
  return username === '' && password === '';
}

const addCounts = (all: readonly QualityCounts[]): QualityCounts => ({
  computed: sum(all.map((c) => c.computed)),
  insufficient: sum(all.map((c) => c.insufficient)),
  filled: sum(all.map((c) => c.filled)),
  corrected: sum(all.map((c) => c.corrected)),
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const facts = ({ bytes, sha256 }: StoredFile): FileFacts => ({ bytes, sha256 });

const asset = ({ addresses }: PipelinePorts, file: StoredFile, title: string): AssetInput => ({
  href: addresses.file(file.key),
  title,
  file: facts(file),
});

const sideAssets = (ports: PipelinePorts, { qml, sld, png }: SideFiles) => ({
  style: asset(ports, qml, 'QGIS Style file'),
  sld: asset(ports, sld, 'Styled Layer Descriptor'),
  thumbnail: asset(ports, png, 'Thumbnail'),
});

/** Counter-clockwise rectangle. */
const boxPolygon = ([w, s, e, n]: Box) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [w, s],
      [e, s],
      [e, n],
      [w, n],
      [w, s],
    ],
  ],
});

/** Classes with counts and shares of the pixels that have a class; 5 never occurs. */
function classesOf({ histogram, inside }: WrittenRaster): NonEmpty<ClassInput> {
  const valid = sum(histogram.slice(1));
  const [background, ...classes] = LULC_CLASSES.filter((c) => c.code !== 5).map((c): ClassInput => {
    const count = c.code === 0 ? Math.max(inside - valid, 0) : (histogram[c.code] ?? 0);
    const info = {
      value: c.code,
      name: c.name,
      title: c.title,
      description: c.description,
      color: displayColor(c),
      count,
    };
    return c.code === 0
      ? { ...info, nodata: true }
      : { ...info, percentage: valid === 0 ? 0 : Math.round((1e6 * count) / valid) / 1e4 };
  });
  if (background === undefined) throw new TypeError('the class table is empty');
  return [background, ...classes];
}
