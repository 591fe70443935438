// The form for a comment: below a project, and in place below each comment.

import { cached } from '../../../core/pages/layout/cached.tsx';
import {
  ErrorSummary,
  Form,
  FormFields,
  getFieldValue,
  OnceField,
} from '../../../core/pages/layout/form.tsx';
import { type FormErrors, useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import { projectPath } from '../../../core/paths.ts';
import { isPubliclyReadable } from '../../../core/project-status.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import { can } from '../../../core/viewer/permissions.ts';
import type { Project } from '../../project.ts';
import { commentFields } from '../../project-fields.ts';
import { isForGroup } from '../../visibility/made-for-a-group.ts';
import { onPages } from '../content-types.ts';
import { TextTools } from '../editing/text-tools.tsx';
import { mayHaveRemixes } from './actions.tsx';

type CommentKind = ReturnType<typeof getCommentKind>;

export const getCommentKind = ({ content_type }: Project) => onPages(content_type).commentKind ?? 'comment';

/** The field with the uuid of the project whose page shows the new comment. */
export const pageField = 'page';

/** The form below the comments. Only this one has buttons above its text, and text-tools.js copies them to the others. */
const ownFormId = 'say';

interface CommentFormProps {
  /** The project or comment that the new comment is about. */
  readonly project: Project;
  /** The page that shows the new comment. */
  readonly page?: Project;
  readonly id?: string;
  readonly formErrors?: FormErrors;
}

/** The form for a comment, or a link to sign in. */
export function CommentForm({ project, page = project, id = ownFormId, formErrors }: CommentFormProps) {
  const { name, viewer, waits, language } = useLayout();
  const { t } = language;
  if (name === undefined) return <SignInNotice canRemix={mayHaveRemixes(project)} />;
  if (!can(viewer, 'comment', project.contributor)) return null;
  const kind = getCommentKind(project);
  return (
    <Form class="stacked-form comment-form" id={id} action={`${projectPath(project)}comment/`}>
      <ErrorSummary formErrors={formErrors} fields={getFields(language, kind)} prefix={id} />
      <OnceField formErrors={formErrors} />
      <input type="hidden" name={pageField} value={String(getFieldValue(formErrors, pageField, page.uuid))} />
      {formErrors ? (
        <FormFields
          fields={getFields(language, kind)}
          formErrors={formErrors}
          prefix={id}
          textTools={<TextTools />}
        />
      ) : (
        <EmptyFields kind={kind} id={id} />
      )}
      {waits && !isForGroup(project) && isPubliclyReadable(project.status) && (
        <p class="notice">{t('review.commentWaits')}</p>
      )}
      <button type="submit">{t(`comments.post.${kind}`)}</button>
    </Form>
  );
}

const getFields = ({ t }: Translator, kind: CommentKind) => ({
  text: { ...commentFields.text, label: t(`comments.yours.${kind}`), help: undefined },
});

const EmptyFields = cached(function EmptyFields({ kind, id }: { kind: CommentKind; id: string }) {
  return (
    <FormFields
      fields={getFields(useLanguage(), kind)}
      prefix={id}
      textTools={id === ownFormId && <TextTools />}
    />
  );
});

const SignInNotice = cached(function SignInNotice({ canRemix }: { canRemix: boolean }) {
  return (
    <p class="notice sign-in-notice">
      {useLanguage().rich(canRemix ? 'comments.signIn' : 'comments.signInToComment', {
        link: (text) => (
          <a href="/sign-in/" rel="nofollow">
            {text}
          </a>
        ),
      })}
    </p>
  );
});
