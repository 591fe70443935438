// Where those who write or narrow a listing find what they mean by its words.

import type { LookUp } from '../../fields.ts';

export const projectLookUp: LookUp = {
  address: '/api/v1/projects/?fields=id,title&page_size=10',
  value: 'id',
  label: 'title',
};

export const tagLookUp: LookUp = {
  address: '/api/v1/tags/?page_size=10',
  value: 'name',
  label: 'name',
  several: true,
};
