// Lists of cards as visitors see them: a card is made once, until what it shows has changed.

import { raw } from '#rest/jsx/jsx-runtime.ts';
import { renderForVisitors } from '../../../core/pages/layout/cached.tsx';
import { bytesOfText } from '../../../core/pages/layout/fragment-cache.ts';
import type { PageContext } from '../../../core/pages/page.ts';
import { isAnonymous } from '../../../core/viewer/viewer.ts';
import type { Project } from '../../project.ts';
import type { BriefProject } from '../../reading/listing.ts';
import {
  Cards,
  firstRow,
  isFeatured,
  type ListOptions,
  loadCardData,
  maxAnswerCount,
  referenceOf,
  toCardProps,
  UnkeptCard,
} from './cards.tsx';
import { CabinetStyles } from './posters.tsx';

export type KeptCard = Pick<Project, 'id' | 'content_type' | 'featured'> & { readonly html: string };

interface BriefList {
  readonly projects: readonly BriefProject[];
  /** Those with these ids, without those that the viewer may no longer see. */
  load(ids: readonly number[]): Promise<readonly Project[]>;
}

type CardContext = Pick<PageContext, 'projects' | 'cards' | 'viewer' | 'layout'>;

/** The same as `Cards`, for a list of ids and types. */
export async function loadCards(context: CardContext, list: BriefList, options: ListOptions = {}) {
  const ids = list.projects.map(({ id }) => id);
  if (!isAnonymous(context.viewer) || options.phrases) {
    const data = await loadCardData(context.projects, context.viewer, await list.load(ids));
    return <Cards data={data} {...options} />;
  }
  const eager = new Set(ids.slice(0, firstRow));
  const cards = await findCards(context, list, options, eager);
  const large = options.hasLarge ? cards.find(isFeatured) : undefined;
  const ofLarge = { ...list, projects: large ? [large] : [] };
  const [largeCard] = await findCards(context, ofLarge, options, eager, true);
  return (
    <>
      <CabinetStyles projects={cards} />
      <ul class="cards h-feed">
        {cards.map((card) => raw((card === large && largeCard ? largeCard : card).html))}
      </ul>
    </>
  );
}

async function findCards(
  { projects: finder, cards, viewer, layout }: CardContext,
  { projects, load }: BriefList,
  options: ListOptions,
  eager: ReadonlySet<number>,
  isLarge = false,
): Promise<KeptCard[]> {
  const questions = projects.filter(({ content_type }) => content_type === 'question');
  const answers = await finder.countReplies(
    viewer,
    questions.map(({ id }) => id),
    maxAnswerCount,
  );
  const look = `${layout.fragmentScope} ${JSON.stringify(options)} ${isLarge}`;
  return cards.find(
    (id) => `${look} ${eager.has(id)} ${answers.get(id)}`,
    projects.map(({ id }) => id),
    async (missing) => {
      // The counts of the key: another answer may have come since.
      const data = { ...(await loadCardData(finder, viewer, await load(missing))), answerCounts: answers };
      const render = (project: Project) => {
        const props = toCardProps(project, { ...options, data });
        const card = (
          <UnkeptCard {...props} isEager={eager.has(project.id)} isLarge={isLarge} note="" excerpt={[]} />
        );
        return renderForVisitors(layout, card);
      };
      return new Map(data.projects.map((project) => [project.id, toPart(project, render(project))]));
    },
  );
}

/** The first projects of a collection may be others without a change of it: it is not kept. */
function toPart(project: Project, html: string) {
  const { id, content_type, featured } = project;
  return {
    value: { id, content_type, featured, html },
    bytes: bytesOfText(html),
    alsoShows: content_type === 'collection' ? undefined : [referenceOf(project)],
  };
}
