import { type OpenOwnApp, ownAddress } from '../core/commands/own-app.ts';
import { createApp } from './app.ts';
import { loadFeatures } from './load-features.ts';

const connections = { peerAddress: () => ownAddress };
const silentLog = { request() {}, event() {}, error() {}, info() {}, flush() {} };

export const openOwnApp: OpenOwnApp = async ({ database, files }, settings) => {
  const secrets = {
    cursors: crypto.randomUUID(),
    sessions: crypto.randomUUID(),
    imports: crypto.randomUUID(),
  };
  const features = await loadFeatures();
  const app = createApp({ database, files, secrets, settings, features, log: silentLog, timeoutMs: 60_000 });
  return { fetch: (request) => app.fetch(request, connections) };
};
