import { useRef, useState, type ReactNode } from "react";

/** A command line, with a button that copies it. */
export function Code({ text }: { readonly text: string }): ReactNode {
  const code = useRef<HTMLElement>(null);
  const [came, setCame] = useState<"Copied" | "Selected">();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCame("Copied");
    } catch {
      // Forbidden, or not there at all: browsers have a clipboard for this machine and for encrypted addresses only.
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      setCame("Selected");
    }
    setTimeout(() => setCame(undefined), 2_000);
  };
  return (
    <span className="code">
      <code ref={code}>{text}</code>
      <button type="button" className="button-quiet" onClick={() => void copy()} aria-label={`Copy: ${text}`}>
        {came ?? "Copy"}
      </button>
    </span>
  );
}
