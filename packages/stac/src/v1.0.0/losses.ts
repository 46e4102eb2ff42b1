import type { Loss } from './types.ts';

/** `other` says of a licence what no word of STAC 1.0.0 says. */
export function licenseV100(losses: Loss[], pointer: string, license: string): string {
  if (/^[\w.-]+$/.test(license) && license !== 'other') return license;
  const reason = 'STAC 1.0.0 has no "other" and no "+" in a licence; read the licence link';
  losses.push({ pointer, rule: 'license', lost: license, kept: 'proprietary', reason });
  return 'proprietary';
}

/** The number of an EPSG code; null for a CRS of another authority, which projection v1.1 cannot name by a code. */
export function epsgV100(losses: Loss[], pointer: string, code: unknown): number | null {
  const number = typeof code === 'string' ? /^EPSG:(\d+)$/.exec(code)?.[1] : undefined;
  if (number !== undefined) return Number(number);
  const reason = 'projection v1.1 knows codes of EPSG only; give WKT2 or PROJJSON beside it';
  losses.push({ pointer, rule: 'proj.code', lost: code, kept: null, reason });
  return null;
}
