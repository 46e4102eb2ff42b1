import { z, type ZodType } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The documented side of a transforming schema: what clients send, or what they receive. */
export type Side = 'input' | 'output';

/** A named part of schemas, which a document has as a component. Documents share it, so it must not be changed. */
export interface SchemaPart {
  readonly name: string;
  readonly schema: unknown;
  /** The schema as JSON text, by which parts with the same name are compared. */
  readonly text: string;
}

/** Collects the named parts of schemas while schemas are converted. */
export interface SchemaSink {
  /**
   * Converts a zod schema to JSON Schema; named parts of the schema become references to components. Throws if JSON Schema cannot
   * express the schema.
   */
  convert(schema: ZodType, side: Side): unknown;
  readonly parts: SchemaParts;
}

/** Named parts without two different parts of the same name. */
export class SchemaParts {
  readonly #byName = new Map<string, SchemaPart>();

  /** Adds parts. Throws if a different part has the same name. */
  add(parts: Iterable<SchemaPart>): void {
    for (const part of parts) {
      const { name, text } = part;
      if ((this.#byName.get(name)?.text ?? text) !== text)
        throw new Error(`two different schemas are named ${name}; rename one (an input and an output count as two)`);
      this.#byName.set(name, part);
    }
  }

  [Symbol.iterator](): Iterator<SchemaPart> {
    return this.#byName.values();
  }
}

/** Creates a sink (collector of named parts). The sink refuses two different schemas with the same name. */
export function createSchemaSink(): SchemaSink {
  const parts = new SchemaParts();
  return {
    parts,
    convert(schema, side) {
      const { value, parts: named } = converted(schema, side);
      parts.add(named);
      return value;
    },
  };
}

/** A schema as it is documented, with its named parts. */
interface Converted {
  readonly value: unknown;
  readonly parts: readonly SchemaPart[];
}

const CONVERTED = { input: new WeakMap<ZodType, Converted>(), output: new WeakMap<ZodType, Converted>() };

/**
 * Converts a schema by zod's own conversion and caches the result. The conversion takes most of the time of a document, and each service of
 * a process creates a document.
 */
function converted(schema: ZodType, side: Side): Converted {
  const known = CONVERTED[side].get(schema);
  if (known !== undefined) return known;
  const json: JsonSchema = z.toJSONSchema(schema, { io: side, target: 'draft-2020-12' });
  const { $schema: _dialect, $defs = {}, ...rest } = json;
  const parts = Object.entries($defs).map(([name, definition]) => {
    const part = cleaned(definition);
    return { name, schema: part, text: JSON.stringify(part) };
  });
  const schemaAndParts = { value: cleaned(rest), parts };
  CONVERTED[side].set(schema, schemaAndParts);
  return schemaAndParts;
}

// Moves references from zod's `$defs` to the document's components and drops the bounds of safe integers. Also drops the format
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
