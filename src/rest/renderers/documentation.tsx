// An OpenAPI document as a list of operations. Where scripts run, Swagger UI replaces the list.

import type { OpenApiDocument } from '../openapi.ts';
import type { SiteFiles } from '../site.ts';

interface DocumentationProps {
  readonly document: OpenApiDocument;
  /** The URL of the document. */
  readonly url: string;
  readonly swagger: SiteFiles['swagger'];
}

export function Documentation({ document, url, swagger }: DocumentationProps) {
  return (
    <>
      <link rel="stylesheet" href={swagger.stylesheet} />
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
      <script defer src={swagger.program} />
      <script type="module" src={swagger.start} />
    </>
  );
}
