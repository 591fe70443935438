// What the gallery must hold: everything that was acknowledged to those who wrote, and nothing by halves.

/** What a writer may choose of an item. */
export interface State {
  readonly title: string;
  readonly text: string;
  readonly tags: string;
  readonly visibility: string;
  readonly status: number;
}

export interface Item {
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

export const same = (one: State, other: State) =>
  JSON.stringify(stateOf(one)) === JSON.stringify(stateOf(other));

export class Ledger {
  readonly items = new Map<number, Item>();
  /** Who gave what to a project. */
  readonly ratings = new Map<number, Map<string, number>>();
  /** How often the change log tells of what was done to an item. */
  readonly told = new Map<string, number>();
  /** Each state that a project may ever have been copied in. */
  readonly states = new Map<number, Set<string>>();
  /** Of what something has changed since the last audit. */
  readonly touched = new Set<number>();
  /** Writes that were answered with a success. */
  acknowledged = 0;

  enter(item: Item): void {
    this.items.set(item.id, item);
    this.mayBecome(item.id, item.state);
    this.touched.add(item.id);
  }

  item(id: number): Item {
    const item = this.items.get(id);
    if (!item) throw new Error(`the ledger has no ${id}`);
    return item;
  }

  tell(action: string, id: number): void {
    const entry = `${action} ${id}`;
    this.told.set(entry, (this.told.get(entry) ?? 0) + 1);
    this.touched.add(id);
  }

  mayBecome(id: number, state: State): void {
    const states = this.states.get(id) ?? new Set();
    this.states.set(id, states.add(JSON.stringify(stateOf(state))));
  }

  ratingsOf(id: number): Map<string, number> {
    const ratings = this.ratings.get(id) ?? new Map<string, number>();
    this.ratings.set(id, ratings);
    return ratings;
  }
}
