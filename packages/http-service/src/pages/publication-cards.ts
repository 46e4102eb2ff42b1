import { html } from 'hono/html';
import type { Language } from '../wire/words.ts';
import type { Html } from './layout.ts';
import { type Say, sayIn } from './texts.ts';

/** A layer in a list. */
export interface ShownLayer {
  readonly title: string;
  /** Short label, such as the years of the layer. */
  readonly label: string;
  readonly href: string;
}

/** Layers of one place in a list, usually of one run. */
export interface ShownPublication {
  readonly place: string;
  /** Names of the district and state, or the corners of a region. */
  readonly where: string;
  /** Address of the place's Collection. */
  readonly href: string;
  /** Day of publication. */
  readonly published: string;
  /** Picture of the first of these layers that has one. */
  readonly picture: (ShownLayer & { readonly src: string }) | undefined;
  readonly layers: readonly ShownLayer[];
  /** Theme of the service's first pipeline, if a layer has it. Lists begin with such publications. */
  readonly leads: string | undefined;
}

/** Publications as cards: a picture with a link, and the names of all layers. Screen readers read `label`. */
export function publicationCards(
  publications: readonly ShownPublication[],
  language: Language,
  label = sayIn(language)('publishedLayers'),
): Html {
  const say = sayIn(language);
  return html`<ul class="layers publications" aria-label="${label}">
    ${publications.map(
      ({ place, where, href, published, picture, layers }) =>
        html`<li class="card">
          ${picture === undefined ? html`<span class="nopicture">${say('noPreview')}</span>` : pictureOf(picture, say)}
          <div>
            <h3><a href="${href}">${place}</a></h3>
            <p>${where}${published === '' ? '' : html` · ${say('publishedOn', { day: published })}`}</p>
            ${picture === undefined ? '' : html`<p lang="en"><a href="${picture.href}">${picture.title}</a></p>`}
            <ul class="chips" lang="en">
              ${layers.map((layer) => html`<li>${chip(layer)}</li> `)}
            </ul>
          </div>
        </li> `,
    )}
  </ul>`;
}

function pictureOf({ title, href, src }: ShownLayer & { readonly src: string }, say: Say): Html {
  return html`<a class="picture" href="${href}"
    ><img src="${src}" alt="${say('previewOf', { title })}" loading="lazy" width="300" height="220"
  /></a>`;
}

function chip({ title, label, href }: ShownLayer): Html {
  return html`<a href="${href}" aria-label="${label}: ${title}" title="${title}">${label}</a>`;
}
