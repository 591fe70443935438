// One operation: its parameters, body and responses, and beside them the examples.

import type { Content, OpenApiDocument } from '../openapi/document.ts';
import { CodeText, Joined } from '../renderers/code-text.tsx';
import { Snippet } from '../renderers/exchange.tsx';
import { buildSnippets } from '../renderers/snippets.ts';
import { exampleOf, exampleRequest } from './examples.ts';
import { type DocumentedOperation, findSuccess, listBodyMembers } from './operations.ts';
import { MemberList, TypeText } from './schema.tsx';
import { TryForm } from './try-form.tsx';

export interface OperationProps {
  readonly operation: DocumentedOperation;
  readonly document: OpenApiDocument;
  readonly origin: string;
  /** The path of the documentation. */
  readonly base: string;
}

export function Operation({ operation, document, origin, base }: OperationProps) {
  const { id, method, path, summary } = operation;
  return (
    <section class="operation" id={id} aria-labelledby={`${id}-title`}>
      <div>
        <h3 id={`${id}-title`}>
          <a href={`#${id}`}>
            <MethodAndPath method={method} path={path} />
          </a>
        </h3>
        <p>
          <CodeText text={summary} />
        </p>
        <Access operation={operation} base={base} />
        <Parameters operation={operation} />
        <Body operation={operation} />
        <Responses operation={operation} base={base} />
      </div>
      <div class="examples">
        <Examples operation={operation} document={document} origin={origin} />
        <TryForm operation={operation} schemas={document.components.schemas} base={base} />
      </div>
    </section>
  );
}

/** A long path may break before its variable parts. */
export function MethodAndPath({ method, path }: { method: string; path: string }) {
  return (
    <>
      <b class={`method ${method.toLowerCase()}`}>{method}</b>{' '}
      <span class="path">
        <Joined parts={path.split(/(?=\{)/)} separator={<wbr />} />
      </span>
    </>
  );
}

function Access({ operation: { security }, base }: Pick<OperationProps, 'operation' | 'base'>) {
  if (!security) return null;
  const needs = security.map((requirement) => Object.keys(requirement).length > 0);
  // With and without credentials.
  if (new Set(needs).size > 1) return null;
  return (
    <p class="faint">
      {needs[0] ? (
        <>
          Only for people who are <a href={`${base}#signing-in`}>signed in</a>.
        </>
      ) : (
        'Credentials are ignored.'
      )}
    </p>
  );
}

function Parameters({ operation: { parameters } }: Pick<OperationProps, 'operation'>) {
  if (parameters.length === 0) return null;
  const members = parameters.map(({ in: place, ...parameter }) => ({
    ...parameter,
    note: place === 'query' ? undefined : place,
  }));
  return (
    <>
      <h4>Parameters</h4>
      <MemberList members={members} />
    </>
  );
}

function Body({ operation }: Pick<OperationProps, 'operation'>) {
  const members = listBodyMembers(operation);
  if (members.length === 0) return null;
  const noted = members.map(({ isRequired, ...member }) => ({
    ...member,
    note: isRequired ? 'required' : undefined,
  }));
  return (
    <>
      <h4>Body</h4>
      <p class="faint">
        As <Types content={operation.requestBody?.content ?? {}} />. {operation.requestBody?.description}
      </p>
      <MemberList members={noted} />
    </>
  );
}

function Types({ content }: { content: Content }) {
  return <Joined parts={Object.keys(content).map((type) => <code>{type}</code>)} separator=", " />;
}

function Responses({ operation, base }: Pick<OperationProps, 'operation' | 'base'>) {
  const { status, response } = findSuccess(operation);
  const content = response?.content ?? {};
  const schema = content['application/json']?.schema;
  const errors = Object.keys(operation.responses).filter((code) => code >= '4');
  return (
    <>
      <h4>Responses</h4>
      <p>
        <b class="status">{status}</b>{' '}
        {schema ? <TypeText schema={schema} /> : status === '204' ? 'No body.' : <Types content={content} />}
      </p>
      <p class="faint">
        Errors:
        {errors.map((code) => (
          <>
            {' '}
            <a href={`${base}#error-${code}`}>{code}</a>
          </>
        ))}
      </p>
    </>
  );
}

/** Only the first example is open. Browsers keep at most one of the same name open. */
function Examples({ operation, document, origin }: Omit<OperationProps, 'base'>) {
  const { response } = findSuccess(operation);
  const schema = response?.content?.['application/json']?.schema;
  return (
    <>
      {buildSnippets(exampleRequest(operation, document, origin)).map(({ name, text }, index) => (
        <Example name={name} group={operation.id} text={text} isOpen={index === 0} />
      ))}
      {schema && (
        <Example
          name="Response"
          group={operation.id}
          text={JSON.stringify(exampleOf(schema, document.components.schemas), null, 2)}
        />
      )}
    </>
  );
}

interface ExampleProps {
  readonly name: string;
  readonly group: string;
  readonly text: string;
  readonly isOpen?: boolean;
}

function Example({ name, group, text, isOpen }: ExampleProps) {
  return (
    <details name={group} open={isOpen || undefined}>
      <summary>{name}</summary>
      <Snippet name={name} text={text} />
    </details>
  );
}
