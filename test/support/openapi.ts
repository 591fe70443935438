// The OpenAPI document, as tests read it.

type Names = Readonly<Record<string, unknown>>;

export interface Reference {
  readonly $ref: string;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Response {
  readonly headers?: Names;
  readonly content?: Content;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary?: string;
  readonly security?: readonly Names[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type PathItem = { readonly parameters?: readonly Parameter[] } & {
  readonly [Method in (typeof methods)[number]]?: Operation;
};

export interface Document {
  readonly security: readonly Names[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Names;
  };
}

export interface FoundOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export const listOperations = ({ paths }: Pick<Document, 'paths'>): FoundOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method: method.toUpperCase(), operation }] : [];
    }),
  );

export const nameOf = ({ $ref }: Reference) => $ref.slice($ref.lastIndexOf('/') + 1);

/** The response, or the component to which it leads. */
export const findResponse = ({ components }: Document, response: Response | Reference): Response =>
  '$ref' in response ? (components.responses[nameOf(response)] ?? {}) : response;

export const findSchema = ({ components }: Document, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[nameOf({ $ref: schema.$ref })] ?? {});
