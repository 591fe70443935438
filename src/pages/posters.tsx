// The cover of a project in lists: its picture, or a poster made from its words. Every type has its own kind of poster,
// and every project its own colour.

import type { Media } from '../gallery/media/media.ts';
import { hasOwnTitle } from '../gallery/projects/comment-title.ts';
import type { Project } from '../gallery/projects/project.ts';
import { excerpt, extractQuote } from './markdown.ts';
import { Cover } from './media.tsx';

/** The colours of paper and paint in a workshop: see posters.css. */
const colours = ['chalk', 'brass', 'plum', 'felt', 'copper', 'indigo', 'moss', 'brick'];

/** The same id always has the same colour. */
export const colourOf = (id: number) => colours[(id * 5) % colours.length];

type CoverProject = Pick<Project, 'id' | 'title' | 'content_type' | 'text' | 'link'>;

interface ProjectCoverProps {
  readonly project: CoverProject;
  readonly media: Media | undefined;
  readonly eager?: boolean;
}

export function ProjectCover({ project, media, eager = false }: ProjectCoverProps) {
  return media ? <Cover media={media} eager={eager} /> : <Poster project={project} />;
}

function Poster({ project }: { project: CoverProject }) {
  const words = posterWords(project);
  // What the heading of the card says anyway need not be read out twice.
  const repeats = words === project.title && hasOwnTitle(project);
  return (
    <div
      class={`cover poster of-${project.content_type} ${colourOf(project.id)}`}
      aria-hidden={repeats ? 'true' : undefined}
    >
      <p dir="auto">
        {project.content_type === 'link'
          ? words.split('.').map((part, index) => (
              <>
                {index > 0 && <wbr />}
                {index > 0 && '.'}
                {part}
              </>
            ))
          : words}
      </p>
    </div>
  );
}

const maxLength = 260;

function posterWords({ content_type, title, text, link }: CoverProject): string {
  if (content_type === 'link' && link) return formatHost(link);
  if (content_type === 'quote') return extractQuote(text) || excerpt(text, title, maxLength) || title;
  if (content_type === 'text' || content_type === 'comment') return excerpt(text, title, maxLength) || title;
  return title;
}

/** The host of a link, shortened and as browsers display it. */
export function formatHost(link: string): string {
  return URL.parse(link)?.host.replace(/^www\./, '') ?? link;
}
