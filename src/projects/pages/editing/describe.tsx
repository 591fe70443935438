// The question what is in a picture, on the page that follows publishing: one picture at a time. /content/<uuid>/<slug>/describe/
// takes the answer.

import { parseWholeNumber } from '#common/whole-number.ts';
import { readFields, textField, toText } from '#rest/fields.ts';
import { mediaLimits } from '../../../core/files/stored-files.ts';
import { ErrorSummary, Form, FormFields } from '../../../core/pages/layout/form.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { anyone, form, type PageContext, seeOther } from '../../../core/pages/page.ts';
import { projectPath } from '../../../core/paths.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import { isUndescribed } from '../../writing/descriptions.ts';
import { changeMedia } from '../../writing/files.ts';
import { findEditableProject } from '../project/find-project.ts';
import { publishedPath } from '../project/share.tsx';
import { Cover } from '../project/shown-files.tsx';

/** Of the picture that was asked about before. */
const readPosition = ({ query }: PageContext['url']) => parseWholeNumber(query.get('published') ?? '');

const words = textField({ label: '', maxLength: mediaLimits.alt, required: true });

const getFields = ({ t }: Translator) => ({
  alt: {
    ...words,
    label: t('describe.title'),
    help: t('describe.help'),
    read: (value: unknown) => words.read(toText(value).trim()),
  },
});

interface DescribeFormProps {
  readonly context: PageContext;
  readonly project: Project;
  readonly media: readonly Media[];
}

/** For the next picture that has none. */
export function DescribeForm({ context: { url, formErrors }, project, media }: DescribeFormProps) {
  const language = useLanguage();
  const { t } = language;
  const asked = readPosition(url);
  const file = media.find((one) => isUndescribed(one) && one.position > asked);
  if (!file) return null;
  const fields = getFields(language);
  return (
    <Form class="stacked-form notice describe" action={`${projectPath(project)}describe/?published=${asked}`}>
      <ErrorSummary formErrors={formErrors} fields={fields} />
      <Cover media={file} eager />
      <input type="hidden" name="number" value={String(file.number)} />
      <FormFields fields={fields} formErrors={formErrors} />
      <div class="buttons">
        <button type="submit">{t('form.save')}</button>
        <a href={publishedPath(project, file.position)}>{t('describe.notNow')}</a>
      </div>
    </Form>
  );
}

export const describeRoutes = [
  form('/content/:uuid/:slug/describe/', anyone, async (context) => {
    const project = await findEditableProject(context);
    const { data } = await context.request.readBody();
    const { alt } = readFields(getFields(context.layout.language), data);
    const number = parseWholeNumber(toText(data.number));
    const updated = await context.transact((write) =>
      changeMedia(write, project.id, number, () => ({ alt })),
    );
    return seeOther(publishedPath(updated, readPosition(context.url)));
  }),
];
