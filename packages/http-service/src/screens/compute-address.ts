import type { Ports } from '../deps.ts';
import { pageLinks } from '../pages/layout.ts';
import { paths } from '../wire/paths.ts';

/** Path of the form that starts a computation, with these fields; empty fields are left out. */
export function computeAddress(fields: Readonly<Record<string, string>>): string {
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  const query = new URLSearchParams(filled).toString();
  return query === '' ? paths.dashboardCompute : `${paths.dashboardCompute}?${query}`;
}

/** Fields of the form that other pages fill in. */
export interface ComputeFields {
  readonly state?: string;
  readonly district?: string;
  readonly tehsil?: string;
  readonly layer?: string;
}

/**
 * Address of the form that starts a computation. Undefined if the service has no pages for users or computes nothing.
 */
export function computeFormAddress(
  { baseUrl, canCompute, screens }: Ports<'baseUrl' | 'canCompute' | 'screens'>,
  { state = '', district = '', tehsil = '', layer = '' }: ComputeFields,
): string | undefined {
  if (screens.kind === 'off' || !canCompute) return undefined;
  return pageLinks(baseUrl).prefix + computeAddress({ state, district, tehsil, layer });
}
