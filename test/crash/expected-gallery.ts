// The expected content of the gallery: every acknowledged write as a whole, and nothing else.

/** The fields of a project that its writer sets. */
export interface State {
  readonly title: string;
  readonly text: string;
  readonly tags: string;
  readonly visibility: string;
  readonly status: number;
}

/** A project or a comment. */
export interface ExpectedProject {
  readonly id: number;
  readonly owner: string;
  readonly copied_from: number | null;
  readonly parent: number | null;
  state: State;
  trashed: boolean;
}

export const stateOf = ({ title, text, tags, visibility, status }: State): State => ({
  title,
  text,
  tags,
  visibility,
  status,
});

export const isSame = (one: State, other: State) =>
  JSON.stringify(stateOf(one)) === JSON.stringify(stateOf(other));

export class ExpectedGallery {
  readonly projects = new Map<number, ExpectedProject>();
  /** The ratings of each project by username. */
  readonly ratings = new Map<number, Map<string, number>>();
  /** The number of entries in the change log for each action on a project. */
  readonly logged = new Map<string, number>();
  /** All states that a project may have had when it was copied. */
  readonly states = new Map<number, Set<string>>();
  /** The projects that have changed since the last audit. */
  readonly changed = new Set<number>();
  /** The number of acknowledged writes. */
  acknowledged = 0;

  add(project: ExpectedProject): void {
    this.projects.set(project.id, project);
    this.addState(project.id, project.state);
    this.changed.add(project.id);
  }

  project(id: number): ExpectedProject {
    const project = this.projects.get(id);
    if (!project) throw new Error(`project ${id} is not expected`);
    return project;
  }

  log(action: string, id: number): void {
    const entry = `${action} ${id}`;
    this.logged.set(entry, (this.logged.get(entry) ?? 0) + 1);
    this.changed.add(id);
  }

  addState(id: number, state: State): void {
    const states = this.states.get(id) ?? new Set();
    this.states.set(id, states.add(JSON.stringify(stateOf(state))));
  }

  ratingsOf(id: number): Map<string, number> {
    const ratings = this.ratings.get(id) ?? new Map<string, number>();
    this.ratings.set(id, ratings);
    return ratings;
  }
}
