import { guardianRoutes } from './guardian.tsx';
import { joinRoutes } from './join.tsx';
import { classListRoutes } from './list.tsx';
import { myClassRoutes } from './my-class.tsx';
import { classPeopleRoutes } from './people.tsx';
import { pupilRoutes } from './pupil.tsx';
import { classWaitingRoutes } from './waiting.tsx';

export { sections } from './sections.tsx';

export const routes = [
  ...myClassRoutes,
  ...classWaitingRoutes,
  ...classPeopleRoutes,
  ...pupilRoutes,
  ...joinRoutes,
  ...guardianRoutes,
  ...classListRoutes,
];
