// Bars for the weeks, drawn on the server. They are hidden from screen readers: the page has the figures in a table.

interface ChartProps {
  readonly values: readonly number[];
  /** The height of the highest bar; charts that are compared have the same. */
  readonly max: number;
}

const [barWidth, gap, height] = [10, 3, 60];
/** A week with anything at all has a bar that can be seen. */
const minBar = 2;

export function Chart({ values, max }: ChartProps) {
  const width = values.length * (barWidth + gap) - gap;
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, index) => {
        const bar = value === 0 ? 0 : Math.max(minBar, (value / max) * height);
        return <rect x={index * (barWidth + gap)} y={height - bar} width={barWidth} height={bar} />;
      })}
      <path d={`M0 ${height}H${width}`} />
    </svg>
  );
}
