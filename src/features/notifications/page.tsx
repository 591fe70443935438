// /account/notifications/: the viewer's notifications, the settings for them, and the address of the feed.

import { createPageUrl } from '#rest/pagination.ts';
import { findEmail } from '../../core/accounts/email.ts';
import { describeNotification, notificationKinds } from '../../core/changes/change-kinds.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { parseId } from '../../core/ids.ts';
import { accountSections } from '../../core/pages/account-sections.tsx';
import {
  DateTimeText,
  NameLink,
  Pager,
  ReportText,
  SecretNotice,
} from '../../core/pages/layout/components.tsx';
import { ButtonForm, Form, QuietButton, RadioGroup } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import { inTrash } from '../../core/project-status.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { formatPageTitle, loadListPage } from '../../projects/pages/list/list-query.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import { feedPath } from './feed.ts';
import { loadDetails, markRead, type NotificationDetails, NotificationGroups } from './find-notifications.ts';
import {
  defaultFrequency,
  endFeed,
  listEnabledKinds,
  loadNotificationSettings,
  mailFrequencies,
  type NotificationSettings,
  renewFeed,
  setEnabledKinds,
  setMailFrequency,
} from './notification-settings.ts';
import { findDate, sentenceOf, toldSentenceOf } from './sentence.ts';

const path = '/account/notifications/';

async function renderNotificationsPage(context: PageContext, feedSecret?: string) {
  const { database, accounts, layout, viewer, url, origin, t } = context;
  const groups = await loadListPage(new NotificationGroups(database, viewer), url.query);
  const notifications = await loadDetails(database, viewer, groups.items);
  const settings = await loadNotificationSettings(database, requireSignedIn(viewer));
  const email = accounts.sendsMail ? await findEmail(database, requireSignedIn(viewer)) : undefined;
  const mail = accounts.sendsMail ? (email?.address ? 'possible' : 'needs address') : undefined;
  return context.render(
    <FormPage
      aside={accountSections(context)}
      title={formatPageTitle(layout.language, t('notifications.title'), groups.number)}
      heading={t('notifications.title')}
    >
      {feedSecret && (
        <SecretNotice label={t('notifications.feedAddress')} secret={`${origin}${feedPath(feedSecret)}`} />
      )}
      {notifications.length === 0 ? (
        <p class="empty">{t('notifications.empty')}</p>
      ) : (
        <>
          {layout.counts[path] ? <MarkReadForm upTo={notifications[0]?.number} /> : null}
          <ol class="rows">
            {notifications.map((notification) => (
              <NotificationRow notification={notification} />
            ))}
          </ol>
        </>
      )}
      <Pager {...groups} urlOf={createPageUrl(path)} />
      <SettingsForm settings={settings} mail={mail} />
      <FeedForms hasFeed={settings.feed_hash !== null} />
    </FormPage>,
  );
}

/** Notifications that came after the page was loaded stay unread. */
function MarkReadForm({ upTo }: { upTo: number | undefined }) {
  return (
    <Form action={path}>
      <input type="hidden" name="up_to" value={upTo} />
      <QuietButton>{useLanguage().t('notifications.markRead')}</QuietButton>
    </Form>
  );
}

type CountedNotification = NotificationDetails & { readonly count: number };

function NotificationRow({ notification }: { notification: CountedNotification }) {
  const { t, rich } = useLanguage();
  const { kind, created, is_read, by, newProject, project, count, decision, contributor } = notification;
  const subject = <SubjectLink kind={kind} project={project} />;
  const date = findDate(notification);
  return (
    <li>
      <div>
        {is_read === 0 && (
          <>
            <span class="badge">{t('notifications.new')}</span>{' '}
          </>
        )}
        {rich(sentenceOf(notification), {
          person: by && <NameLink href={contributorPath(by.id, by.username)} name={displayName(by)} />,
          project: subject,
          count,
          date: date !== undefined && <DateTimeText instant={date} />,
          sentence: kind === 'told' && rich(toldSentenceOf(notification), { project: subject }),
        })}
        {newProject && newProject.id !== project?.id && (
          <p>
            <ProjectLink project={newProject} />
          </p>
        )}
        {decision?.reason && (kind === 'told' || decision.contributor === contributor) && (
          <ReportText text={decision.reason} />
        )}
        <p class="byline">
          <DateTimeText instant={created} />
        </p>
      </div>
    </li>
  );
}

