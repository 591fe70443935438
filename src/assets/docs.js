// Replaces the list of operations with Swagger UI.

const place = document.querySelector('[data-openapi]');
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** The components to show: Swagger UI's own layout would add a second heading and main element. */
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
    // A link inside a button cannot be reached with the keyboard.
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
  // Requests in a session cannot write without this header.
  requestInterceptor(request) {
    const token = /(?:^|;\s*)csrftoken=([^;]*)/.exec(document.cookie)?.[1];
    if (token && /^(POST|PUT|PATCH|DELETE)$/.test(request.method)) request.headers['X-CSRFToken'] = token;
    return request;
  },
});

/** Adds labels for screen readers and keyboard access to scrollable parts, which Swagger UI lacks. */
function mend() {
  for (const select of place.querySelectorAll('tr[data-param-name] select:not([aria-label])')) {
    select.setAttribute('aria-label', select.closest('tr').dataset.paramName);
  }
  for (const text of place.querySelectorAll('pre:not([tabindex])')) text.tabIndex = 0;
}
new MutationObserver(mend).observe(place, { childList: true, subtree: true });
