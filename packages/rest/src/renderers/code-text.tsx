/** Parts with something between each two. */
export function Joined({ parts, separator }: { parts: readonly unknown[]; separator: unknown }) {
  return (
    <>
      {parts.map((part, index) => (
        <>
          {index > 0 && separator}
          {part}
        </>
      ))}
    </>
  );
}

/** Text between backticks is code, as in the OpenAPI document. */
export function CodeText({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 ? <code>{part}</code> : part))}</>;
}
