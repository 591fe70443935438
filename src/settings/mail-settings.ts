// The settings of mails: see settings.ts.

import { InvalidValue } from '../common/inputs.ts';
import { emailPattern } from '../common/text-rules.ts';
import { defineSetting } from './setting-values.ts';

const isSmtpUrl = (text: string) => /^smtps?:\/\/[^/\s]+\/?$/.test(text) && URL.canParse(text);

export const mailSettings = {
  smtp: defineSetting({
    flag: 'smtp',
    placeholder: 'URL',
    variable: 'VITRINE_SMTP',
    help: 'The server that takes mails, such as smtp://mail.example.org:587; one with user:password@ only in the variable.',
    isSecret: (text) => text.includes('@'),
    read(text) {
      if (text === '') return undefined;
      if (!isSmtpUrl(text))
        throw new InvalidValue(
          'must be an address such as smtp://user:password@mail.example.org:587 or smtps://…',
        );
      return text;
    },
  }),
  mailFrom: defineSetting({
    flag: 'mail-from',
    placeholder: 'ADDRESS',
    variable: 'VITRINE_MAIL_FROM',
    help: 'The email address that mails come from.',
    read(text) {
      if (text === '' || emailPattern.test(text)) return text;
      throw new InvalidValue('must be an email address such as gallery@example.org');
    },
  }),
  publicUrl: defineSetting({
    flag: 'public-url',
    placeholder: 'URL',
    variable: 'VITRINE_PUBLIC_URL',
    help: 'The address of the site for links in mails, such as https://gallery.example.org.',
    read(text) {
      const { protocol = '', origin = '', pathname, username } = URL.parse(text) ?? {};
      if (text === '') return text;
      if (/^https?:$/.test(protocol) && pathname === '/' && !username && !/[?#]/.test(text)) return origin;
      throw new InvalidValue('must begin with http:// or https:// and have no path');
    },
  }),
};
