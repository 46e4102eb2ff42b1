import type { District, State, TehsilUnit } from '@headwater/core/ports';
import { z } from 'zod';
import { sentences } from '../../../wire/sentences.ts';
import { idOrText, integerText } from '../../../wire/text.ts';

/** Path parameter of a state's districts. */
export const StateId = z.object({ state_id: integerText(0).describe('Id of a state, from the list of states.') });

/** Path parameter of a district's tehsils. */
export const DistrictId = z.object({
  district_id: integerText(0).describe('Id of a district, from the list of districts.'),
});

const unit = { id: z.int(), active_status: z.boolean() };

const LOCATION_TYPES = ['state', 'district', 'block'] as const;

/** Body of a request that activates or deactivates a place. */
export const ActivateRequest = z
  .object({
    location_type: z.enum(LOCATION_TYPES, sentences.oneOf(LOCATION_TYPES)).describe('Level of the place.'),
    location_id: idOrText.describe('Id of the place in the directory.'),
    active: z.boolean(sentences.notBoolean).describe('True: the lists of active places include it.'),
  })
  .meta({ id: 'ActivateLocationRequest' });

/** The changed location and its new state. */
export const ActivatedBody = z
  .object({ message: z.string(), location_type: z.enum(LOCATION_TYPES), location_id: z.int(), active: z.boolean() })
  .meta({ id: 'ActivatedLocation' });

/** States: the first level of the directory. */
export const States = z
  .object({ states: z.array(z.object({ ...unit, state_name: z.string(), normalized_state_name: z.string() })) })
  .meta({ id: 'States' });

/** Districts: the second level of the directory. */
export const Districts = z
  .object({
    districts: z.array(
      z.object({ ...unit, district_name: z.string(), state: z.int(), normalized_district_name: z.string() }),
    ),
  })
  .meta({ id: 'Districts' });

/** Tehsils: the third level of the directory, with the names tehsil and block. */
export const Blocks = z
  .object({
    blocks: z.array(
      z.object({
        ...unit,
        tehsil_name: z.string(),
        block_name: z.string(),
        district: z.int(),
        normalized_tehsil_name: z.string(),
        normalized_block_name: z.string(),
      }),
    ),
  })
  .meta({ id: 'Blocks' });

/** Normalizes a name: `&`, `-`, `(`, `)` and several spaces become one space. */
export function normalizedName(name: string): string {
  return name
    .replace(/[&()-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Converts a state into its wire form. */
export function stateBody(state: State): z.infer<typeof States>['states'][number] {
  return {
    id: state.id,
    state_name: state.name,
    active_status: state.isActive,
    normalized_state_name: normalizedName(state.name),
  };
}

/** Converts a district into its wire form. */
export function districtBody(district: District): z.infer<typeof Districts>['districts'][number] {
  return {
    id: district.id,
    district_name: district.name,
    active_status: district.isActive,
    state: district.stateId,
    normalized_district_name: normalizedName(district.name),
  };
}

/** Converts a tehsil into its wire form. */
export function blockBody(tehsil: TehsilUnit): z.infer<typeof Blocks>['blocks'][number] {
  return {
    id: tehsil.id,
    tehsil_name: tehsil.name,
    block_name: tehsil.name,
    active_status: tehsil.isActive,
    district: tehsil.districtId,
    normalized_tehsil_name: normalizedName(tehsil.name),
    normalized_block_name: normalizedName(tehsil.name),
  };
}
