const ourScript = /<script type="module" src="\/assets\/vitrine-[0-9a-z]+\.js"><\/script>/g;

/**
 * Removes the elements that load Vitrine's own scripts, so that any other script is found. It reads the text and not a
 * parsed page, because a parser would also repair what an attack has broken.
 */
export function withoutOurScripts(html: string): string {
  return html.replaceAll(ourScript, '');
}
