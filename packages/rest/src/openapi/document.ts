// The parts of an OpenAPI 3.1 document that openapi.ts writes and the documentation reads.

import type { Method } from '../methods.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly headers: Readonly<Record<string, OpenApiHeader>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

export type PathItem = { readonly parameters?: readonly OpenApiParameter[] } & {
  readonly [Name in Lowercase<Method>]?: OpenApiOperation;
};

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Instead of that of the document. */
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly required: boolean;
    readonly content: Content;
  };
  readonly responses: Readonly<Record<string, OpenApiResponse | Reference>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly example?: string | number;
  readonly schema: JsonSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

interface OpenApiHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** Leads to one of the components. */
export interface Reference {
  readonly $ref: string;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** The names of security schemes; empty for no credentials. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

interface SecurityScheme {
  readonly type: string;
  readonly description: string;
}

/** By their names. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The keywords of JSON Schema that the document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  /** The names of the values, for generators. */
  readonly 'x-enum-varnames'?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
}

/** The name of the component to which a `$ref` leads. */
export const schemaName = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1);
