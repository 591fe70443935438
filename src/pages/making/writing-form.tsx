// The form in which a project is written, new or again.

import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Fields } from '../../fields.ts';
import { type ContentType, limits, visibilities } from '../../gallery/projects/project.ts';
import { Choices, Members, Once, Token, typedOr, Wrong } from '../form.tsx';
import { toHtml } from '../markdown.ts';
import type { Refused, Served } from '../serve.ts';
import { visibilityWords } from './kinds.ts';

interface WritingProps {
  readonly served: Served;
  readonly type: ContentType;
  readonly fields: Fields;
  readonly action: string;
  /** What is there before anybody types. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The state in which the project was when the form was begun. */
  readonly since?: number;
  /** The buttons that save. */
  readonly children: Child;
}

export function WritingForm({ served, type, fields, action, values, since, children }: WritingProps) {
  const { frame } = served;
  const refused = 'file' in fields ? withoutFile(served.refused) : served.refused;
  const preview = refused && 'preview' in refused.typed;
  return (
    <>
      <Wrong refused={refused} fields={fields} />
      <form
        class="asking writing"
        method="post"
        enctype={'file' in fields ? 'multipart/form-data' : undefined}
        action={action}
        data-kept={`${action} ${frame.viewer.contributor}`}
      >
        <Token token={frame.token} />
        <Once refused={refused} />
        {since !== undefined && <input type="hidden" name="since" value={String(since)} />}
        <Members fields={fields} values={values} refused={refused} />
        {type !== 'comment' && (
          <Choices
            name="visibility"
            legend="Who is to see it"
            choices={visibilities.map((value) => ({ value, ...visibilityWords[value] }))}
            chosen={typedOr(refused, 'visibility', values.visibility)}
            wrong={refused?.wrong.visibility}
          />
        )}
        <div class="buttons">
          {children}
          <button class="quiet" type="submit" name="preview" value="1" formnovalidate>
            Preview
          </button>
        </div>
      </form>
      <section class="preview" aria-label="Preview" id="preview" hidden={!preview || undefined} tabindex={-1}>
        <h2>Preview</h2>
        <div class="text" dir="auto">
          {preview && raw(previewOf(refused.typed))}
        </div>
      </section>
    </>
  );
}

/** Of all that was typed a browser does not keep which file was chosen. */
function withoutFile(refused: Refused | undefined): Refused | undefined {
  const chosen = refused?.typed.file;
  if (!refused || !(chosen instanceof File) || chosen.name === '') return refused;
  const again = [...(refused.wrong.file ?? []), 'Choose the file again.'];
  return { ...refused, wrong: { ...refused.wrong, file: again } };
}

/** Of no more than could be saved. */
export function previewOf({ title, text }: Readonly<Record<string, unknown>>): string {
  return toHtml(String(text ?? '').slice(0, limits.text), String(title ?? ''), 3);
}
