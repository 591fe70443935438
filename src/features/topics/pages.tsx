// The sentence and the picture above the projects with a tag, and /tags/topic/?tag=…, where moderators choose them.

import { NotFound } from '#common/errors.ts';
import { type Fields, readFields, textField } from '#rest/fields.ts';
import { addStylesheet } from '../../core/pages/assets.ts';
import { LinkLine } from '../../core/pages/layout/components.tsx';
import { SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { form, type PageContext, page, type Sections, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { can } from '../../core/viewer/permissions.ts';
import { loadCoverContents, ProjectCover } from '../../projects/pages/list/posters.tsx';
import { tagHref } from '../../projects/pages/list/tags.tsx';
import { findPreviewImage } from '../../projects/pages/project/metadata.tsx';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import { projectLimits } from '../../projects/project.ts';
import { findPicture, findTopic, saveTopic, topicLimits } from './topic.ts';
import topicsCss from './topics.css' with { type: 'text' };

const topicStylesheet = addStylesheet(topicsCss);

const path = '/tags/topic/';

const topicHref = (tag: string) => `${path}?${new URLSearchParams({ tag })}`;

async function loadTopic(context: PageContext, tag: string) {
  const { database, viewer, projects, origin, t } = context;
  const topic = await findTopic(database, tag);
  const canDescribe = can(viewer, 'describeTag');
  if (!topic && !canDescribe) return undefined;
  const project = topic && (await findPicture(database, topic));
  const cover = project && (await loadCoverContents(projects, viewer, [project])).get(project.id);
  return {
    description: topic?.text ?? '',
    image: cover?.media && findPreviewImage([cover.media], origin),
    content: (
      <>
        <link rel="stylesheet" href={topicStylesheet} />
        {topic && (
          <div class="topic">
            {project && <ProjectCover project={project} cover={cover} eager />}
            <p dir="auto">
              {topic.text}
              {project && (
                <>
                  {topic.text && <br />}
                  <small>
                    <ProjectLink project={project} />
                  </small>
                </>
              )}
            </p>
          </div>
        )}
        {canDescribe && <LinkLine href={topicHref(tag)}>{t('topics.edit')}</LinkLine>}
      </>
    ),
  };
}

export const sections: Sections = { 'tag.topic': loadTopic };

const getFields = ({ t }: Translator) =>
  ({
    text: textField({ label: t('topics.text'), maxLength: topicLimits.text, allowsBlank: true }),
    picture: textField({
      label: t('topics.picture'),
      help: t('topics.pictureHelp'),
      maxLength: topicLimits.picture,
      allowsBlank: true,
    }),
  }) satisfies Fields;

function requireTag({ url }: PageContext): string {
  const tag = (url.query.get('tag') ?? '').trim();
  if (tag === '' || tag.length > projectLimits.tag || tag.includes(',')) throw new NotFound();
  return tag;
}

async function showTopicPage(context: PageContext) {
  const { database, layout, formErrors, t, rich } = context;
  const tag = requireTag(context);
  const topic = await findTopic(database, tag);
  const project = topic && (await findPicture(database, topic));
  return context.render(
    <SingleFormPage
      title={t('topics.title', { tag })}
      heading={rich('topics.title', { tag: <a href={tagHref(tag)}>{tag}</a> })}
      note={t('topics.note')}
      action={topicHref(tag)}
      fields={getFields(layout.language)}
      values={{ text: topic?.text, picture: project && projectPath(project) }}
      formErrors={formErrors}
      button={t('form.save')}
    />,
  );
}

export const routes = [
  page(path, 'describeTag', showTopicPage),
  form(path, 'describeTag', async (context) => {
    const tag = requireTag(context);
    const { data } = await context.request.readBody();
    const { text = '', picture = '' } = readFields(getFields(context.layout.language), data);
    await context.transact((write) => saveTopic(write, tag, { text, picture }));
    return seeOther(tagHref(tag));
  }),
];
