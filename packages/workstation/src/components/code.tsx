import { useState, type ReactNode } from "react";

/** A command line, with a button that copies it. */
export function Code({ text }: { readonly text: string }): ReactNode {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2_000);
  };
  return (
    <span className="code">
      <code>{text}</code>
      <button type="button" className="button-quiet" onClick={() => void copy()} aria-label={`Copy: ${text}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </span>
  );
}
