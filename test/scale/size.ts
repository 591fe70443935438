// How much work the tests of this folder do: with SCALE=0.2 a fifth, with SCALE=10 ten times as much.

const scale = Number(process.env.SCALE ?? 1);

export const scaled = (count: number): number => Math.ceil(count * scale);
