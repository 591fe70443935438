export const webhooksPath = '/account/webhooks/';
