import { projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import type { Project } from '../gallery/projects/project.ts';

export function Cards({ projects }: { projects: readonly Project[] }) {
  if (projects.length === 0) return <p class="notice">There is nothing to show here yet.</p>;
  return (
    <ul class="cards">
      {projects.map((project) => (
        <li>
          <span class="kind">{project.content_type}</span>
          <h2 dir="auto">
            <a href={projectPath(project)}>{project.title}</a>
          </h2>
          <p class="excerpt" dir="auto">
            {excerpt(project.text)}
          </p>
          <p class="by">
            by <bdi>{displayName(project)}</bdi> · karma {project.karma}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The first words, without the signs that Markdown puts at the beginning of lines. */
function excerpt(text: string): string {
  return text
    .slice(0, 400)
    .replace(/^[#>*+|`-]+\s*/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

interface PagerProps {
  readonly number: number;
  readonly last: number;
  address(number: number): string;
}

export function Pager({ number, last, address }: PagerProps) {
  if (last <= 1) return null;
  return (
    <nav aria-label="Pages">
      <ul class="pager">
        {number > 1 && (
          <li>
            <a rel="prev" href={address(number - 1)}>
              Previous
            </a>
          </li>
        )}
        <li class="meta">
          Page {number} of {last}
        </li>
        {number < last && (
          <li>
            <a rel="next" href={address(number + 1)}>
              Next
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}
