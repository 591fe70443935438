// Where forms look up projects and tags by their text.

import type { Lookup } from '../../common/fields.ts';

export const projectLookup: Lookup = {
  url: '/api/v1/projects/?fields=id,title&page_size=10',
  valueMember: 'id',
  labelMember: 'title',
};

export const tagLookup: Lookup = {
  url: '/api/v1/tags/?page_size=10',
  valueMember: 'name',
  labelMember: 'name',
  isMultiple: true,
};
