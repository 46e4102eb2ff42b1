import { html } from 'hono/html';
import { foot, type Html, page } from '../../../pages/layout.ts';
import { boxText } from '../../../pages/words.ts';
import { crumbs, type Crumb, pager, type Pages } from '../../../pages/parts.ts';
import { type MapBox, type MapOptions, type MapPlace, placesMap } from '../../../pages/places-map.ts';
import type { Reader } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';

/** A place with its downloadable files. */
export interface Downloadable extends Crumb {
  readonly above: string;
  readonly report: string;
  /** Address of the workbook; undefined if the place has no tables. */
  readonly workbook: string | undefined;
  readonly tables: readonly Crumb[];
}

/** Data of the page of downloads. */
export interface DownloadsFacts extends Pick<MapOptions, 'placeOf' | 'listOf'> {
  readonly reader: Reader;
  readonly version: string;
  readonly box: MapBox | undefined;
  readonly number: number;
  readonly onMap: readonly MapPlace[];
  readonly places: readonly Downloadable[];
  readonly all: string | undefined;
  readonly pages: Pages;
}

/** Page of the published places: a map, and for each place its report, workbook and tables. */
export function downloadsPage(shown: DownloadsFacts): Html {
  const { reader, version, onMap, places, all, pages, box, number, ...options } = shown;
  const { prefix, language, query, say, account } = reader;
  const title = say('downloads');
  const above = { title: say('dashboard'), href: prefix + paths.dashboard };
  const body = html`${crumbs([above], title, say('breadcrumb'))}
    <h1>${title}</h1>
    <p class="lead">${say('downloadsLead')}</p>
    ${placesMap(onMap, { ...options, language })}
    ${all === undefined ? '' : html`<p><a href="${all}">${say('allPlaces')}</a></p>`}
    ${
      places.length === 0
        ? html`<p class="empty">${say('noDownloads')}</p>`
        : html`<ul class="found" aria-label="${say('places')}">
            ${places.map((place) => entry(reader, place))}
          </ul>`
    }
    ${pager(pages, [say('previousPage'), say('nextPage')], say('pages'))} ${foot(version, [])}`;
  const named = box === undefined ? title : `${title}: ${boxText(box, language)}`;
  const numbered = number === 1 ? named : say('pageNumber', { title: named, number: String(number) });
  return page({ title: numbered, description: say('downloadsLead'), prefix, body, language, query, account });
}

function entry({ say }: Reader, { title, href, above, report, workbook, tables }: Downloadable): Html {
  const named = html`<span class="hidden"> ${title}</span>`;
  return html`<li>
    <a href="${href}">${title}</a>
    <p>${above}</p>
    <ul class="chips">
      <li><a href="${report}">${say('theReport')}${named}</a></li>
      ${workbook === undefined ? '' : html`<li><a href="${workbook}">${say('theWorkbook')} (xlsx)${named}</a></li>`}
      ${tables.map((table) => html`<li><a href="${table.href}">${table.title} (CSV)${named}</a></li> `)}
    </ul>
  </li> `;
}
