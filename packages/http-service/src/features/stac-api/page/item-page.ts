import { shellWord } from '../../../pages/shell-word.ts';
import { html } from 'hono/html';
import { legendChart, type ShownClass } from '../../../pages/chart.ts';
import { type ItemMap, mapPart } from './item-map.ts';
import { files, openInQgis, type ShownFile } from './item-files.ts';
import { yearsBeside, type ShownYear } from './item-years.ts';
import { type Account, foot, page, type Html } from '../../../pages/layout.ts';
import { markdown } from '../../../pages/markdown.ts';
import { mapScale, pictureSize, type MapExtent } from '../../../pages/map-scale.ts';
import { copyText, crumbs, facts, type Crumb } from '../../../pages/parts.ts';

/** Data of the page of an Item. Addresses are relative to this origin unless noted. */
export interface ItemPageFacts {
  /** Link of the shell to the pages of the reader. */
  readonly account?: Account | undefined;
  readonly prefix: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly above: readonly Crumb[];
  /** The preview; its caption is undefined if unknown. */
  readonly picture:
    | { readonly src: string; readonly caption: string | undefined; readonly extent: MapExtent | undefined }
    | undefined;
  /** Legend of the picture, with shares if they are known. */
  readonly classes: readonly ShownClass[];
  readonly years: readonly ShownYear[];
  /** Undefined for a page without interactive map. */
  readonly map: ItemMap | undefined;
  readonly files: readonly ShownFile[];
  /** Reports of its accuracy, newest first. */
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

/** Page of a layer: map, legend and shares, other years, files and sources. */
export function itemPage(shown: ItemPageFacts): Html {
  const { prefix, title, above, picture, classes, map, self, version } = shown;
  const { legend, caption } = captionsOf(classes, picture);
  const body = html`${crumbs(above, title)}
    <h1>${title}</h1>
    <div class="layer">
      ${picture === undefined ? '' : pictureOf({ ...picture, caption, map: map === undefined ? '' : mapPart(map, prefix) }, title)}
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
      This address returns the STAC Item as GeoJSON unless the request accepts HTML;
      <a href="?format=json">see the JSON here</a>.
    </p>
    ${copyText(`curl -sw '\\n' ${shellWord(self)}`, 'the command that fetches this Item')} ${foot(version, [])}`;
  // Layers of several places and of one place may have the same title.
  const names = above
    .slice(1)
    .map((each) => each.title)
    .toReversed();
  const kind = shown.files.find(({ layer }) => layer !== undefined)?.layer;
  const documentTitle = [kind === undefined ? title : `${title} (${kind})`, ...names].join(', ');
  return page({
    title: documentTitle,
    description: `${title}: map, legend, class shares and files.`,
    prefix,
    body,
    script: true,
    account: shown.account,
  });
}

/** Headings of the legend and caption of the picture; a caption that explains the legend's numbers is put above the legend. */
function captionsOf(
  classes: readonly ShownClass[],
  picture: ItemPageFacts['picture'],
): { readonly legend: string; readonly caption: string | undefined } {
  const counted = classes.some(({ share }) => share !== undefined);
  if (picture === undefined) return { legend: counted ? 'Share of each class' : 'Classes', caption: undefined };
  const legend = counted ? 'Legend, with the share of each class' : 'Legend';
  if (picture.caption === undefined)
    return { legend, caption: classes.length > 0 ? 'Preview; the colours are those of the legend.' : 'Preview.' };
  if (counted || classes.length === 0) return { legend, caption: picture.caption };
  return { legend: `${legend}: ${picture.caption}`, caption: undefined };
}

/** Long side of the picture on wide screens, pixels; at most the style sheet's `max-height`, otherwise picture and scale differ. */
const PICTURE_SIZE = 544;

// The image's pixels are square degrees; the empty drawing below gives it its proportions on the ground.
function pictureOf(
  { src, caption, extent, map }: NonNullable<ItemPageFacts['picture']> & { readonly map: Html | '' },
  title: string,
): Html {
  const { width, height } = pictureSize(extent, PICTURE_SIZE);
  return html`<figure>
    <div class="map">
      <div class="ground">
        <svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"></svg>
        <img src="${src}" alt="Map: ${title}" />
      </div>
      ${extent === undefined ? '' : mapScale(extent)}
    </div>
    ${caption === undefined ? '' : html`<figcaption>${caption}</figcaption>`} ${map}
  </figure>`;
}

/** Maximum number of reports that are listed; a layer may have many. */
const MOST_REPORTS = 5;

function accuracyOf(reports: readonly Crumb[]): Html | '' {
  if (reports.length === 0) return '';
  const more =
    reports.length > MOST_REPORTS
      ? ` These are the newest ${MOST_REPORTS} of ${reports.length}; the list of all files has all.`
      : '';
  return html`<h2>Accuracy</h2>
    <p>This layer was compared with reference labels. Each report is about one set of labels.${more}</p>
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
  return html`<h3>Sources</h3>
    <ul class="plain">
      ${sources.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
    </ul>`;
}
