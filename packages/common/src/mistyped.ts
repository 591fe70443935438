// Words that somebody has mistyped.

/** The word that was meant, as a question after a sentence; empty if none is near. All words have the same beginning. */
export function suggest(mistyped: string, words: readonly string[], beginning = ''): string {
  const rest = mistyped.slice(beginning.length);
  const maxEdits = rest.length < 6 ? 1 : 2;
  const [nearest] = words
    .map((word) => ({ word, edits: countEdits(rest, word.slice(beginning.length), maxEdits) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((one, other) => one.edits - other.edits);
  return nearest ? ` Did you mean ${nearest.word}?` : '';
}

/**
 * How many letters have to be inserted, deleted, replaced or exchanged with their neighbour; above `max`, any higher
 * number.
 */
export function countEdits(one: string, other: string, max: number): number {
  let [before, above]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    let lowest = row;
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const edits = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (isSame ? 0 : 1),
        isExchanged ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      current.push(edits);
      lowest = Math.min(lowest, edits);
    }
    if (lowest > max) return lowest;
    [before, above] = [above, current];
  }
  return at(above, other.length);
}

const at = (row: readonly number[] | undefined, column: number): number =>
  row?.[column] ?? Number.POSITIVE_INFINITY;
