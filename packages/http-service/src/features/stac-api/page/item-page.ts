import { shellWord } from '../../../pages/shell-word.ts';
import { html } from 'hono/html';
import { classTitle, legendChart, type ShownClass } from '../../../pages/chart.ts';
import { type ItemMap, mapPart } from './item-map.ts';
import { files, openInQgis, type ShownFile } from './item-files.ts';
import { type ShownServices, useThisMap } from './item-services.ts';
import { yearsBeside, type ShownYear } from './item-years.ts';
import { foot, page, type Html, type Shell } from '../../../pages/layout.ts';
import { markdown } from '../../../pages/markdown.ts';
import { mapScale, pictureSize, type MapExtent } from '../../../pages/map-scale.ts';
import { addressWith, copyText, crumbs, facts, queryWith, type Crumb } from '../../../pages/parts.ts';
import { type Say, sayIn, translated } from '../../../pages/texts.ts';
import type { Language } from '../../../wire/words.ts';

/** Data of the page of an Item. Addresses are relative to this origin unless noted. */
export interface ItemPageFacts {
  readonly shell: Shell;
  readonly prefix: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly above: readonly Crumb[];
  /** The preview; its caption is undefined if unknown. */
  readonly picture:
    | { readonly src: string; readonly caption: string | undefined; readonly extent: MapExtent | undefined }
    | undefined;
  /** Legend of the picture, with the shares of the classes if known. */
  readonly classes: readonly ShownClass[];
  /** Classes that the picture can show alone, and the class that is shown now. */
  readonly single: { readonly values: readonly number[]; readonly only: number | undefined } | undefined;
  readonly years: readonly ShownYear[];
  readonly map: ItemMap | undefined;
  readonly files: readonly ShownFile[];
  readonly services: readonly ShownServices[];
  /** Reports about the accuracy of the layer, newest first. */
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
  const { prefix, title, above, picture, classes, map, self, version, shell } = shown;
  const { language } = shell;
  const say = sayIn(language);
  const { legend, caption } = captionsOf(classes, picture, say);
  const part = map === undefined ? '' : mapPart(map, prefix);
  const only = shown.single?.only;
  const ofClass = (address: string): string =>
    only === undefined ? address : addressWith(address, { class: String(only) });
  const alone = classes.find(({ value }) => value !== undefined && value === only);
  const shownTitle =
    alone === undefined
      ? title
      : `${title}, ${say('onlyClass', { title: translated(alone.title, language) ?? alone.title })}`;
  const body = html`${crumbs(above, title, say('breadcrumb'))}
    <h1 lang="en">${title}</h1>
    <div class="layer">
      ${picture === undefined ? '' : pictureOf({ ...picture, src: ofClass(picture.src), caption, map: part }, shownTitle, language)}
      <div>${classes.length === 0 ? '' : legendOf(shown, legend)}</div>
    </div>
    <h2 id="download">${say('download')}</h2>
    ${files(shown.files, language)} ${openInQgis(shown.files, say)} ${useThisMap(shown.services, say)}
    ${yearsBeside(
      shown.years.map((year) => ({ ...year, href: ofClass(year.href), src: year.src && ofClass(year.src) })),
      language,
    )}
    ${accuracyOf(shown.validations, say)}
    <h2>${say('aboutLayer')}</h2>
    ${factsOf(shown, say)}
    <div class="prose" lang="en">
      ${markdown(shown.description, 2, html`<span class="name" lang="${language}">${say('methodAndLimits')}</span>`)}
    </div>
    ${sourcesOf(shown.sources, say)}
    <h2>${say('forPrograms')}</h2>
    <p>${say('itemUnlessHtml')} <a href="?format=json">${say('seeJson')}</a>.</p>
    ${copyText(`curl -sw '\\n' ${shellWord(self)}`, say('fetchItem'))} ${foot(version, [])}`;
  // Layers may have the same title, so the title of the document names the places.
  const names = above
    .slice(1)
    .map((each) => each.title)
    .toReversed();
  const kind = shown.files.find(({ layer }) => layer !== undefined)?.layer;
  const documentTitle = [kind === undefined ? title : `${title} (${kind})`, ...names].join(', ');
  return page({
    title: documentTitle,
    description: say('itemDescription', { title }),
    prefix,
    body,
    script: true,
    ...shell,
  });
}

