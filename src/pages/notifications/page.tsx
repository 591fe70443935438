// /account/notifications/: the viewer's notifications, the settings for them, and the address of the feed.

import { notificationKinds } from '../../gallery/changes/kinds.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { parseId } from '../../gallery/ids.ts';
import {
  loadDetails,
  markRead,
  type NotificationDetails,
  NotificationGroups,
} from '../../gallery/notifications/find.ts';
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
} from '../../gallery/notifications/settings.ts';
import { collectionPath, contributorPath } from '../../gallery/paths.ts';
import { inTrash } from '../../gallery/project-status.ts';
import { findEmail } from '../../gallery/sign-in/email.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { accountSections } from '../account/sections.tsx';
import { formatPageTitle, loadListPage } from '../home/listing.ts';
import {
  DateTimeText,
  NameLink,
  Pager,
  ProjectLink,
  ReportText,
  SecretNotice,
} from '../layout/components.tsx';
import { ButtonForm, Form, RadioGroup } from '../layout/form.tsx';
import { FormPage } from '../layout/layout.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { form, type PageContext, page, seeOther } from '../page.ts';
import { feedPath } from './feed.ts';
import { sentenceOf } from './sentence.ts';

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
          {layout.unreadCount ? <MarkReadForm upTo={notifications[0]?.number} /> : null}
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
      <button class="quiet" type="submit">
        {useLanguage().t('notifications.markRead')}
      </button>
    </Form>
  );
}

type CountedNotification = NotificationDetails & { readonly count: number };

function NotificationRow({ notification }: { notification: CountedNotification }) {
  const { t, rich } = useLanguage();
  const { created, is_read, by, newProject, project, count, decision, contributor } = notification;
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
          project: <SubjectLink kind={notification.kind} project={project} />,
          count,
        })}
        {newProject && newProject.id !== project?.id && (
          <p>
            <ProjectLink project={newProject} />
          </p>
        )}
        {decision?.contributor === contributor && decision.reason && <ReportText text={decision.reason} />}
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
  if (kind === 'offered' && project.status !== inTrash)
    return <NameLink href={collectionPath(project, 'arrange')} name={project.title} />;
  return project.status === inTrash ? <bdi>{project.title}</bdi> : <ProjectLink project={project} />;
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
        {notificationKinds.map((kind) => (
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
    const enabledKinds = notificationKinds.filter((kind) => data[kind] !== undefined);
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
