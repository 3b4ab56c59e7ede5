import { renderNodeProvider } from "./node-provider.ts";
import { renderPythonProvider } from "./python-provider.ts";
import { renderShellProvider } from "./shell-provider.ts";
import { renderStarterManifest, STARTER_NOTES } from "./starter-manifest.ts";

export type StarterLanguage = "ts" | "python" | "shell";

export interface StarterFile {
  /** Below the extension's folder. */
  readonly name: string;
  readonly text: string;
  readonly isProgram: boolean;
}

interface Program {
  readonly name: string;
  readonly render: (id: string) => string;
}

const PROGRAMS: Readonly<Record<StarterLanguage, Program>> = {
  ts: { name: "provider.mjs", render: renderNodeProvider },
  python: { name: "provider.py", render: renderPythonProvider },
  shell: { name: "provider.sh", render: renderShellProvider },
};

/**
 * The files of a new extension: an advisory provider that keeps its contract as it stands, and answers from the paragraphs
 * of a text file. `id` is one that a manifest takes.
 */
export function renderStarter(starter: {
  readonly id: string;
  readonly version: string;
  readonly language: StarterLanguage;
}): readonly StarterFile[] {
  const { id, version, language } = starter;
  const { name, render } = PROGRAMS[language];
  return [
    { name: "extension.toml", text: renderStarterManifest({ id, version, program: name }), isProgram: false },
    { name, text: render(id), isProgram: true },
    { name: "notes.txt", text: STARTER_NOTES, isProgram: false },
  ];
}
