import { addScript } from '../../../core/pages/assets.ts';
import passkeyJs from '../passkey.js' with { type: 'text' };

export const passkeyScript = addScript(passkeyJs);
