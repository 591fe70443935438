/** The attributes of a script of ours, which is a file beside the page. */
export const ours = / type="module" src="\/assets\/vitrine-[0-9a-z]+\.js"/;

/** A page without what our own scripts are loaded by: any other stands out. */
export function withoutOurScripts(html: string): string {
  return html.replaceAll(new RegExp(`<script${ours.source}></script>`, 'g'), '');
}
