import { html } from 'hono/html';
import type { Language } from '../wire/words.ts';
import type { Html } from './layout.ts';
import { sayIn } from './texts.ts';

/** Extent of a layer's picture, with north at the top. */
export interface MapExtent {
  readonly degrees: readonly [width: number, height: number];
  /** Latitude of the middle of the picture, degrees north. */
  readonly middleLatitude: number;
  /** Width in metres along the middle latitude. */
  readonly widthMetres: number;
}

/** Maximum length of a scale bar, as a part of the picture's width. */
const MOST = 0.4;

/** Length of a scale bar. */
export interface ScaleBar {
  readonly metres: number;
  /** `500 m`, `2 km`. */
  readonly text: string;
  /** Percent of the picture's width. */
  readonly percent: number;
}

/** Longest bar of at most `MOST` of the picture's width; its length is 1, 2 or 5 times a power of ten. */
export function scaleBar(widthMetres: number, language: Language = 'en'): ScaleBar {
  const say = sayIn(language);
  const most = widthMetres * MOST;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = [5, 2, 1].map((factor) => factor * power).find((length) => length <= most) ?? power;
  const text = metres >= 1000 ? `${metres / 1000} ${say('km')}` : `${metres} ${say('m')}`;
  return { metres, text, percent: (100 * metres) / widthMetres };
}

/** Scale below a picture, resized together with the picture. */
export function mapScale({ widthMetres, middleLatitude }: MapExtent, language: Language = 'en'): Html {
  const say = sayIn(language);
  const { text: length, percent } = scaleBar(widthMetres, language);
  const half = percent / 2;
  const at = `${Math.abs(middleLatitude).toFixed(1)}° ${say(middleLatitude < 0 ? 'south' : 'north')}`;
  return html`<svg class="scale" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="length" width="${percent.toFixed(3)}" height="8" />
      <rect class="gap" x="${half.toFixed(3)}" y="2" width="${(half * 0.98).toFixed(3)}" height="4" />
    </svg>
    <p class="scaletext">
      <span>${say('bar', { length, at })}</span> <span><span aria-hidden="true">↑ </span>${say('northUp')}</span>
    </p>`;
}

/**
 * Width and height of a picture, px; `size` is the longer side. All degrees of longitude are drawn with the length
 * that they have at the middle latitude (equirectangular projection).
 */
export function pictureSize(
  extent: MapExtent | undefined,
  size: number,
): { readonly width: number; readonly height: number } {
  const [east, height] = extent?.degrees ?? [1, 1];
  const width = east * Math.cos(((extent?.middleLatitude ?? 0) * Math.PI) / 180);
  const most = Math.max(width, height);
  return {
    width: Math.max(1, Math.round((size * width) / most)),
    height: Math.max(1, Math.round((size * height) / most)),
  };
}
