import { z, type ZodType } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Which side of a transforming schema is documented: what callers send, or what they get. */
export type Side = 'input' | 'output';

/** Collects named schemas as components while schemas are converted. */
export interface SchemaSink {
  /** zod schema -> JSON Schema whose named parts are references to components. Throws when zod cannot say it in JSON Schema. */
  convert(schema: ZodType, side: Side): unknown;
  readonly components: Readonly<Record<string, unknown>>;
}

/** A sink; two different schemas of one name are refused. */
export function createSchemaSink(): SchemaSink {
  const components: Record<string, unknown> = {};
  return {
    components,
    convert(schema, side) {
      const { $schema: _dialect, $defs = {}, ...rest } = converted(schema, side);
      for (const [name, definition] of Object.entries($defs)) {
        const value = cleaned(definition);
        const known = components[name];
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
          throw new Error(`two different schemas are named ${name}; rename one (an input and an output count as two)`);
        }
        components[name] = value;
      }
      return cleaned(rest);
    },
  };
}

const CONVERTED = { input: new WeakMap<ZodType, JsonSchema>(), output: new WeakMap<ZodType, JsonSchema>() };

/** zod's own conversion, cached: it is most of the work of a document, which each service of a process makes. */
function converted(schema: ZodType, side: Side): JsonSchema {
  const known = CONVERTED[side].get(schema) ?? z.toJSONSchema(schema, { io: side, target: 'draft-2020-12' });
  CONVERTED[side].set(schema, known);
  return known;
}

// References move from zod's `$defs` to the document's components; ids and the bounds of safe integers say nothing here. A format next to a
// pattern says nothing either, or something else: `email` takes addresses that the pattern, by which values are checked, refuses.
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, each]) => !isNoise(key, each) && !(key === 'format' && each === 'email' && 'pattern' in value),
  );
  return Object.fromEntries(entries.map(([key, each]) => [key, key === '$ref' ? movedRef(each) : cleaned(each)]));
}

function isNoise(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

function movedRef(ref: unknown): string {
  return String(ref).replace('#/$defs/', '#/components/schemas/');
}
