import type { District, State, TehsilUnit } from '@headwater/core/ports';
import { z } from 'zod';
import { sentences } from '../../../wire/sentences.ts';
import { idOrText, integerText } from '../../../wire/text.ts';

/** Path parameter of a state's districts. */
export const StateId = z.object({ state_id: integerText(0).describe('Id of a state, as the list of states has it.') });

/** Path parameter of a district's tehsils. */
export const DistrictId = z.object({
  district_id: integerText(0).describe('Id of a district, as the list of districts has it.'),
});

const unit = { id: z.int(), active_status: z.boolean() };

const LOCATION_TYPES = ['state', 'district', 'block'] as const;

/** Body of a request that makes a place active or not. */
export const ActivateRequest = z
  .object({
    location_type: z.enum(LOCATION_TYPES, sentences.oneOf(LOCATION_TYPES)).describe('Level of the place.'),
    location_id: idOrText.describe('Its id in the place directory.'),
    active: z.boolean(sentences.notBoolean).describe('Whether the lists of active places hold it.'),
  })
  .meta({ id: 'ActivateLocationRequest' });

/** What became of it. */
export const ActivatedBody = z
  .object({ message: z.string(), location_type: z.enum(LOCATION_TYPES), location_id: z.int(), active: z.boolean() })
  .meta({ id: 'ActivatedLocation' });

/** First level. */
export const States = z
  .object({ states: z.array(z.object({ ...unit, state_name: z.string(), normalized_state_name: z.string() })) })
  .meta({ id: 'States' });

/** Second level. */
export const Districts = z
  .object({
    districts: z.array(
      z.object({ ...unit, district_name: z.string(), state: z.int(), normalized_district_name: z.string() }),
    ),
  })
  .meta({ id: 'Districts' });

/** Third level, under both of its names. */
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

/** `&`, `-`, `(` and `)` become blanks and blanks collapse, as the directory of the live system does. */
export function normalizedName(name: string): string {
  return name
    .replace(/[&()-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** State as on the wire. */
export function stateBody(state: State): z.infer<typeof States>['states'][number] {
  return {
    id: state.id,
    state_name: state.name,
    active_status: state.isActive,
    normalized_state_name: normalizedName(state.name),
  };
}

/** District as on the wire. */
export function districtBody(district: District): z.infer<typeof Districts>['districts'][number] {
  return {
    id: district.id,
    district_name: district.name,
    active_status: district.isActive,
    state: district.stateId,
    normalized_district_name: normalizedName(district.name),
  };
}

/** Tehsil as on the wire. */
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
