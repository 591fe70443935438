// The order in which tasks of several people are done, so that nobody fills a queue alone: a person's second task comes
// after everybody's first one.

export interface Turn {
  /** Goes before all who are not known. */
  readonly isKnown: boolean;
  readonly name: string;
  /** The network address, which many names may share. */
  readonly address: string;
}

interface TaskWithTurn {
  readonly turn?: Turn | undefined;
}

/** At one address the names take turns, then the addresses do. Those who came first go first otherwise. */
export function takeTurns<Task extends TaskWithTurn>(tasks: readonly Task[]): Task[] {
  const byName = inRounds(tasks, ({ turn }) => `${turn?.address} ${turn?.name}`);
  const byAddress = inRounds(byName, ({ turn }) => turn?.address);
  return byAddress.sort((one, other) => Number(isUnknown(one)) - Number(isUnknown(other)));
}

const isUnknown = ({ turn }: TaskWithTurn) => turn?.isKnown === false;

function inRounds<Task>(tasks: readonly Task[], personOf: (task: Task) => string | undefined): Task[] {
  const counts = new Map<string | undefined, number>();
  const rounds = tasks.map((task) => {
    const round = counts.get(personOf(task)) ?? 0;
    counts.set(personOf(task), round + 1);
    return { task, round };
  });
  return rounds.sort((one, other) => one.round - other.round).map(({ task }) => task);
}
