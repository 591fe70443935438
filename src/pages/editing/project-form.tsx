// The form for a new project and for changing one.

import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Fields } from '../../fields.ts';
import { type ContentType, projectLimits, visibilities } from '../../gallery/projects/project.ts';
import { CsrfField, ErrorSummary, FormFields, getFieldValue, OnceField, RadioGroup } from '../form.tsx';
import type { FormErrors, PageContext } from '../page-context.ts';
import { renderMarkdownText } from '../text-rendering.ts';
import { visibilityTexts } from './type-forms.ts';

interface ProjectFormProps {
  readonly context: PageContext;
  readonly type: ContentType;
  readonly fields: Fields;
  readonly action: string;
  /** The HTML of `loadFormPreview`. */
  readonly preview: string | undefined;
  /** The initial values. */
  readonly values: Readonly<Record<string, unknown>>;
  /** When the project was last modified as the form was loaded: the server detects conflicting edits by it. */
  readonly loadedModified?: number;
  /** The submit buttons. */
  readonly children: Child;
}

export function ProjectForm({
  context,
  type,
  fields,
  action,
  preview,
  values,
  loadedModified,
  children,
}: ProjectFormProps) {
  const { layout } = context;
  const formErrors = 'file' in fields ? addFileError(context.formErrors) : context.formErrors;
  return (
    <>
      <ErrorSummary formErrors={formErrors} fields={fields} />
      <form
        class="stacked-form project-form"
        method="post"
        enctype={'file' in fields ? 'multipart/form-data' : undefined}
        action={action}
        data-draft-key={`${action} ${layout.viewer.contributor}`}
      >
        <CsrfField />
        <OnceField formErrors={formErrors} />
        {loadedModified !== undefined && <input type="hidden" name="since" value={String(loadedModified)} />}
        <FormFields fields={fields} values={values} formErrors={formErrors} />
        {type !== 'comment' && (
          <RadioGroup
            name="visibility"
            legend="Who can see this?"
            choices={visibilities.map((value) => ({ value, ...visibilityTexts[value] }))}
            selected={getFieldValue(formErrors, 'visibility', values.visibility)}
            errors={formErrors?.errors.visibility}
          />
        )}
        <div class="buttons">
          {children}
          <button class="quiet" type="submit" name="preview" value="1" formnovalidate>
            Preview
          </button>
        </div>
      </form>
      <section
        class="preview"
        aria-label="Preview"
        id="preview"
        hidden={preview === undefined || undefined}
        tabindex={-1}
      >
        <h2>Preview</h2>
        <div class="text" dir="auto">
          {preview !== undefined && raw(preview)}
        </div>
      </section>
    </>
  );
}

/** Browsers do not fill in a file field again: a message asks the viewer to choose the file once more. */
function addFileError(formErrors: FormErrors | undefined): FormErrors | undefined {
  const file = formErrors?.values.file;
  if (!formErrors || !(file instanceof File) || !file.name) return formErrors;
  const errors = [...(formErrors.errors.file ?? []), 'Please choose the file again.'];
  return { ...formErrors, errors: { ...formErrors.errors, file: errors } };
}

/** Renders no more text than could be saved. */
export function renderPreview({ title, text }: Readonly<Record<string, unknown>>): Promise<string> {
  const shortened = String(text ?? '').slice(0, projectLimits.text);
  return renderMarkdownText({ text: shortened, title: String(title ?? ''), level: 3 });
}

/** The preview that the button below the form asks for. */
export async function loadFormPreview({ formErrors }: PageContext): Promise<string | undefined> {
  return formErrors && 'preview' in formErrors.values ? renderPreview(formErrors.values) : undefined;
}
