// Replaces the list of operations with Swagger UI.

const container = document.querySelector('[data-openapi]');
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
darkScheme.addEventListener('change', applyTheme);
applyTheme();

/** The components to show: Swagger UI's own layout would add a second heading and main element. */
const componentNames = ['SvgAssets', 'AuthorizeBtnContainer', 'errors', 'operations', 'Models'];

const layoutPlugin = ({ React }) => ({
  components: {
    OperationsLayout({ getComponent, specSelectors }) {
      if (specSelectors.loadingStatus() !== 'success') return null;
      const components = componentNames.map((name) =>
        React.createElement(getComponent(name, name !== 'SvgAssets'), { key: name }),
      );
      return React.createElement('div', { className: 'swagger-ui' }, components);
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
  url: container.dataset.openapi,
  domNode: container,
  layout: 'OperationsLayout',
  plugins: [layoutPlugin],
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  syntaxHighlight: false,
  // Requests in a session cannot write without this header.
  requestInterceptor(request) {
    const token = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1];
    if (token && /^(POST|PUT|PATCH|DELETE)$/.test(request.method)) request.headers['X-CSRFToken'] = token;
    return request;
  },
});

/** Adds labels for screen readers and keyboard access to scrollable parts, which Swagger UI lacks. */
function improveAccessibility() {
  for (const select of container.querySelectorAll('tr[data-param-name] select:not([aria-label])')) {
    select.setAttribute('aria-label', select.closest('tr').dataset.paramName);
  }
  for (const block of container.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
}
new MutationObserver(improveAccessibility).observe(container, { childList: true, subtree: true });
