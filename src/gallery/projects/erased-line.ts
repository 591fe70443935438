import { defineLine, type LineOf } from '../line-format.ts';
import { count, id, instant, nullable, oneOf, optional, text } from '../line-members.ts';
import { contentTypes } from './project.ts';
import { uuidRules } from './uuid.ts';

/** The rest of a project that was deleted for good: its id and uuid are never given again. */
export const erasedLine = defineLine('erased', {
  id,
  uuid: text(uuidRules),
  content_type: oneOf(contentTypes),
  contributor: id,
  copied_from: nullable(id),
  karma: count,
  created: instant,
  modified: instant,
  parent: optional(id),
});

export type ErasedLine = LineOf<typeof erasedLine>;
