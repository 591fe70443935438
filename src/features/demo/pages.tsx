import { ButtonForm } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { form, type Sections, seeOther } from '../../core/pages/page.ts';
import { hasDemo, removeDemo } from './remove.ts';

const demoPath = '/admin/site/demo/';

function DemoRemoval() {
  const { t } = useLanguage();
  return (
    <section class="narrow" aria-labelledby="demo">
      <h2 id="demo">{t('site.demo')}</h2>
      <p>{t('site.demoNote')}</p>
      <ButtonForm action={demoPath} variant="danger">
        {t('site.removeDemo')}
      </ButtonForm>
    </section>
  );
}

export const sections: Sections = {
  'site.parts': async ({ database }) => ((await hasDemo(database)) ? <DemoRemoval /> : undefined),
};

export const routes = [
  form(demoPath, 'changeSite', async ({ database, viewer }) => {
    await removeDemo(database, viewer.contributor);
    return seeOther('/admin/site/?saved');
  }),
];
