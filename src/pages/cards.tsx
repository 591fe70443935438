// Projects as cards, each as its type would have it: a quote is read, a link says where it leads, a question how
// many have answered.

import { projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import type { Media } from '../gallery/media/media.ts';
import type { Mentioned, ProjectFinder } from '../gallery/projects/find.ts';
import type { Project } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { excerpt, quoted } from './markdown.ts';
import { Cover } from './media.tsx';
import { Maker, Title } from './named.tsx';
import { Day } from './times.tsx';

/** Projects with what their cards say of others. */
export interface Dealt {
  readonly projects: readonly Project[];
  readonly mentioned: ReadonlyMap<number, Mentioned>;
  readonly answers: ReadonlyMap<number, number>;
  readonly covers: ReadonlyMap<number, Media>;
}

/** More answers than this are not told apart. */
const mostAnswers = 100;

export async function deal(
  finder: ProjectFinder,
  viewer: Viewer,
  projects: readonly Project[],
): Promise<Dealt> {
  const others = projects.flatMap(({ copied_from, parent }) => parent ?? copied_from ?? []);
  const questions = projects.filter(({ content_type }) => content_type === 'question').map(({ id }) => id);
  const [mentioned, answers, covers] = await Promise.all([
    finder.mentioned(viewer, others),
    finder.answers(viewer, questions, mostAnswers),
    finder.covers(projects.map(({ id }) => id)),
  ]);
  return { projects, mentioned, answers, covers };
}

interface Shown {
  readonly dealt: Dealt;
  readonly zone: string;
  /** All are by one whom the page names already. */
  readonly unsigned?: boolean;
  /** All are copies of one that the page is about. */
  readonly originless?: boolean;
  readonly level?: 'h2' | 'h3';
}

export function Cards({ dealt, zone, unsigned = false, originless = false, level: Level = 'h2' }: Shown) {
  return (
    <ul class="cards">
      {dealt.projects.map((project) => (
        <li class={`card of-${project.content_type}`}>
          <Cover media={dealt.covers.get(project.id)} />
          <p class="kind">{project.content_type}</p>
          <Level class="name" dir="auto">
            <a href={projectPath(project)}>{project.title}</a>
          </Level>
          <Body project={project} dealt={dealt} />
          {!originless && <Origin project={project} dealt={dealt} />}
          <p class="by">
            {!unsigned && (
              <>
                <Maker of={project} />
                {' · '}
              </>
            )}
            <Day at={project.created} zone={zone} />
            {project.karma > 0 && <> · {project.karma.toLocaleString('en')} karma</>}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Body({ project, dealt }: { project: Project; dealt: Dealt }) {
  const words = excerpt(project.text, project.title);
  const answers = dealt.answers.get(project.id) ?? 0;
  return (
    <>
      {project.content_type === 'quote' ? (
        <blockquote class="excerpt" dir="auto">
          {quoted(project.text) || words}
        </blockquote>
      ) : (
        words && (
          <p class="excerpt" dir="auto">
            {words}
          </p>
        )
      )}
      {project.link && <p class="leads">{hostOf(project.link)}</p>}
      {project.content_type === 'question' && (
        <p class={answers ? 'answers' : 'answers none'}>
          {answers === 0 && 'No answer yet'}
          {answers === 1 && '1 answer'}
          {answers > 1 && `${answers}${answers === mostAnswers ? ' or more' : ''} answers`}
        </p>
      )}
    </>
  );
}

/** What a comment is about, and whose work a copy began as. */
function Origin({ project, dealt }: { project: Project; dealt: Dealt }) {
  const other = dealt.mentioned.get(project.parent ?? project.copied_from ?? 0);
  if (!other) return null;
  return (
    <p class="origin">
      {project.parent ? 'On ' : 'Copy of '}
      <Title of={other} />
      {!project.parent && (
        <>
          {' '}
          by <bdi>{displayName(other)}</bdi>
        </>
      )}
    </p>
  );
}

/** Where a link leads, in the letters that a browser shows. */
export function hostOf(link: string): string {
  return URL.parse(link)?.host.replace(/^www\./, '') ?? link;
}
