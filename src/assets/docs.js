// Starts the viewer of the OpenAPI document in the place of the list of operations.

const place = document.querySelector('[data-openapi]');
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** Of the viewer's parts those that our page does not have: its own layout brings a second heading and main part. */
const parts = ['SvgAssets', 'AuthorizeBtnContainer', 'errors', 'operations', 'Models'];

const layout = ({ React }) => ({
  components: {
    Parts({ getComponent, specSelectors }) {
      if (specSelectors.loadingStatus() !== 'success') return null;
      const shown = parts.map((name) =>
        React.createElement(getComponent(name, name !== 'SvgAssets'), { key: name }),
      );
      return React.createElement('div', { className: 'swagger-ui' }, shown);
    },
  },
  wrapComponents: {
    // A link within a button can be reached by no key.
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

window.SwaggerUIBundle({
  url: place.dataset.openapi,
  domNode: place,
  layout: 'Parts',
  plugins: [layout],
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  syntaxHighlight: false,
  // Trying out in a session changes nothing without this: see the documentation of signing in.
  requestInterceptor(request) {
    const token = /(?:^|;\s*)csrftoken=([^;]*)/.exec(document.cookie)?.[1];
    if (token && /^(POST|PUT|PATCH|DELETE)$/.test(request.method)) request.headers['X-CSRFToken'] = token;
    return request;
  },
});

/** What the viewer leaves out for those who use it without eyes or without a mouse. */
function mend() {
  for (const select of place.querySelectorAll('tr[data-param-name] select:not([aria-label])')) {
    select.setAttribute('aria-label', select.closest('tr').dataset.paramName);
  }
  for (const text of place.querySelectorAll('pre:not([tabindex])')) text.tabIndex = 0;
}
new MutationObserver(mend).observe(place, { childList: true, subtree: true });
