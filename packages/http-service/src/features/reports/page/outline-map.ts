import { multiCoordinates } from '@headwater/core/geo';
import type { Outline } from '@headwater/core';
import { html } from 'hono/html';
import type { Language } from '../../../wire/words.ts';
import type { Html } from '../../../pages/layout.ts';
import { type MapExtent, mapScale, pictureSize } from '../../../pages/map-scale.ts';
import { sayIn } from '../../../pages/texts.ts';

/** A micro-watershed as an SVG path. */
export interface DrawnArea {
  readonly uid: string;
  readonly path: string;
  /** Colour, `#rrggbb`. Default: only the outline is drawn. */
  readonly fill?: string | undefined;
}

/** An outline and the areas around or in it, as SVG paths. */
export interface DrawnOutlines {
  /** Path of the outline; '' if it is unknown. */
  readonly own: string;
  readonly near: readonly DrawnArea[];
  readonly extent: MapExtent;
}

const SIZE = 520;

/** Draws outlines in their shape on the ground, with north up and a scale. `label`: description for screen readers. */
export function outlineMap(
  { own, near, extent }: DrawnOutlines,
  { label, language }: { readonly label: string; readonly language: Language },
): Html {
  const { width, height } = pictureSize(extent, SIZE);
  return html`<div class="map">
    <svg
      class="outlines"
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
      role="img"
      aria-label="${label}"
    >
      ${near.map(areaOf)}
      ${own === '' ? '' : html`<path class="${near.some(({ fill }) => fill !== undefined) ? 'around' : 'own'}" fill-rule="evenodd" d="${own}" />`}
    </svg>
    ${mapScale(extent, language)}
  </div>`;
}

function areaOf({ path, fill }: DrawnArea): Html {
  return fill === undefined
    ? html`<path class="near" fill-rule="evenodd" d="${path}" /> `
    : html`<path class="area" fill="${fill}" fill-rule="evenodd" d="${path}" /> `;
}

interface MapWords {
  readonly label: string;
  readonly caption: string;
  readonly language: Language;
}

/** Map of a report with heading; empty if there is no map. */
export function mapPart(map: DrawnOutlines | undefined, { label, caption, language }: MapWords): Html {
  return map === undefined
    ? html``
    : html`<h2>${sayIn(language)('map')}</h2>
        <figure id="map">
          ${outlineMap(map, { label, language })}
          <figcaption>${caption}</figcaption>
        </figure>`;
}

interface Frame {
  /** West, south, east, north. */
  readonly box: readonly [number, number, number, number];
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Frame of a map that shows this box; `extent` is its size on the ground. */
export function frameOf({ box, extent }: Pick<Frame, 'box'> & Pick<DrawnOutlines, 'extent'>): Frame {
  return { box, ...pictureSize(extent, SIZE) };
}

/** Rings as an SVG path, rounded to tenths of a pixel. Repeated points are left out. */
export function outlinePath(outline: Outline, { box: [west, south, east, north], width, height }: Frame): string {
  const pointAt = ([lon = NaN, lat = NaN]: readonly number[]): string =>
    `${(((lon - west) / (east - west)) * width).toFixed(1)} ${(((north - lat) / (north - south)) * height).toFixed(1)}`;
  const rings = multiCoordinates([outline]).flat();
  return rings
    .map((ring) => {
      const points = ring.map(pointAt).filter((point, index, all) => point !== all[index - 1]);
      return `M${points.join('L')}Z`;
    })
    .join('');
}
