// /content/<uuid>/<slug>/report/: how a reader tells moderators of something, and …/report/sent/: what happens then.

import { reportPath } from '../gallery/addresses.ts';
import { readReport, reasonNames, reasons, reportFields } from '../gallery/moderation/report.ts';
import { ownReport } from '../gallery/moderation/reports.ts';
import { report } from '../gallery/moderation/send.ts';
import { authorize, authorizeAny, can } from '../gallery/permissions.ts';
import type { Project } from '../gallery/projects/project.ts';
import { Choices, Members, Once, Token, titleOf, typedOr, Wrong } from './form.tsx';
import { page } from './layout.tsx';
import { Removal } from './moderation/removal.tsx';
import { seeOther } from './moved.ts';
import { Title } from './named.tsx';
import type { PageParts, Served } from './serve.ts';
import { Day } from './times.tsx';
import { transactOnce } from './transact.ts';

const { words } = reportFields;

export async function reportPage(parts: PageParts, served: Served) {
  const found = await reportable(parts, served);
  const { frame, viewer, refused } = served;
  const before = await ownReport(parts.database, viewer, found.id);
  return page(frame, {
    title: titleOf(refused, `Report ${found.title}`),
    listed: false,
    keeps: 'nothing',
    children: (
      <div class="narrow">
        <h1>
          Report <Title of={found} />
        </h1>
        <p>Moderators will look at it. Nobody else is told that it was you, least of all whoever made it.</p>
        {before && (
          <p class="notice">
            You reported this on <Day at={before.created} zone={parts.timeZone} />. What you send now takes
            the place of what you said then.
          </p>
        )}
        <Wrong refused={refused} fields={reportFields} />
        <form class="asking" method="post" action={reportPath(found)}>
          <Token token={frame.token} />
          <Once refused={refused} />
          <Choices
            name="reason"
            legend="What is wrong with it?"
            choices={reasons.map((value) => ({ value, label: reasonNames[value] }))}
            chosen={typedOr(refused, 'reason', before?.reason)}
            wrong={refused?.wrong.reason}
            required
          />
          <Members fields={{ words }} values={{ words: before?.words }} refused={refused} />
          <button type="submit">Report it</button>
        </form>
        {can(viewer, 'decide') && found.status !== 3 && <Removal project={found} token={frame.token} />}
      </div>
    ),
  });
}

export async function takeReport(parts: PageParts, served: Served) {
  const found = await reportable(parts, served);
  const { data } = await served.context.body();
  await transactOnce(parts, served, (act) => report(act, found.id, () => readReport(data)));
  return seeOther(`${reportPath(found)}sent/`);
}

export async function reportSent(parts: PageParts, served: Served) {
  const found = await reportable(parts, served);
  return page(served.frame, {
    title: 'Thank you',
    listed: false,
    keeps: 'nothing',
    children: (
      <div class="narrow">
        <h1>Thank you</h1>
        <p>
          Your report of <Title of={found} /> is with the moderators. One of them will read what you said and
          look at it: they leave it as it is, or take it off the gallery and tell whoever made it why. Nobody
          but moderators sees that it was you.
        </p>
        <p>
          Until then it stays where it is. <a href={reportPath(found)}>Change what you said</a>, or{' '}
          <a href="/">go back to the gallery</a>.
        </p>
      </div>
    ),
  });
}

/** What this reader sees and may report. */
async function reportable({ projects }: PageParts, { viewer, params }: Served): Promise<Project> {
  authorizeAny(viewer, 'report');
  const found = await projects.byUuid(viewer, params.uuid ?? '');
  authorize(viewer, 'report', found.contributor);
  return found;
}
