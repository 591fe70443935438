import { changeHeadResource, changesResource } from './api.ts';
import { changeStreamResource } from './stream-api.ts';

export const resources = [changesResource, changeHeadResource, changeStreamResource];
