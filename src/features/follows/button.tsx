// The button that follows a person or a tag, or stops it. Its form goes to /following/.

import { SignInButton } from '../../core/pages/layout/components.tsx';
import { Form, visuallyHidden } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../core/pages/page.ts';
import { isAnonymous } from '../../core/viewer/viewer.ts';
import { type Followed, isFollowing } from './follow.ts';
import { followingPath } from './path.ts';

export interface FollowButtonProps {
  readonly followed: Followed;
  readonly name: string;
  /** The page to which the form leads back. */
  readonly next: string;
  /** Where the button does not stand beside the name. */
  readonly showsName?: boolean;
}

export function FollowButton(props: FollowButtonProps & { readonly isFollowing: boolean }) {
  const { followed, next, isFollowing } = props;
  return (
    <Form class="follow" action={followingPath}>
      {Object.entries({ ...followed, next }).map(([field, value]) => (
        <input type="hidden" name={field} value={value} />
      ))}
      <button type="submit" class="quiet toggle" name="follow" value={isFollowing ? 'no' : 'yes'}>
        <Label {...props} />
      </button>
    </Form>
  );
}

const Label = ({ name, showsName, isFollowing }: FollowButtonProps & { readonly isFollowing: boolean }) =>
  useLanguage().rich(isFollowing ? 'follows.following' : 'follows.follow', {
    name: <bdi>{name}</bdi>,
    named: showsName ? (text) => text : visuallyHidden,
    hidden: visuallyHidden,
  });

/** Undefined for the person themselves. */
export async function loadFollowButton({ database, viewer }: PageContext, props: FollowButtonProps) {
  if (isAnonymous(viewer))
    return (
      <SignInButton>
        <Label {...props} isFollowing={false} />
      </SignInButton>
    );
  if ('contributor' in props.followed && props.followed.contributor === viewer.contributor) return undefined;
  return <FollowButton {...props} isFollowing={await isFollowing(database, viewer, props.followed)} />;
}
