import { z } from 'zod';
import { textOrNone } from '../../../wire/text.ts';

const name = textOrNone(200).optional();

/** Which part of the catalogue is meant, by names of places. */
export const ScopeQuery = z.object({
  state: name.describe('Name of a state, in any spelling with the same slug; without it the root is answered.'),
  district: name.describe('Name of a district of this state.'),
  block: name.describe('Name of a block (tehsil) of this district.'),
  tehsil: name.describe('The same as `block`.'),
});

/** Members that a request for a layer's documents needs, as clients of the live system send them. */
export const NEEDED = ['state', 'district', 'block', 'layer_name', 'layer_type'] as const;

/** Values of `layer_type`. */
export const LAYER_TYPES = ['raster', 'vector'] as const;

const said = z.unknown().optional();
const ignored = z
  .unknown()
  .optional()
  .describe('Accepted and of no effect: documents are always those of what is published.');

/** Body of a request for a layer's documents; what is wrong with it is said in the live system's own sentences. */
export const GenerateRequest = z.looseObject({
  state: said.describe('Name of the state. Required.'),
  district: said.describe('Name of the district. Required.'),
  block: said.describe('Name of the block (tehsil). Required, or `tehsil`.'),
  tehsil: said.describe('The same as `block`.'),
  layer_name: said.describe('Name of the layer, as its Item ends. Required.'),
  layer_type: said.describe('`raster` or `vector`. Required.'),
  start_year: said.describe('Year of a yearly layer, as number or text; any year without it.'),
  end_year: ignored,
  upload_to_s3: ignored,
  overwrite: ignored,
  overwrite_metadata: ignored,
});

/** Answer to it. */
export const GeneratedBody = z.object({ Success: z.string() }).meta({ id: 'StacGenerated' });
