// Lines of one kind that are imported together.

export interface ImportedLine<Line> {
  readonly lineNumber: number;
  readonly text: string;
  readonly entry: Line;
}

export type Batch<Line> = readonly ImportedLine<Line>[];

/** The entry for an imported line in the change log. */
export interface ImportedChange {
  readonly subject: number;
  /** The line's text. Without it, the change log says only that the line was imported. */
  readonly record?: string;
  readonly owner?: number;
  /** Whether visitors' listings have it. */
  readonly isListed?: boolean;
}

/** The entries of a batch, each key once, with the last entry that has the key. */
export const keepLast = <Line>(batch: Batch<Line>, keyOf: (entry: Line) => number | string): Line[] => [
  ...new Map(batch.map(({ entry }) => [keyOf(entry), entry])).values(),
];
