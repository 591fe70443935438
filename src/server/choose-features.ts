import { OperatorError } from '#common/errors.ts';
import { type Feature, listFeatures } from '../core/feature.ts';

/** All but these. Throws an OperatorError if there is no such feature, or if another one needs it. */
export function chooseFeatures(without: readonly string[]): readonly Feature[] {
  for (const name of without) requireOptional(name);
  const chosen = listFeatures().filter(({ name }) => !without.includes(name));
  for (const { name, uses = [] } of chosen)
    for (const used of uses)
      if (without.includes(used.name))
        throw new OperatorError(`--without ${used.name}: ${name} needs it. Leave out both, or neither.`);
  return chosen;
}

function requireOptional(name: string): void {
  const { neededBecause } = listFeatures().find((feature) => feature.name === name) ?? {};
  if (neededBecause)
    throw new OperatorError(`--without ${name}: a gallery needs it, because ${neededBecause}.`);
  if (listFeatures().some((feature) => feature.name === name)) return;
  const optional = listFeatures()
    .filter((feature) => !feature.neededBecause)
    .map((feature) => feature.name);
  throw new OperatorError(
    `--without ${name}: there is no such feature, or a gallery is not safe without it. These can be left out: ${optional.join(', ')}.`,
  );
}
