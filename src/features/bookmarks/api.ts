// /api/v1/me/bookmarks/: the projects that the viewer has bookmarked.

import { createRecordListing, pageParameters } from '#rest/pagination.ts';
import { type ApiResource, listOperation, parsePathId, writeOperation } from '../../core/api/operation.ts';
import {
  createProjectSerializer,
  memberNames,
  memberParameters,
  projectSchema,
} from '../../projects/api/project-serializer.ts';
import { projectIdParameter, projectPageSchema } from '../../projects/api/projects.ts';
import { addBookmark, listBookmarks, loadBookmarked, removeBookmark } from './bookmark.ts';

export const resources: readonly ApiResource[] = [
  {
    path: '/api/v1/me/bookmarks/',
    name: 'Bookmark List',
    description: 'The projects that you have bookmarked, the newest bookmark first. Only you see them.',
    GET: listOperation({
      operationId: 'listBookmarks',
      summary: 'A page of your bookmarks.',
      parameters: { ...pageParameters, ...memberParameters },
      permission: 'seeAccount',
      responseSchema: projectPageSchema,
      findListing({ viewer, parameters, origin }, { database, timeZone }) {
        const serialize = createProjectSerializer(parameters, { origin, timeZone }, database);
        return createRecordListing(
          listBookmarks(database, viewer),
          projectSchema,
          async (bookmarks) => serialize(await loadBookmarked(database, viewer, bookmarks)),
          memberNames(parameters),
        );
      },
    }),
  },
  {
    path: '/api/v1/me/bookmarks/:id/',
    pathParameters: projectIdParameter,
    name: 'Bookmark',
    description: 'A bookmark of yours on a project.',
    PUT: writeOperation({
      operationId: 'addBookmark',
      summary: 'Bookmarks the project.',
      permission: 'keepLists',
      errors: [400],
      status: 204,
      write: (write, context) => addBookmark(write, parsePathId(context)),
    }),
    DELETE: writeOperation({
      operationId: 'removeBookmark',
      summary: 'Removes the bookmark.',
      permission: 'keepLists',
      status: 204,
      write: (write, context) => removeBookmark(write, parsePathId(context)),
    }),
  },
];
