import { shellWord } from '../../../pages/shell-word.ts';
import { html } from 'hono/html';
import { legendChart, type ShownClass } from '../../../pages/chart.ts';
import { files, openInQgis, type ShownFile } from './item-files.ts';
import { yearsBeside, type ShownYear } from './item-years.ts';
import { foot, page, type Html } from '../../../pages/layout.ts';
import { markdown } from '../../../pages/markdown.ts';
import { mapScale, pictureSize, type MapExtent } from '../../../pages/map-scale.ts';
import { copyText, crumbs, facts, type Crumb } from '../../../pages/parts.ts';

/** What the page of an Item tells. Addresses are relative to this origin where nothing else is said. */
export interface ItemPageFacts {
  readonly prefix: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly above: readonly Crumb[];
  /** The preview, with what it shows in words, `undefined` where nobody told. */
  readonly picture:
    | { readonly src: string; readonly caption: string | undefined; readonly extent: MapExtent | undefined }
    | undefined;
  /** Legend of the picture, with shares where they were counted. */
  readonly classes: readonly ShownClass[];
  readonly years: readonly ShownYear[];
  readonly files: readonly ShownFile[];
  /** Reports of how accurate it is, the newest first. */
  readonly validations: readonly Crumb[];
  readonly period: string;
  readonly box: string;
  readonly published: string;
  readonly itemVersion: string;
  readonly license: Crumb | undefined;
  readonly attribution: string | undefined;
  readonly sources: readonly Crumb[];
  /** Absolute address of the Item. */
  readonly self: string;
  readonly version: string;
}

/** A layer for people: its map, legend and shares, its other years, its files and what it was made of. */
export function itemPage(shown: ItemPageFacts): Html {
  const { prefix, title, above, picture, classes, self, version } = shown;
  const { legend, beneath } = captionsOf(classes, picture);
  const body = html`${crumbs(above, title)}
    <h1>${title}</h1>
    <div class="layer">
      ${picture === undefined ? '' : pictureOf({ ...picture, caption: beneath }, title)}
      <div>${classes.length === 0 ? '' : legendChart(classes, legend)}</div>
    </div>
    <h2 id="download">Download</h2>
    ${files(shown.files)} ${openInQgis(shown.files)} ${yearsBeside(shown.years)} ${accuracyOf(shown.validations)}
    <h2>About this layer</h2>
    ${factsOf(shown)}
    <div class="prose">${markdown(shown.description, 2)}</div>
    ${sourcesOf(shown.sources)}
    <h2>For programs</h2>
    <p>
      This address answers the STAC Item as GeoJSON to whatever does not ask for a page;
      <a href="?format=json">see it here</a>.
    </p>
    ${copyText(`curl -sw '\\n' ${shellWord(self)}`, 'the command that fetches this Item')} ${foot(version, [])}`;
  return page({ title, description: `${title}: map, legend, class shares and files.`, prefix, body, script: true });
}

/** Words over the legend and beneath the picture. What the numbers of a legend count stands over them. */
function captionsOf(
  classes: readonly ShownClass[],
  picture: ItemPageFacts['picture'],
): { readonly legend: string; readonly beneath: string | undefined } {
  const counted = classes.some(({ share }) => share !== undefined);
  if (picture === undefined) return { legend: counted ? 'Share of each class' : 'Classes', beneath: undefined };
  const legend = counted ? 'Legend, with the share of each class' : 'Legend';
  if (picture.caption === undefined)
    return { legend, beneath: classes.length > 0 ? 'Preview; the colours are those of the legend.' : 'Preview.' };
  if (counted || classes.length === 0) return { legend, beneath: picture.caption };
  return { legend: `${legend}: ${picture.caption}`, beneath: undefined };
}

/** Long side of the picture on wide screens, pixels; not above the sheet's `max-height`, which would part picture and scale. */
const PICTURE_SIZE = 544;

// An image has the proportions of its pixels, square degrees: the empty drawing below gives it those on the ground.
function pictureOf({ src, caption, extent }: NonNullable<ItemPageFacts['picture']>, title: string): Html {
  const { width, height } = pictureSize(extent, PICTURE_SIZE);
  return html`<figure>
    <div class="map">
      <div class="ground">
        <svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"></svg>
        <img src="${src}" alt="Map: ${title}" />
      </div>
      ${extent === undefined ? '' : mapScale(extent)}
    </div>
    ${caption === undefined ? '' : html`<figcaption>${caption}</figcaption>`}
  </figure>`;
}

/** Reports that are listed; a layer may have many. */
const MOST_REPORTS = 5;

function accuracyOf(reports: readonly Crumb[]): Html | '' {
  if (reports.length === 0) return '';
  const more =
    reports.length > MOST_REPORTS
      ? ` The newest ${MOST_REPORTS} of ${reports.length}; the list of all files has each.`
      : '';
  return html`<h2>Accuracy</h2>
    <p>This layer was held against labels. Each report is about one set of them.${more}</p>
    <ul class="plain">
      ${reports.slice(0, MOST_REPORTS).map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
    </ul>`;
}

function factsOf({ period, published, itemVersion, box, license, attribution }: ItemPageFacts): Html {
  return facts([
    ['Time', period],
    ['Published', published],
    ['Version', itemVersion],
    ['Extent', box],
    ['Licence', license === undefined ? undefined : html`<a href="${license.href}" rel="license">${license.title}</a>`],
    ['Credit', attribution],
  ]);
}

function sourcesOf(sources: readonly Crumb[]): Html | '' {
  if (sources.length === 0) return '';
  return html`<h3>Made from</h3>
    <ul class="plain">
      ${sources.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
    </ul>`;
}
