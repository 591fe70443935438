// An API as an OpenAPI document, and its documentation for people.

export { createDocumentationPages } from './documentation/pages.tsx';
export { toComplete } from './openapi/complete.ts';
export type { OpenApiDocument } from './openapi/document.ts';
export { buildOpenApi, type NamedChoices } from './openapi/openapi.ts';
export { toOpenApi30 } from './openapi/openapi-3-0.ts';
