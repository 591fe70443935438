// /preview/: the rendered text of a form, for the script that shows a live preview.

import { requireId } from '../../gallery/ids.ts';
import { prepareResponse } from '../../rest/prepared-response.ts';
import { pageHeaders } from '../../rest/shared-caching.ts';
import { form } from '../page.ts';
import { renderPreview } from './project-form.tsx';

export const textPreviewRoutes = [
  form('/preview/', 'makeProject', async ({ projects, viewer, request }) => {
    const { data } = await request.readBody();
    const project = 'project' in data ? await projects.find(viewer, requireId(data.project)) : undefined;
    const media = project && (await projects.loadMedia([project.id])).get(project.id);
    return prepareResponse(
      200,
      { ...pageHeaders, 'Cache-Control': 'no-store' },
      await renderPreview(data, media ?? []),
    );
  }),
];
