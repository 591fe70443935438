// The expected content of the gallery: every acknowledged write as a whole, and nothing else.

/** The fields of an item that its writer sets. */
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

export const isSame = (one: State, other: State) =>
  JSON.stringify(stateOf(one)) === JSON.stringify(stateOf(other));

export class Ledger {
  readonly items = new Map<number, Item>();
  /** The ratings of each project by username. */
  readonly ratings = new Map<number, Map<string, number>>();
  /** The number of entries in the change log for each action on an item. */
  readonly logged = new Map<string, number>();
  /** All states that a project may have had when it was copied. */
  readonly states = new Map<number, Set<string>>();
  /** The items that have changed since the last audit. */
  readonly changed = new Set<number>();
  /** The number of acknowledged writes. */
  acknowledged = 0;

  add(item: Item): void {
    this.items.set(item.id, item);
    this.addState(item.id, item.state);
    this.changed.add(item.id);
  }

  item(id: number): Item {
    const item = this.items.get(id);
    if (!item) throw new Error(`the ledger has no ${id}`);
    return item;
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
