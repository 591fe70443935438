// An OpenAPI document to read: as a list of operations with their addresses, which the viewer replaces where scripts
// run.

import type { OpenApiDocument } from '../openapi.ts';
import type { SiteFiles } from '../site.ts';

interface DocumentationProps {
  readonly document: OpenApiDocument;
  /** Where the document is. */
  readonly url: string;
  readonly viewer: SiteFiles['swaggerScript'];
}

export function Documentation({ document, url, viewer }: DocumentationProps) {
  return (
    <>
      <link rel="stylesheet" href={viewer.stylesheet} />
      <div class="documentation" data-openapi={url}>
        {Object.entries(document.paths).map(([path, operations]) => (
          <section>
            <h3>{path.includes('{') ? path : <a href={path}>{path}</a>}</h3>
            <dl>
              {Object.entries(operations)
                .filter(([method]) => method !== 'parameters')
                .map(([method, operation]) => (
                  <div>
                    <dt>{method.toUpperCase()}</dt>
                    <dd>{(operation as { summary: string }).summary}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <script defer src={viewer.program} />
      <script type="module" src={viewer.start} />
    </>
  );
}
