/** Bands of a scene in file order. */
export const REFLECTANCE_BANDS = ['B02', 'B03', 'B04', 'B08', 'B11', 'B12'] as const;

/** Reflectance (0-1) per band of `REFLECTANCE_BANDS`. */
export type Spectrum = readonly [number, number, number, number, number, number];

/** Spectra of pure surfaces, of which pixels are mixtures. The values follow typical curves of spectral libraries. */
export const SPECTRA = {
  redSoil: [0.066, 0.098, 0.16, 0.228, 0.32, 0.282],
  darkSoil: [0.056, 0.078, 0.108, 0.15, 0.225, 0.2],
  rock: [0.105, 0.152, 0.216, 0.262, 0.372, 0.34],
  stubble: [0.092, 0.132, 0.182, 0.268, 0.335, 0.258],
  cropLeaf: [0.026, 0.066, 0.034, 0.46, 0.205, 0.098],
  treeCrown: [0.02, 0.046, 0.026, 0.335, 0.15, 0.068],
  shrubLeaf: [0.03, 0.058, 0.045, 0.33, 0.195, 0.11],
  concrete: [0.156, 0.176, 0.196, 0.222, 0.268, 0.258],
  clayTile: [0.104, 0.126, 0.172, 0.216, 0.282, 0.262],
  sheetMetal: [0.196, 0.206, 0.214, 0.23, 0.25, 0.24],
  clearWater: [0.052, 0.058, 0.036, 0.021, 0.011, 0.008],
  siltyWater: [0.082, 0.112, 0.104, 0.056, 0.021, 0.014],
  cloudTop: [0.56, 0.55, 0.55, 0.57, 0.4, 0.3],
} as const satisfies Record<string, Spectrum>;

/**
 * Reflectance of a soil at field capacity, as a share of its dry reflectance. Water darkens short-wave infrared most.
 */
export const WET_SOIL: Spectrum = [0.62, 0.61, 0.6, 0.62, 0.5, 0.44];

/** Adds `share` of a spectrum to `into` at `offset`. */
export function blend(
  into: Float32Array,
  offset: number,
  part: { readonly share: number; readonly of: Spectrum },
): void {
  for (let band = 0; band < 6; band += 1)
    into[offset + band] = (into[offset + band] ?? 0) + part.share * (part.of[band] ?? 0);
}
