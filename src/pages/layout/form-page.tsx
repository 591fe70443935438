import type { Child } from '../../jsx/jsx-runtime.ts';
import type { PreparedResponse } from '../../rest/prepared-response.ts';
import type { PageContext } from '../page-context.ts';
import { getFormTitle } from './form.tsx';
import { type PageContent, renderPage } from './layout.tsx';

interface FormPage extends Pick<PageContent, 'title' | 'scripts' | 'head' | 'children'> {
  /** The title by default. */
  readonly heading?: Child;
}

/** A narrow page for its sender alone. After an error, its title begins with that. */
export const renderFormPage = (
  context: Pick<PageContext, 'layout' | 'formErrors'>,
  { title, heading = title, children, ...content }: FormPage,
): PreparedResponse =>
  renderPage(context.layout, {
    ...content,
    title: getFormTitle(context, title),
    children: (
      <div class="narrow">
        <h1>{heading}</h1>
        {children}
      </div>
    ),
  });
