import { z, type ZodType } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The documented side of a transforming schema: what clients send, or what they receive. */
export type Side = 'input' | 'output';

/** Collects named schemas as components while schemas are converted. */
export interface SchemaSink {
  /** Converts a zod schema to JSON Schema; its named parts become references to components. Throws if JSON Schema cannot express it. */
  convert(schema: ZodType, side: Side): unknown;
  readonly components: Readonly<Record<string, unknown>>;
}

/** Creates a sink. It refuses two different schemas with the same name. */
export function createSchemaSink(): SchemaSink {
  const components: Record<string, unknown> = {};
  return {
    components,
    convert(schema, side) {
      const { $schema: _dialect, $defs = {}, ...rest } = converted(schema, side);
      for (const [name, definition] of Object.entries($defs)) {
        const value = cleaned(definition);
        const previous = components[name];
        if (previous !== undefined && JSON.stringify(previous) !== JSON.stringify(value)) {
          throw new Error(`two different schemas are named ${name}; rename one (an input and an output count as two)`);
        }
        components[name] = value;
      }
      return cleaned(rest);
    },
  };
}

const CONVERTED = { input: new WeakMap<ZodType, JsonSchema>(), output: new WeakMap<ZodType, JsonSchema>() };

/**
 * Converts a schema by zod's own conversion and caches the result. The conversion takes most of the time of a document, and each service of
 * a process creates a document.
 */
function converted(schema: ZodType, side: Side): JsonSchema {
  const schemaJson = CONVERTED[side].get(schema) ?? z.toJSONSchema(schema, { io: side, target: 'draft-2020-12' });
  CONVERTED[side].set(schema, schemaJson);
  return schemaJson;
}

// Moves references from zod's `$defs` to the document's components and drops ids and the bounds of safe integers. Also drops the format
// `email` next to a pattern, because the pattern validates the values and refuses some addresses that the format allows. For a number that
// is sent as text in an address, drops the rules of the text.
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  const isNumber = 'type' in value && (value.type === 'integer' || value.type === 'number');
  const entries = Object.entries(value).filter(
    ([key, each]) =>
      !isNoise(key, each) &&
      !(key === 'format' && each === 'email' && 'pattern' in value) &&
      !(isNumber && (TEXT_RULES.has(key) || (key === 'default' && typeof each === 'string'))),
  );
  return Object.fromEntries(entries.map(([key, each]) => [key, key === '$ref' ? movedRef(each) : cleaned(each)]));
}

const TEXT_RULES: ReadonlySet<string> = new Set(['pattern', 'minLength', 'maxLength']);

function isNoise(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

function movedRef(ref: unknown): string {
  return String(ref).replace('#/$defs/', '#/components/schemas/');
}
