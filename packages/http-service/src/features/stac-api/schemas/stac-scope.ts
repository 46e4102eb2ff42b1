import { z } from 'zod';
import { textOrNone } from '../../../wire/text.ts';

const name = textOrNone(200).optional();

/** Query that selects a part of the catalogue by place names. */
export const ScopeQuery = z.object({
  state: name.describe('Name of a state, in any spelling with the same slug; without it, the root is returned.'),
  district: name.describe('Name of a district of this state.'),
  block: name.describe('Name of a block (tehsil) of this district.'),
  tehsil: name.describe('The same as `block`.'),
});

/** Required members of a request for a layer's documents. */
export const NEEDED = ['state', 'district', 'block', 'layer_name', 'layer_type'] as const;

/** Values of `layer_type`. */
export const LAYER_TYPES = ['raster', 'vector'] as const;

const member = z.unknown().optional();
const ignored = z
  .unknown()
  .optional()
  .describe('Accepted and ignored: the documents always describe published layers.');

/**
 * Body of a request for a layer's documents. The handler checks the members, because existing clients expect certain
 * error sentences.
 */
export const GenerateRequest = z.looseObject({
  state: member.describe('Name of the state. Required.'),
  district: member.describe('Name of the district. Required.'),
  block: member.describe('Name of the block (tehsil). Required unless `tehsil` is sent.'),
  tehsil: member.describe('The same as `block`.'),
  layer_name: member.describe("Name of the layer: the end of its Item's id. Required."),
  layer_type: member.describe('`raster` or `vector`. Required.'),
  start_year: member.describe('Year of a yearly layer, as number or text; default: any year.'),
  end_year: ignored,
  upload_to_s3: ignored,
  overwrite: ignored,
  overwrite_metadata: ignored,
});

/** Response to a request for a layer's documents. */
export const GeneratedBody = z.object({ Success: z.string() }).meta({ id: 'StacGenerated' });
