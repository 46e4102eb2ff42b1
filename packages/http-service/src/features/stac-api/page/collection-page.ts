import { shellWord } from '../../../pages/shell-word.ts';
import { byTheme } from './themes.ts';
import { html } from 'hono/html';
import { missingHere, type TehsilLinks, tehsilWays } from './tehsil-parts.ts';
import { type Account, foot, page, type Html } from '../../../pages/layout.ts';
import { copyText, crumbs, facts, pager, type Crumb, type Pages } from '../../../pages/parts.ts';
import type { ShownLayer } from '../../../pages/publication-cards.ts';

/** A layer with its preview picture. */
export interface PicturedLayer extends ShownLayer {
  readonly src: string | undefined;
  /** Theme in a word or two; layers with the same theme are grouped. */
  readonly theme: string | undefined;
}

/** Data of the page of a catalogue or a Collection. */
export interface CollectionPageFacts {
  /** Link of the shell to the pages of the reader. */
  readonly account?: Account | undefined;
  readonly prefix: string;
  readonly title: string;
  /** Title of the document: with the places above and the number of the page, so that no other page has it. */
  readonly documentTitle: string;
  readonly description: string;
  readonly above: readonly Crumb[];
  /** Heading of the list below, such as `Districts`. */
  readonly below: string;
  readonly children: readonly Crumb[];
  readonly layers: readonly PicturedLayer[];
  readonly pages: Pages;
  /** First to last day of the layers on this page that have a period; '' if none has. */
  readonly period: string;
  /** Extent of all layers, which may be larger than the place because grid cells are whole. */
  readonly box: string;
  /** Title and address of the licence. */
  readonly license: Crumb | undefined;
  /** Links of a tehsil; undefined for other Collections. */
  readonly tehsil?: TehsilLinks | undefined;
  /** Link to a list that is not part of the one below. */
  readonly also?: Crumb;
  /** Absolute address of the document. */
  readonly self: string;
  readonly version: string;
  readonly credits: readonly string[];
}

/** Page of a catalogue or Collection: its place in the tree, the list below, and its address for programs. */
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
  } = shown;
  const body = html`${above.length === 0 ? '' : crumbs(above, title)}
    <h1>${title}</h1>
    <p class="lead">${description}</p>
    ${facts([
      ['Time of these layers', period],
      ['Extent of the layers', box],
      [
        'Licence',
        license === undefined ? undefined : html`<a href="${license.href}" rel="license">${license.title}</a>`,
      ],
    ])}
    ${tehsil === undefined ? '' : tehsilWays(tehsil)} ${listOf(shown)}
    ${tehsil === undefined ? '' : missingHere(tehsil)}
    ${also === undefined ? '' : html`<p><a href="${also.href}">${also.title}</a></p>`}
    <h2>For programs</h2>
    <p>
      This address returns STAC as JSON unless the request accepts HTML; <a href="?format=json">see the JSON here</a>.
    </p>
    ${copyText(`curl -sw '\\n' ${shellWord(self)}`, 'the command that fetches this document')} ${foot(version, credits)}`;
  return page({ title: documentTitle, description, prefix, body, script: true, account: shown.account });
}

function listOf({ below, children, layers, pages }: CollectionPageFacts): Html {
  const list =
    layers.length > 0
      ? layerList(layers, below)
      : html`<ul class="places" aria-label="${below}">
          ${children.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
        </ul>`;
  const isEmpty = layers.length === 0 && children.length === 0;
  return html`<h2 id="layers">${below}</h2>
    ${isEmpty ? html`<p class="empty">Nothing is published here yet.</p>` : list} ${pager(pages, ['Previous', 'Next'])}`;
}

/** Layers as one list if they are few, otherwise grouped by theme. */
function layerList(layers: readonly PicturedLayer[], below: string): Html {
  const groups = byTheme(layers);
  if (groups.length < 2) return cards(layers, below);
  return html`${groups.map(
    ({ title, layers: own }) =>
      html`<h3>${title}</h3>
        ${cards(own, title)}`,
  )}`;
}

function cards(layers: readonly PicturedLayer[], label: string): Html {
  return html`<ul class="layers" aria-label="${label}">
    ${layers.map(layerCard)}
  </ul>`;
}

function layerCard({ title, label, href, src }: PicturedLayer): Html {
  const picture =
    src === undefined
      ? html`<span class="nopicture">No preview</span>`
      : html`<img src="${src}" alt="" loading="lazy" width="300" height="220" />`;
  return html`<li class="card">
    <a class="picture" href="${href}">${picture}<span>${title}</span></a>
    <p>${label}</p>
  </li> `;
}
