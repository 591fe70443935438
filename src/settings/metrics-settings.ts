// The settings of the metrics for Prometheus: see settings.ts.

import { defineSetting } from './define-setting.ts';
import { parseAddress, parseInteger } from './setting-values.ts';

export const metricsSettings = {
  metricsPort: defineSetting({
    flag: 'metrics-port',
    placeholder: 'NUMBER|off',
    variable: 'VITRINE_METRICS_PORT',
    fallback: 'off',
    help: 'With `serve`: the port for Prometheus, which reads /metrics there.',
    parse: (text) => (text === 'off' ? undefined : parseInteger(1, 65535)(text)),
  }),
  metricsHost: defineSetting({
    flag: 'metrics-host',
    placeholder: 'ADDRESS',
    variable: 'VITRINE_METRICS_HOST',
    fallback: '127.0.0.1',
    help: 'With `serve`: the address of that port. Everybody who reaches it can read the metrics.',
    parse: parseAddress,
  }),
};