function SubjectLink({ kind, project }: Pick<NotificationDetails, 'kind' | 'project'>) {
  const { t } = useLanguage();
  if (!project) return <>{t('notifications.hiddenProject')}</>;
  if (project.status === inTrash) return <bdi>{project.title}</bdi>;
  const { page } = describeNotification(kind);
  return page ? (
    <NameLink href={projectPath(project) + page} name={project.title} />
  ) : (
    <ProjectLink project={project} />
  );
}

interface SettingsFormProps {
  readonly settings: NotificationSettings;
  /** Undefined if the site sends no mails. */
  readonly mail: 'possible' | 'needs address' | undefined;
}

function SettingsForm({ settings, mail }: SettingsFormProps) {
  const { t, rich } = useLanguage();
  const enabledKinds = listEnabledKinds(settings);
  return (
    <Form class="stacked-form" action={`${path}settings/`}>
      <fieldset class="form-field choices">
        <legend>
          <h2>{t('notifications.wanted')}</h2>
        </legend>
        {notificationKinds().map((kind) => (
          <div class="choice">
            <input type="checkbox" id={`f-${kind}`} name={kind} checked={enabledKinds.includes(kind)} />
            <label for={`f-${kind}`}>{t(`notifications.wants.${kind}`)}</label>
          </div>
        ))}
      </fieldset>
      {mail === 'possible' && (
        <RadioGroup
          name="mail"
          legend={t('notifications.mail')}
          choices={mailFrequencies.map((value) => ({ value, label: t(`notifications.mail.${value}`) }))}
          selected={settings.mail ?? defaultFrequency}
        />
      )}
      {mail === 'needs address' && (
        <p>{rich('notifications.noAddress', { link: (text) => <a href="/account/email/">{text}</a> })}</p>
      )}
      <button type="submit">{t('form.save')}</button>
    </Form>
  );
}

function FeedForms({ hasFeed }: { hasFeed: boolean }) {
  const { t } = useLanguage();
  return (
    <>
      <h2>{t('notifications.feed')}</h2>
      <p>{t(hasFeed ? 'notifications.feedIsOn' : 'notifications.feedIntro')}</p>
      <ButtonForm action={`${path}feed/`} variant="quiet">
        {t(hasFeed ? 'notifications.feedRenew' : 'notifications.feedCreate')}
      </ButtonForm>
      {hasFeed && (
        <ButtonForm action={`${path}feed/end/`} variant="quiet">
          {t('notifications.feedEnd')}
        </ButtonForm>
      )}
    </>
  );
}

export const notificationRoutes = [
  page(path, 'seeAccount', renderNotificationsPage),
  form(path, 'keepLists', async (context) => {
    const { viewer, request } = context;
    const { up_to } = (await request.readBody()).data;
    await context.transact(({ transaction }) => markRead(transaction, viewer, parseId(String(up_to))));
    return seeOther(path);
  }),
  form(`${path}settings/`, 'keepLists', async (context) => {
    const { viewer, request } = context;
    const { data } = await request.readBody();
    const contributor = requireSignedIn(viewer);
    const enabledKinds = notificationKinds().filter((kind) => data[kind] !== undefined);
    const frequency = mailFrequencies.find((known) => known === data.mail);
    await context.transact(async ({ transaction }) => {
      await setEnabledKinds(transaction, contributor, enabledKinds);
      if (frequency) await setMailFrequency(transaction, contributor, frequency);
    });
    return seeOther(path);
  }),
  // The address is shown in the response only.
  form(`${path}feed/`, 'keepLists', async (context) => {
    const contributor = requireSignedIn(context.viewer);
    const secret = await context.transact(({ transaction }) => renewFeed(transaction, contributor));
    return renderNotificationsPage(context, secret);
  }),
  form(`${path}feed/end/`, 'keepLists', async (context) => {
    await context.transact(({ transaction }) => endFeed(transaction, requireSignedIn(context.viewer)));
    return seeOther(path);
  }),
];
