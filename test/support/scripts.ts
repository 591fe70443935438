/** The attributes of a script element that loads one of Vitrine's own scripts. */
export const ours = / type="module" src="\/assets\/vitrine-[0-9a-z]+\.js"/;

/** Removes the elements that load Vitrine's own scripts, so that any other script is found. */
export function withoutOurScripts(html: string): string {
  return html.replaceAll(new RegExp(`<script${ours.source}></script>`, 'g'), '');
}
