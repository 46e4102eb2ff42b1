import { shellWord } from '../../../pages/shell-word.ts';
import { byTheme } from './themes.ts';
import { html } from 'hono/html';
import { missingHere, type TehsilLinks, tehsilWays } from './tehsil-parts.ts';
import { foot, page, type Html, type Shell } from '../../../pages/layout.ts';
import { copyText, crumbs, facts, pager, type Crumb, type Pages } from '../../../pages/parts.ts';
import type { ShownLayer } from '../../../pages/publication-cards.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';

/** A layer with its preview picture. */
export interface PicturedLayer extends ShownLayer {
  readonly src: string | undefined;
  /** Theme in a word or two, by which layers are grouped. */
  readonly theme: string | undefined;
}

/** Data of the page of a catalogue or a Collection. */
export interface CollectionPageFacts {
  readonly shell: Shell;
  readonly prefix: string;
  readonly title: string;
  /** Title of the document. Places and page number make it different for each page. */
  readonly documentTitle: string;
  readonly description: string;
  readonly above: readonly Crumb[];
  /** Heading of the list below, such as `Districts`. */
  readonly below: string;
  readonly children: readonly Crumb[];
  readonly layers: readonly PicturedLayer[];
  readonly pages: Pages;
  /** First to last day of the layers on this page; '' if none has a period. */
  readonly period: string;
  /** Extent of all layers. It may be larger than the place, because the layers consist of whole grid cells. */
  readonly box: string;
  readonly license: Crumb | undefined;
  readonly tehsil?: TehsilLinks | undefined;
  /** Link below the list, to a page that is not in the list. */
  readonly also?: Crumb;
  readonly self: string;
  readonly version: string;
  readonly credits: readonly string[];
}

/** Page of a catalogue or Collection, with links up and down the tree. */
export function collectionPage(shown: CollectionPageFacts): Html {
  const {
    prefix,
    title,
    documentTitle,
    tehsil,
    description,
    above,
    period,
    box,
    license,
    also,
    self,
    version,
    credits,
    shell,
  } = shown;
  const say = sayIn(shell.language);
  const body = html`${above.length === 0 ? '' : crumbs(above, title, say('breadcrumb'))}
    <h1>${title}</h1>
    <p class="lead">${description}</p>
    ${facts([
      [say('timeOfLayers'), period],
      [say('extentOfLayers'), box],
      [
        say('licence'),
        license === undefined ? undefined : html`<a href="${license.href}" rel="license">${license.title}</a>`,
      ],
    ])}
    ${tehsil === undefined ? '' : tehsilWays(tehsil, say)} ${listOf(shown, say)}
    ${tehsil === undefined ? '' : missingHere(tehsil, say)}
    ${also === undefined ? '' : html`<p><a href="${also.href}">${also.title}</a></p>`}
    <h2>${say('forPrograms')}</h2>
    <p>${say('stacUnlessHtml')} <a href="?format=json">${say('seeJson')}</a>.</p>
    ${copyText(`curl -sw '\\n' ${shellWord(self)}`, say('fetchDocument'))} ${foot(version, credits)}`;
  return page({ title: documentTitle, description, prefix, body, script: true, ...shell });
}

function listOf({ below, children, layers, pages }: CollectionPageFacts, say: Say): Html {
  const list =
    layers.length > 0
      ? layerList(layers, below, say)
      : html`<ul class="places" aria-label="${below}">
          ${children.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
        </ul>`;
  const isEmpty = layers.length === 0 && children.length === 0;
  return html`<h2 id="layers">${below}</h2>
    ${isEmpty ? html`<p class="empty">${say('nothingHere')}</p>` : list}
    ${pager(pages, [say('previousPage'), say('nextPage')], say('pages'))}`;
}

function layerList(layers: readonly PicturedLayer[], below: string, say: Say): Html {
  const groups = byTheme(layers, say('otherTheme'));
  if (groups.length < 2) return cards(layers, below, say);
  return html`${groups.map(
    ({ title, layers: own }) =>
      html`<h3 lang="en">${title}</h3>
        ${cards(own, title, say)}`,
  )}`;
}

function cards(layers: readonly PicturedLayer[], label: string, say: Say): Html {
  return html`<ul class="layers" aria-label="${label}">
    ${layers.map((layer) => layerCard(layer, say))}
  </ul>`;
}

function layerCard({ title, label, href, src }: PicturedLayer, say: Say): Html {
  const picture =
    src === undefined
      ? html`<span class="nopicture">${say('noPreview')}</span>`
      : html`<img src="${src}" alt="" loading="lazy" width="300" height="220" />`;
  return html`<li class="card">
    <a class="picture" href="${href}">${picture}<span lang="en">${title}</span></a>
    <p lang="en">${label}</p>
  </li> `;
}
