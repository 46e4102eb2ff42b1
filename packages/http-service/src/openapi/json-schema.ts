import { z, type ZodType } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Side of a transforming schema: `input` is sent by clients, `output` is received by clients. */
export type Side = 'input' | 'output';

/** Named part of a schema: a component of the document. Documents share it, so do not change it. */
export interface SchemaPart {
  readonly name: string;
  readonly schema: unknown;
  /** JSON text of the schema, to compare parts with the same name. */
  readonly text: string;
}

/** Collects the named parts of the schemas that it converts. */
export interface SchemaSink {
  /**
   * Converts a zod schema to JSON Schema, with references to named parts. Throws if JSON Schema cannot express the
   * schema.
   */
  convert(schema: ZodType, side: Side): unknown;
  readonly parts: SchemaParts;
}

/** Named parts with unique names. */
export class SchemaParts {
  readonly #byName = new Map<string, SchemaPart>();

  /** Adds parts. Throws if a different part has the same name. */
  add(parts: Iterable<SchemaPart>): void {
    for (const part of parts) {
      const { name, text } = part;
      if ((this.#byName.get(name)?.text ?? text) !== text)
        throw new Error(
          `two different schemas are named ${name}; rename one. A zod schema that both requests and responses use can give two; then use two zod schemas with different names`,
        );
      this.#byName.set(name, part);
    }
  }

  [Symbol.iterator](): Iterator<SchemaPart> {
    return this.#byName.values();
  }
}

/** Creates a sink that collects named parts. Its `convert` throws if two different schemas have the same name. */
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

interface Converted {
  readonly value: unknown;
  readonly parts: readonly SchemaPart[];
}

const CONVERTED = { input: new WeakMap<ZodType, Converted>(), output: new WeakMap<ZodType, Converted>() };

/** Cached, because the conversion takes most of the time of a document. */
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

// Adapts a JSON Schema of zod to the document: references lead to the document's components, and rules without
// effect are dropped. The format `email` is dropped if there is a pattern, because the pattern is stricter.
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
