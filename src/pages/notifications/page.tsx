// /account/notifications/: the viewer's notifications, the settings for them, and the address of the feed.

import { notificationKinds } from '../../gallery/changes/kinds.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
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
import { contributorPath } from '../../gallery/paths.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { inTrash } from '../../gallery/project-status.ts';
import { findEmail } from '../../gallery/sign-in/email.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { formatPageTitle, loadListPage } from '../home/listing.ts';
import { DateTimeText } from '../layout/dates.tsx';
import { ButtonForm, Form, RadioGroup } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { ProjectLink, SecretNotice } from '../layout/links.tsx';
import { Pager } from '../layout/pager.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { feedPath } from './feed.ts';
import { sentenceOf } from './sentence.ts';

const path = '/account/notifications/';

export const showNotificationsPage = (deps: PageDependencies, context: PageContext) =>
  renderNotificationsPage(deps, context);

async function renderNotificationsPage(
  { database, accounts }: PageDependencies,
  context: PageContext,
  feedSecret?: string,
) {
  const { layout, viewer, url, origin } = context;
  const { t } = layout.language;
  authorizeAny(viewer, 'seeAccount');
  const groups = await loadListPage(new NotificationGroups(database, viewer), url.query);
  const notifications = await loadDetails(database, viewer, groups.items);
  const settings = await loadNotificationSettings(database, requireSignedIn(viewer));
  const email = accounts.sendsMail ? await findEmail(database, requireSignedIn(viewer)) : undefined;
  const mail = accounts.sendsMail ? (email?.address ? 'possible' : 'needs address') : undefined;
  return renderFormPage(context, {
    title: formatPageTitle(layout.language, t('notifications.title'), groups.number),
    heading: t('notifications.title'),
    children: (
      <>
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
      </>
    ),
  });
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

function NotificationRow({
  notification,
}: {
  notification: NotificationDetails & { readonly count: number };
}) {
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
          person: by && (
            <a href={contributorPath(by.id, by.username)}>
              <bdi>{displayName(by)}</bdi>
            </a>
          ),
          project: <SubjectLink project={project} />,
          count,
        })}
        {newProject && (
          <p>
            <ProjectLink project={newProject} />
          </p>
        )}
        {decision?.contributor === contributor && decision.reason && (
          <p class="report-text" dir="auto">
            {decision.reason}
          </p>
        )}
        <p class="byline">
          <DateTimeText instant={created} />
        </p>
      </div>
    </li>
  );
}

function SubjectLink({ project }: Pick<NotificationDetails, 'project'>) {
  const { t } = useLanguage();
  if (!project) return <>{t('notifications.hiddenProject')}</>;
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

export async function submitMarkRead({ database }: PageDependencies, context: PageContext) {
  const { viewer, request } = context;
  authorizeAny(viewer, 'changeAccount');
  const { up_to } = (await request.readBody()).data;
  await transactOnce(database, context, ({ transaction }) =>
    markRead(transaction, viewer, parseId(String(up_to))),
  );
  return seeOther(path);
}

export async function submitSettings({ database }: PageDependencies, context: PageContext) {
  const { viewer, request } = context;
  authorizeAny(viewer, 'changeAccount');
  const { data } = await request.readBody();
  const contributor = requireSignedIn(viewer);
  const enabledKinds = notificationKinds.filter((kind) => data[kind] !== undefined);
  const frequency = mailFrequencies.find((known) => known === data.mail);
  await transactOnce(database, context, async ({ transaction }) => {
    await setEnabledKinds(transaction, contributor, enabledKinds);
    if (frequency) await setMailFrequency(transaction, contributor, frequency);
  });
  return seeOther(path);
}

/** The address is shown in the response only. */
export async function submitNewFeed(deps: PageDependencies, context: PageContext) {
  authorizeAny(context.viewer, 'changeAccount');
  const contributor = requireSignedIn(context.viewer);
  const secret = await transactOnce(deps.database, context, ({ transaction }) =>
    renewFeed(transaction, contributor),
  );
  return renderNotificationsPage(deps, context, secret);
}

export async function submitFeedEnd({ database }: PageDependencies, context: PageContext) {
  authorizeAny(context.viewer, 'changeAccount');
  await transactOnce(database, context, ({ transaction }) =>
    endFeed(transaction, requireSignedIn(context.viewer)),
  );
  return seeOther(path);
}
