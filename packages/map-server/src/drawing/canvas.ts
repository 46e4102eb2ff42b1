import { fileURLToPath } from 'node:url';
import type { Rgba } from '@headwater/core';
import type { MapPicture, MapPixels } from '@headwater/core/ports';
import type { Turn } from '../protocol/turns.ts';
import { type Canvas, createCanvas, GlobalFonts, ImageData, type SKRSContext2D } from '@napi-rs/canvas';

/** Formats of a picture. */
export type PictureFormat = 'image/png' | 'image/jpeg' | 'image/webp';

export const PICTURE_FORMATS: readonly PictureFormat[] = ['image/png', 'image/jpeg', 'image/webp'];

/** Subsets of the font. A letter is drawn from the first subset that contains the letter. */
const FONTS = ['latin', 'latin-ext', 'devanagari'] as const;
const familyOf = (subset: (typeof FONTS)[number]): string => `Headwater ${subset}`;
/** CSS list of the font families. The fonts come from an npm package, so no installed fonts are needed. */
export const FONT_FAMILY = FONTS.map((subset) => `"${familyOf(subset)}"`).join(', ');

let hasFonts = false;

function registerFonts(): void {
  if (hasFonts) return;
  hasFonts = true;
  for (const subset of FONTS) {
    const file = import.meta.resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-400-normal.woff2`);
    GlobalFonts.registerFromPath(fileURLToPath(file), familyOf(subset));
  }
}

/** Creates a canvas. `background`: CSS colour; default: transparent. */
export function canvasOf(
  width: number,
  height: number,
  background?: string,
): { readonly canvas: Canvas; readonly context: SKRSContext2D } {
  registerFonts();
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, width, height);
  }
  return { canvas, context };
}

/** Number of pixels that are copied without a pause for other requests. */
const STRIP_PIXELS = 2 ** 19;

/** Divides a picture into strips of whole rows. */
export function stripsOf(width: number, height: number): readonly { readonly first: number; readonly count: number }[] {
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  return Array.from({ length: Math.ceil(height / rows) }, (_, strip) => ({
    first: strip * rows,
    count: Math.min(rows, height - strip * rows),
  }));
}

/** Quality 0 to 100. WebP of quality 100 is lossless, so the colours of classes stay exact. */
const QUALITY = { jpeg: 90, webp: 100 } as const;

interface Encoding {
  readonly pixels: Pick<MapPixels, 'png'> | undefined;
  readonly format: PictureFormat;
  readonly turn: Turn;
}

/**
 * Encodes a picture. If PNG is requested and there is a pixel engine, a picture with a palette becomes a palette PNG.
 */
export async function encodeMap(picture: MapPicture, { pixels, format, turn }: Encoding): Promise<Uint8Array> {
  const { width, height, palette } = picture;
  if (format === 'image/png' && palette !== null && pixels !== undefined) return await pixels.png(picture);
  const { canvas, context } = canvasOf(width, height);
  const bytes = palette === null ? 4 : 1;
  for (const { first, count } of stripsOf(width, height)) {
    const strip = picture.pixels.subarray(bytes * first * width, bytes * (first + count) * width);
    const data = palette === null ? strip : colorsOf(strip, palette);
    context.putImageData(new ImageData(new Uint8ClampedArray(data), width, count), 0, first);
    if (turn.isOver()) await turn.next();
  }
  return await encodePicture(canvas, format);
}

/** Colours of a palette as words of red, green, blue and alpha. Missing colours are transparent. */
export function wordsOf(palette: readonly Rgba[]): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(256);
  new Uint8Array(words.buffer).set(palette.slice(0, words.length).flat());
  return words;
}

function colorsOf(pixels: Uint8Array, palette: readonly Rgba[]): Uint8Array {
  const words = wordsOf(palette);
  const out = new Uint32Array(pixels.length);
  for (let at = 0; at < out.length; at += 1) out[at] = words[pixels[at]!]!;
  return new Uint8Array(out.buffer);
}

/** Encodes a canvas in another thread. */
export async function encodePicture(canvas: Canvas, format: PictureFormat): Promise<Uint8Array> {
  if (format === 'image/png') return await canvas.encode('png');
  return format === 'image/jpeg'
    ? await canvas.encode('jpeg', QUALITY.jpeg)
    : await canvas.encode('webp', QUALITY.webp);
}
