import type { ServiceDeps } from '../../../deps.ts';
import { placeSlug } from '@headwater/core';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import { type MapBox, type MapPlace, middleOf } from '../../../pages/places-map.ts';
import { PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import {
  type Reader,
  readerOf,
  SCREEN_PAGE,
  SCREEN_ROW,
  screenReply,
  TO_ANOTHER_PAGE,
} from '../../../screens/replies.ts';
import { forUser } from '../../../screens/signed-in.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { publishedPlaces } from '../../discovery/handlers/published-places.ts';
import type { PublishedPlaces } from '../../discovery/page/place-parts.ts';
import { tehsilReportAddress, workbookAddress } from '../../reports/schemas/report-addresses.ts';
import { type Downloadable, type DownloadsFacts, downloadsPage } from '../page/downloads-page.ts';
import { DownloadsQuery } from '../schemas.ts';

const PAGE_SIZE = 20;

async function downloadable(
  { path, placeOf }: { readonly path: MapPlace; readonly placeOf: PublishedPlaces['placeOf'] },
  { prefix, language }: Reader,
  { stores }: ServiceDeps,
): Promise<Downloadable> {
  const { name, above, href } = placeOf(path);
  const [state = '', district = '', block = ''] = path.path.split('/');
  const slugs = { state: placeSlug(state), district: placeSlug(district), tehsil: placeSlug(block) };
  const names = await stores.lookups.tehsilNamed(slugs);
  const tables = names === undefined ? [] : await stores.data.tablesOf(names.tehsilId);
  return {
    title: names?.tehsil ?? name,
    above: names === undefined ? above : `${names.district}, ${names.state}`,
    href,
    report: tehsilReportAddress(prefix, slugs, language),
    workbook: tables.length === 0 ? undefined : workbookAddress(prefix, slugs),
    tables: tables.map((table) => ({
      title: table.name,
      href: `${prefix}${fill(paths.table, { state, district, block, name: table.name })}?format=csv`,
    })),
  };
}

interface Asked {
  readonly box: MapBox | undefined;
  readonly page: number;
  readonly lang: string;
}

async function downloadsFacts({ box, page, lang }: Asked, reader: Reader, deps: ServiceDeps): Promise<DownloadsFacts> {
  const { onMap, placeOf } = await publishedPlaces(deps);
  const isIn = ([x, y]: readonly [number, number], [west, south, east, north]: MapBox): boolean =>
    x >= west && x <= east && y >= south && y <= north;
  const shown = box === undefined ? onMap : onMap.filter((place) => isIn(middleOf(place.box), box));
  const at = (fields: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams({ ...fields, ...(lang === '' ? {} : { lang }) }).toString();
    return `${reader.prefix}${paths.dashboardDownloads}${query === '' ? '' : `?${query}`}`;
  };
  const kept = box === undefined ? {} : { box: box.join(',') };
  const offset = (page - 1) * PAGE_SIZE;
  const listed = shown.slice(offset, offset + PAGE_SIZE);
  return {
    reader,
    version: deps.version,
    box,
    number: page,
    onMap: shown,
    // On the map, a square with one place links to the list with only this place.
    placeOf: (place) => ({ ...placeOf(place), href: at({ box: around(place.box) }) }),
    listOf: (of) => at({ box: of.join(',') }),
    places: await fewAtOnce(listed, (path) => downloadable({ path, placeOf }, reader, deps)),
    all: box === undefined ? undefined : at({}),
    pages: {
      ...(page > 1 && { newer: at({ ...kept, ...(page > 2 && { page: String(page - 1) }) }) }),
      ...(shown.length > offset + PAGE_SIZE && { older: at({ ...kept, page: String(page + 1) }) }),
    },
  };
}

function around(box: MapBox): string {
  const [x, y] = middleOf(box);
  return [x - 0.002, y - 0.002, x + 0.002, y + 0.002].map((each) => each.toFixed(4)).join(',');
}

const showDownloads = operation({
  ...SCREEN_ROW,
  id: 'showDownloads',
  method: 'GET',
  path: paths.dashboardDownloads,
  summary: 'Page of the published places for the signed-in user: reports, workbooks and tables to download',
  query: DownloadsQuery,
  responses: { 200: SCREEN_PAGE, 303: TO_ANOTHER_PAGE },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'of a visitor', status: 303 }],
  handler: (input, deps) =>
    forUser(input, deps, async () => {
      const { box, page = 1, lang = '' } = input.query;
      const reader = readerOf(input, deps);
      return await screenReply(200, downloadsPage(await downloadsFacts({ box, page, lang }, reader, deps)));
    }),
});

/** Operation of the page of downloads. */
export const downloadsOperations = [showDownloads] satisfies readonly Operation[];
