// The types of the API that the client uses, by their names in the OpenAPI document.

import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

export type Project = Schemas['Project'];
/** A comment is a project of the type `comment`. */
export type Comment = Project;
export type Media = Schemas['Media'];
export type Rating = Schemas['Rating'];
export type Contributor = Schemas['Contributor'];
export type Tag = Schemas['Tag'];
export type Me = Schemas['Me'];
export type Change = Schemas['Change'];
export type Changes = Schemas['Changes'];
export type ChangeHead = Schemas['ChangeHead'];
export type CreateProject = Schemas['CreateProjectRequest'];
export type UpdateProject = Schemas['UpdateProjectRequest'];
export type CreateComment = Schemas['CreateCommentRequest'];
export type UpdateMedia = Schemas['UpdateProjectFileRequest'];

/** Parameters that are lists: a text with commas, or an array. */
type ListName = 'content_type__in' | 'fields' | 'id__in' | 'include' | 'omit' | 'ordering' | 'tags';

/** The query of an operation. */
export type QueryOf<Name extends keyof operations> = {
  readonly [Parameter in keyof NonNullable<operations[Name]['parameters']['query']>]?:
    | NonNullable<operations[Name]['parameters']['query']>[Parameter]
    | (Parameter extends ListName ? readonly (string | number)[] : never);
};

export type ProjectQuery = QueryOf<'listProjects'>;
/** Parameters that choose the members of a record. */
export type Members = QueryOf<'createProject'>;
