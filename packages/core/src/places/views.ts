import type { District, State, Tehsil } from '../ports/places.ts';

/** A state of the place directory (`get_states/`). */
export interface StateView {
  readonly id: number;
  readonly state_name: string;
  readonly active_status: boolean;
  readonly normalized_state_name: string;
}

/** A district of the place directory (`get_districts/{state_id}/`). */
export interface DistrictView {
  readonly id: number;
  readonly district_name: string;
  readonly active_status: boolean;
  /** Id of its state. */
  readonly state: number;
  readonly normalized_district_name: string;
}

/** A tehsil of the place directory under both of its names (`get_blocks/{district_id}/`). */
export interface BlockView {
  readonly id: number;
  readonly tehsil_name: string;
  readonly active_status: boolean;
  /** Id of its district. */
  readonly district: number;
  readonly normalized_tehsil_name: string;
  readonly normalized_block_name: string;
  readonly block_name: string;
}

/** The directory's readable form of a name: `&`, `-`, `(` and `)` become blanks, blanks collapse. */
export function normalizedName(name: string): string {
  return name
    .replace(/[&()-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** States -> body of `get_states/`. */
export function stateViews(states: readonly State[]): { readonly states: readonly StateView[] } {
  return {
    states: states.map(({ id, name, isActive }) => ({
      id,
      state_name: name,
      active_status: isActive,
      normalized_state_name: normalizedName(name),
    })),
  };
}

/** Districts -> body of `get_districts/`. */
export function districtViews(districts: readonly District[]): { readonly districts: readonly DistrictView[] } {
  return {
    districts: districts.map(({ id, name, isActive, stateId }) => ({
      id,
      district_name: name,
      active_status: isActive,
      state: stateId,
      normalized_district_name: normalizedName(name),
    })),
  };
}

/** Tehsils -> body of `get_blocks/`. */
export function blockViews(tehsils: readonly Tehsil[]): { readonly blocks: readonly BlockView[] } {
  return {
    blocks: tehsils.map(({ id, name, isActive, districtId }) => ({
      id,
      tehsil_name: name,
      active_status: isActive,
      district: districtId,
      normalized_tehsil_name: normalizedName(name),
      normalized_block_name: normalizedName(name),
      block_name: name,
    })),
  };
}
