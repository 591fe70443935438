/** Text between backticks is code, as in the OpenAPI document. */
export function CodeText({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 ? <code>{part}</code> : part))}</>;
}
