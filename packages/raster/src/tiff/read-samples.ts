import { PlanarConfiguration, SampleFormat, TiffTag } from '@cogeotiff/core';
import type { TiffImage } from '@cogeotiff/core';
import { isDtype } from '../pixels/pixel-array.ts';
import type { Dtype } from '../pixels/pixel-array.ts';
import { badFile } from './bad-file.ts';

/** Storage of the samples of an image, and the band to read. */
export interface Samples {
  readonly dtype: Dtype;
  /** Number of samples of a pixel: one for each band, including an alpha band. */
  readonly count: number;
  /** True if each band has its own tiles, false if bands are stored pixel by pixel. */
  readonly separate: boolean;
  /** Index of the band to read, from 0. */
  readonly band: number;
  /** Index of the alpha band; null without an alpha band. */
  readonly alpha: number | null;
}

/**
 * Reads the storage of an image's samples. `band` (from 1) selects a band; it is required if the image has several bands
 * (not counting alpha). Throws `input_data` if it is missing or does not exist, and for unsupported samples.
 */
export async function readSamples(image: TiffImage, href: string, band?: number): Promise<Samples> {
  const [bits, formats, extra, count, planar, order] = await Promise.all([
    numbersOf(image, TiffTag.BitsPerSample),
    numbersOf(image, TiffTag.SampleFormat),
    numbersOf(image, TiffTag.ExtraSamples),
    image.fetch(TiffTag.SamplesPerPixel),
    image.fetch(TiffTag.PlanarConfiguration),
    image.fetch(TiffTag.FillOrder),
  ]);
  if ((order ?? 1) !== 1)
    throw badFile(href, 'the bits of its bytes are reversed (FillOrder 2); rewrite it with `gdal_translate -of COG`');
  const samples = count ?? 1;
  if (!(Number.isInteger(samples) && samples >= 1 && samples <= MOST_SAMPLES))
    throw badFile(href, `it claims ${samples} samples for each pixel; it is damaged`);
  const separate = samples > 1 && planar === PlanarConfiguration.Separate;
  const at = extra.findIndex((kind) => ALPHA.has(kind));
  const alpha = at < 0 ? null : samples - extra.length + at;
  const dtype = dtypeOf({ bits, formats }, href);
  return { dtype, count: samples, separate, alpha, band: bandOf({ samples, separate, alpha, band }, href) };
}

const ALPHA: ReadonlySet<number> = new Set([1, 2]);
const MOST_SAMPLES = 65_535;

async function numbersOf(
  image: TiffImage,
  tag: TiffTag.BitsPerSample | TiffTag.SampleFormat | TiffTag.ExtraSamples,
): Promise<readonly number[]> {
  const value: unknown = await image.fetch(tag);
  if (typeof value === 'number') return [value];
  return Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<number>, Number) : [];
}

function bandOf(
  {
    samples,
    separate,
    alpha,
    band,
  }: { samples: number; separate: boolean; alpha: number | null; band: number | undefined },
  href: string,
): number {
  const bands = alpha === null ? samples : samples - 1;
  if (band === undefined && bands > 1) {
    const stored = separate ? 'one after the other' : 'pixel by pixel';
    throw badFile(
      href,
      `it has ${bands} bands, stored ${stored}; the file must have one band (\`gdal_translate -b 1\`)`,
    );
  }
  const index = (band ?? (alpha === 0 ? 2 : 1)) - 1;
  if (index >= 0 && index < samples) return index;
  throw badFile(href, `it has no band ${band}; its bands are 1 to ${samples}`);
}

const UINT: number = SampleFormat.Uint;

/**
 * Sample formats of TIFF 6.0; untyped data are integers. This is a Map, because a hostile tag may be a text such as
 * `constructor`.
 */
const PREFIXES: ReadonlyMap<unknown, string> = new Map([
  [SampleFormat.Uint, 'uint'],
  [SampleFormat.Int, 'int'],
  [SampleFormat.Float, 'float'],
  [SampleFormat.Void, 'uint'],
  [SampleFormat.ComplexInt, 'complex'],
  [SampleFormat.ComplexFloat, 'complex'],
]);

function dtypeOf(
  { bits, formats }: { readonly bits: readonly number[]; readonly formats: readonly number[] },
  href: string,
): Dtype {
  const width = bits[0] ?? 1;
  const format = formats[0] ?? UINT;
  if (bits.some((each) => each !== width) || formats.some((each) => each !== format))
    throw badFile(href, 'its bands have different sample types; extract one of them (`gdal_translate -b 1`)');
  const prefix = PREFIXES.get(format);
  if (prefix === undefined) throw badFile(href, `its sample format ${format} is unknown; it is damaged`);
  if (prefix === 'complex')
    throw badFile(
      href,
      'its samples are complex numbers, which maps do not support; convert them (`gdal_translate -ot Float32` takes the real part)',
    );
  const dtype = `${prefix}${width}`;
  if (isDtype(dtype)) return dtype;
  const to = prefix === 'float' || width > 32 ? 'Float32' : width < 8 ? 'Byte -co NBITS=8' : 'UInt16 -co NBITS=16';
  throw badFile(
    href,
    `its ${width} bit ${prefix} samples are not supported; rewrite it with \`gdal_translate -ot ${to}\``,
  );
}
