// Where those who write or narrow a listing find what they mean by its words.

import type { Lookup } from '../../fields.ts';

export const projectLookUp: Lookup = {
  url: '/api/v1/projects/?fields=id,title&page_size=10',
  valueMember: 'id',
  labelMember: 'title',
};

export const tagLookUp: Lookup = {
  url: '/api/v1/tags/?page_size=10',
  valueMember: 'name',
  labelMember: 'name',
  isMultiple: true,
};
