// A language that nobody speaks, to try pages from right to left: the English texts between marks that turn them.

/** Letters keep their shape, and words run from right to left, as in Arabic (RLO … PDF). */
const mirrorText = (text: string) =>
  text.replace(/(^|[}>])([^{}<>]+)/g, (_, before: string, words: string) => `${before}\u202e${words}\u202c`);

export const mirror = <Messages extends Readonly<Record<string, string>>>(messages: Messages) =>
  Object.fromEntries(
    Object.entries(messages).map(([name, text]) => [
      name,
      text.includes(' plural,') ? text : mirrorText(text),
    ]),
  ) as Messages;
