// Whether the tests that `npm test` runs on PostgreSQL still reach nearly all SQL that any test sends: .ci/run records it.

import { readFileSync } from 'node:fs';

const minShare = 0.93;

const [first = [], later = []] = process.argv
  .slice(2)
  .map((path) => readFileSync(path, 'utf8').split(/\s+/).filter(Boolean));
const reached = new Set(first);
const share = reached.size / new Set([...first, ...later]).size;
console.log(
  `The tests of npm test on PostgreSQL reach ${(share * 100).toFixed(1)} % of the SQL of all tests.`,
);
if (share < minShare) {
  console.error(`They should reach ${minShare * 100} %: npm run update:on-postgres chooses them again.`);
  process.exitCode = 1;
}
