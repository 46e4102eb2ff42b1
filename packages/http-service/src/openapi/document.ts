/** An OpenAPI 3.1 document with the members that the reference page reads. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation object of the document. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<
      Record<string, { readonly schema: unknown; readonly examples?: Readonly<Record<string, OpenApiExample>> }>
    >;
  };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** A parameter object. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: unknown;
  readonly examples?: Readonly<Record<string, OpenApiExample>>;
}

/** An example object. */
export interface OpenApiExample {
  readonly summary: string;
  readonly value: unknown;
}

/** A response object. */
export interface OpenApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}
