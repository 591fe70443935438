import { guardianRoutes } from './guardian.tsx';
import { joinRoutes } from './join.tsx';
import { classListRoutes } from './list.tsx';
import { classPeopleRoutes } from './people.tsx';
import { pupilRoutes } from './pupil.tsx';
import { classWaitingRoutes } from './waiting.tsx';

export { sections } from './sections.tsx';

export const routes = [
  ...classWaitingRoutes,
  ...classPeopleRoutes,
  ...pupilRoutes,
  ...joinRoutes,
  ...guardianRoutes,
  ...classListRoutes,
];
