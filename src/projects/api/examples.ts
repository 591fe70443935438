// Examples for the OpenAPI document: what the demo gallery returns at https://gallery.example.org/.

export const projectExample = {
  id: 60,
  url: 'https://gallery.example.org/api/v1/projects/60/?format=api',
  html_url:
    'https://gallery.example.org/content/aGT39CGMTnfvxu26gzJibb/taped-to-the-lid-of-the-odds-and-ends-drawer/',
  created: '2025-10-14T18:12:08.669059+00:00',
  modified: '2025-10-20T19:58:33.364973+00:00',
  title: 'Taped to the Lid of the Odds-and-Ends Drawer',
  uuid: 'aGT39CGMTnfvxu26gzJibb',
  slug: 'taped-to-the-lid-of-the-odds-and-ends-drawer',
  copied_from: null,
  contributor_name: 'Sione Fīnau',
  contributor_html_url: 'https://gallery.example.org/contributors/10-sione/?format=api',
  visibility: 'public',
  tags: '',
  text: "> The world is so full of a number of things,\n> I'm sure we should all be as happy as kings.\n\n— Robert Louis Stevenson, *A Child's Garden of Verses*, 1885. He must have seen our drawer.",
  status: 1,
  rating_count: 5,
  rating_sum: 23,
  karma: 24,
};

export const contributorExample = {
  id: 10,
  url: 'https://gallery.example.org/api/v1/contributors/10/',
  html_url: 'https://gallery.example.org/contributors/10-sione/',
  projects_url: 'https://gallery.example.org/api/v1/projects/?contributor=10',
  username: 'sione',
  name: 'Sione Fīnau',
  first_name: 'Sione',
  last_name: 'Fīnau',
  created: '2023-07-04T11:23:28.445412+00:00',
};

export const tagExample = {
  name: 'classroom',
  count: 10,
  url: 'https://gallery.example.org/api/v1/projects/?tags=classroom',
};

/** Bodies that would create such a project and such a comment. */
export const newProjectExample = {
  title: 'How do we keep a weather balloon logger warm?',
  content_type: 'question',
  tags: ['weather', 'balloon', 'sensors'],
};
export const newCommentExample = { text: 'Legends, both of you!' };
