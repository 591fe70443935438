import { defineLine, type LineOf } from '../line-format.ts';
import { id, objects, sha256, wholeNumber } from '../line-members.ts';

/** The bytes of the sizes follow it, as they follow the line of a project's file. */
export const avatarLine = defineLine('avatar', {
  contributor: id,
  sizes: objects(
    { width: wholeNumber(1), hash: sha256('a SHA-256'), bytes: wholeNumber(1) },
    { minItems: 1, maxItems: 10 },
  ),
});

export type AvatarLine = LineOf<typeof avatarLine>;