/** Legend of the picture. If the picture can show a single class, each such class is a link. */
function legendOf({ classes, single, shell: { language, query } }: ItemPageFacts, caption: Html | string): Html {
  if (single === undefined) return legendChart(classes, caption, { language });
  const say = sayIn(language);
  const { values, only } = single;
  const to = (value: number): string | undefined =>
    values.includes(value) ? queryWith(query, { class: String(value) }) : undefined;
  const alone = classes.find(({ value }) => value !== undefined && value === only);
  const all = new URLSearchParams(query);
  all.delete('class');
  const note =
    alone === undefined
      ? say('chooseClass')
      : html`${say('shownAlone')} <strong>${classTitle(alone.title, language)}</strong>.
          <a href="?${all.toString()}">${say('showAllClasses')}</a>`;
  return html`<p class="soft" data-classes>${note}</p>
    ${legendChart(classes, caption, { language, links: { to, current: only } })}`;
}

/**
 * Heading of the legend, and caption of the picture. If the classes have no shares, the caption explains their numbers
 * (such as hectares), so it becomes a part of the heading.
 */
function captionsOf(
  classes: readonly ShownClass[],
  picture: ItemPageFacts['picture'],
  say: Say,
): { readonly legend: Html | string; readonly caption: Html | undefined } {
  const counted = classes.some(({ share }) => share !== undefined);
  if (picture === undefined) return { legend: say(counted ? 'shareOfClasses' : 'classes'), caption: undefined };
  const legend = say(counted ? 'legendWithShares' : 'legend');
  if (picture.caption === undefined)
    return { legend, caption: html`${say(classes.length > 0 ? 'previewOfLegend' : 'preview')}` };
  const english = html`<span lang="en">${picture.caption}</span>`;
  if (counted || classes.length === 0) return { legend, caption: english };
  return { legend: html`${legend}: ${english}`, caption: undefined };
}

/**
 * Longer side of the picture, px. It must not exceed `max-height` in the style sheet, because otherwise the scale
 * would not fit.
 */
const PICTURE_SIZE = 544;

interface ShownPicture extends Pick<NonNullable<ItemPageFacts['picture']>, 'src' | 'extent'> {
  readonly caption: Html | undefined;
  readonly map: Html | '';
}

// The pixels are squares in degrees, so the image is stretched to the proportions on the ground.
function pictureOf({ src, caption, extent, map }: ShownPicture, title: string, language: Language): Html {
  const { width, height } = pictureSize(extent, PICTURE_SIZE);
  return html`<figure>
    <div class="map">
      <div class="ground">
        <svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"></svg>
        <img src="${src}" alt="${sayIn(language)('previewOf', { title })}" />
      </div>
      ${extent === undefined ? '' : mapScale(extent, language)}
    </div>
    ${caption === undefined ? '' : html`<figcaption>${caption}</figcaption>`} ${map}
  </figure>`;
}

const MOST_REPORTS = 5;

function accuracyOf(reports: readonly Crumb[], say: Say): Html | '' {
  if (reports.length === 0) return '';
  const more =
    reports.length > MOST_REPORTS
      ? say('newestReports', { count: String(MOST_REPORTS), total: String(reports.length) })
      : '';
  return html`<h2>${say('accuracy')}</h2>
    <p>${say('accuracyText')} ${more}</p>
    <ul class="plain">
      ${reports.slice(0, MOST_REPORTS).map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
    </ul>`;
}

function factsOf({ period, published, itemVersion, box, license, attribution }: ItemPageFacts, say: Say): Html {
  return facts([
    [say('time'), period],
    [say('publicationDay'), published],
    [say('version'), itemVersion],
    [say('extent'), box],
    [
      say('licence'),
      license === undefined ? undefined : html`<a href="${license.href}" rel="license">${license.title}</a>`,
    ],
    [say('credit'), attribution === undefined ? undefined : html`<span lang="en">${attribution}</span>`],
  ]);
}

function sourcesOf(sources: readonly Crumb[], say: Say): Html | '' {
  if (sources.length === 0) return '';
  return html`<h3>${say('sources')}</h3>
    <ul class="plain" lang="en">
      ${sources.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
    </ul>`;
}
