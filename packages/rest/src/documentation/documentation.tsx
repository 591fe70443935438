// The documentation of an API, from its OpenAPI document: an overview, and a page for each resource.

import type { Child } from '../jsx/jsx-runtime.ts';
import { errorDescriptions } from '../openapi/responses.ts';
import { CodeText } from '../renderers/code-text.tsx';
import { MethodAndPath, Operation, type OperationProps } from './operation.tsx';
import { type DocumentedResource, findSuccess, listResources } from './operations.ts';
import { collectSchemas, Members, TypeText } from './schema.tsx';

interface DocumentationProps extends Omit<OperationProps, 'operation'> {
  /** The path below which all resources are. */
  readonly root: string;
}

/** The application's text above the list of resources. */
export function Overview({ children, ...props }: DocumentationProps & { children?: Child }) {
  const { document, root, base } = props;
  const resources = listResources(document, root);
  const { schemas } = document.components;
  const errorSchemas = collectSchemas(
    ['ErrorDetail', 'FieldErrors', 'Problem'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    schemas,
  );
  return (
    <Frame root={root} base={base} resources={resources}>
      {children}
      <h2 id="signing-in">Signing in</h2>
      <dl class="members">
        {Object.entries(document.components.securitySchemes).map(([name, { description }]) => (
          <div>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <CodeText text={description} />
            </dd>
          </div>
        ))}
      </dl>
      <h2>Operations</h2>
      {resources.map((resource) => (
        <section>
          <h3>
            <a href={`${base}${resource.name}/`}>{toTitle(resource.name)}</a>
          </h3>
          <ul class="operations">
            {listOperations(resource).map(({ id, method, path, summary }) => (
              <li data-operation="">
                <a href={`${base}${resource.name}/#${id}`}>
                  <MethodAndPath method={method} path={path} />
                </a>{' '}
                <CodeText text={summary} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <h2 id="errors">Errors</h2>
      <dl class="members">
        {Object.entries(errorDescriptions).map(([status, description]) => (
          <div id={`error-${status}`}>
            <dt>
              <b class="status">{status}</b>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <Schemas schemas={errorSchemas} />
    </Frame>
  );
}

export const findResource = (
  { document, root }: Pick<DocumentationProps, 'document' | 'root'>,
  name: string,
) => listResources(document, root).find((resource) => resource.name === name);

export function ResourcePage({ current, ...props }: DocumentationProps & { current: DocumentedResource }) {
  const { document, root, base } = props;
  const roots = listOperations(current).flatMap((operation) => [
    ...operation.parameters.map(({ schema }) => schema),
    ...(operation.body ? [operation.body.schema] : []),
    ...Object.values(findSuccess(operation).response?.content ?? {}).map(({ schema }) => schema),
  ]);
  return (
    <Frame root={root} base={base} resources={listResources(document, root)} current={current.name}>
      {current.paths.map(({ path, description, operations }) => (
        <section>
          <h2>{description}</h2>
          {operations.map((operation) => (
            <Operation operation={operation} {...props} />
          ))}
          {operations.length === 0 && <p>{path}</p>}
        </section>
      ))}
      <Schemas schemas={collectSchemas(roots, document.components.schemas)} />
    </Frame>
  );
}

export const toTitle = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const listOperations = ({ paths }: DocumentedResource) => paths.flatMap(({ operations }) => operations);

interface FrameProps extends Pick<DocumentationProps, 'root' | 'base'> {
  readonly resources: readonly DocumentedResource[];
  /** The name of the resource of this page. */
  readonly current?: string;
  readonly children?: Child;
}

/** The navigation is beside the content, or behind a button on a narrow screen. */
function Frame({ root, base, resources, current, children }: FrameProps) {
  return (
    <div class="documentation">
      <button class="quiet" type="button" popovertarget="operations">
        Operations
      </button>
      <nav id="operations" popover="auto" aria-label="Operations">
        <button class="quiet" type="button" popovertarget="operations" popovertargetaction="hide">
          Close
        </button>
        {/* Enabled by the script that filters. */}
        <input type="search" aria-label="Filter operations" placeholder="Filter" disabled />
        <ul>
          <li>
            <a href={base} aria-current={current === undefined ? 'page' : undefined}>
              Overview
            </a>
          </li>
          {resources.map((resource) => {
            const href = `${base}${resource.name}/`;
            const isCurrent = resource.name === current;
            return (
              <li>
                <a href={href} aria-current={isCurrent ? 'page' : undefined}>
                  {toTitle(resource.name)}
                </a>
                <ul class={isCurrent ? 'current' : undefined}>
                  {listOperations(resource).map(({ id, method, path, summary }) => (
                    <li data-operation="">
                      <a href={isCurrent ? `#${id}` : `${href}#${id}`} title={summary}>
                        <MethodAndPath method={method} path={path.slice(root.length) || path} />
                      </a>
                    </li>
                  ))}
                </ul>
              </li>
            );
          })}
        </ul>
      </nav>
      <div class="content">{children}</div>
    </div>
  );
}

function Schemas({ schemas }: { schemas: ReturnType<typeof collectSchemas> }) {
  if (schemas.length === 0) return null;
  return (
    <section>
      <h2>Schemas</h2>
      {schemas.map(([name, schema]) => (
        <section class="schema" id={`schema-${name}`}>
          <h3>{name}</h3>
          {schema.description && (
            <p>
              <CodeText text={schema.description} />
            </p>
          )}
          {schema.properties ? (
            <Members schema={schema} />
          ) : (
            <p>
              <TypeText schema={schema} />
            </p>
          )}
        </section>
      ))}
    </section>
  );
}
