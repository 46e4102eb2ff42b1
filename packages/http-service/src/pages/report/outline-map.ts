import { multiCoordinates, type Outline } from '@headwater/core';
import { html } from 'hono/html';
import type { Language } from '../../wire/languages.ts';
import type { Html } from '../layout.ts';
import { type MapExtent, mapScale, pictureSize } from '../map-scale.ts';

/** An outline among others, lon/lat. */
export interface OutlineMap {
  readonly own: Outline;
  readonly others: readonly Outline[];
  /** What is drawn: west, south, east, north. */
  readonly box: readonly [number, number, number, number];
  readonly extent: MapExtent;
}

/** Long side of the picture, pixels. */
const SIZE = 520;

/** Draws it north up in its shape on the ground, with its scale below; `label` says in words what it shows. */
export function outlineMap(
  map: OutlineMap,
  { label, language }: { readonly label: string; readonly language: Language },
): Html {
  const { width, height } = pictureSize(map.extent, SIZE);
  const pathOf = (outline: Outline): string => outlinePath(outline, { box: map.box, width, height });
  return html`<div class="map">
    <svg
      class="outlines"
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
      role="img"
      aria-label="${label}"
    >
      ${map.others.map((outline) => html`<path class="near" fill-rule="evenodd" d="${pathOf(outline)}" /> `)}
      <path class="own" fill-rule="evenodd" d="${pathOf(map.own)}" />
    </svg>
    ${mapScale(map.extent, language)}
  </div>`;
}

interface Frame extends Pick<OutlineMap, 'box'> {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Rings of an outline as the path of an SVG, in tenths of a pixel: points that fall on the one before are left out. */
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
