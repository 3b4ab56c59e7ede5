import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromRefusal, toInstant } from "@loopx/contracts";
import {
  createBuild,
  createKeyset,
  loadContextProject,
  openDeployment,
  parseBinding,
  renderKeyset,
  runTurn,
  type Deployment,
  type TurnAnswer,
  type TurnRequest,
} from "@loopx/runtime-context";

const SQLITE_CHILD = fileURLToPath(new URL("../../packages/loopx/dist/sqlite-child.cjs", import.meta.url));

/** A deployment in a temporary folder, with real keys. */
export interface Desk {
  readonly directory: string;
  readonly deployment: Deployment;
  /** Carries out a turn; objective, consumer and the only profile unless the request says otherwise. */
  turn(request?: Partial<TurnRequest>, turnDeadlineMs?: number): Promise<TurnAnswer>;
  close(): Promise<void>;
}

export interface DeskOptions {
  /** Written as the project's file. */
  readonly project: object;
  /** The binding's providers. */
  readonly providers: object;
  readonly env?: Readonly<Record<string, string>>;
  /** Makes what the binding names, such as a database, in the binding's folder. */
  readonly prepare?: (folder: string) => void;
}

export async function openDesk({ project, providers, env = {}, prepare }: DeskOptions): Promise<Desk> {
  const directory = mkdtempSync(join(tmpdir(), "loopx-desk-"));
  const [projectFolder, folder] = [join(directory, "project"), join(directory, "binding")];
  mkdirSync(projectFolder);
  mkdirSync(folder);
  writeFileSync(join(projectFolder, "context.project.json"), JSON.stringify(project));
  let count = 0;
  const newId = (prefix: string): string => `${prefix}_${String((count += 1)).padStart(6, "0")}`;
  writeFileSync(join(folder, "keyset.json"), renderKeyset(createKeyset(newId)), { mode: 0o600 });
  prepare?.(folder);
  const loaded = await loadContextProject(projectFolder);
  const written = { contract: "context-binding.v1", id: "desk", providers, keyset: "file:keyset.json" };
  const binding = await parseBinding(JSON.stringify(written), { path: join(folder, "context-binding.json") });
  const clock = { now: () => toInstant(Date.now()), monotonicMs: () => performance.now() };
  const build = createBuild(loaded.project, loaded.files);
  const deployment = openDeployment(build, binding, { env, clock, sqliteChild: SQLITE_CHILD });
  return {
    directory,
    deployment,
    turn: async (request = {}, turnDeadlineMs = 10_000) => {
      const whole = { objective: "answer-ticket", consumer: "support-agent", profile: null, inputs: {}, ...request };
      const parts = { clock, newTraceId: () => newId("trace"), traces: null, turnDeadlineMs };
      const answer = await runTurn(deployment, whole, parts);
      if (!answer.ok) throw fromRefusal(answer);
      return answer;
    },
    close: async () => {
      await deployment.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The seed's project: customer facts from one provider, under the rule given. */
export function customerProject(rule: "required" | "optional" | "excluded", parts: object = {}): object {
  return {
    contract: "context-project.v1",
    id: "desk",
    version: "1.0.0",
    objectives: [
      { id: "answer-ticket", name: "Answer a ticket" },
      { id: "plan-shift", name: "Plan a shift" },
    ],
    consumers: [
      { id: "support-agent", name: "Support agent" },
      { id: "auditor", name: "Auditor" },
    ],
    profiles: [
      {
        id: "support",
        name: "Support",
        budget: { bytes: 16_384 },
        layers: [
          { layer: "house-rules", rule: "required", priority: 10 },
          { layer: "customer-profile", rule, priority: 20 },
        ],
      },
    ],
    layers: [
      { id: "house-rules", name: "House rules", bindings: [{ text: "Be brief." }] },
      {
        id: "customer-profile",
        name: "Customer profile",
        objectives: ["answer-ticket"],
        consumers: ["support-agent"],
        bindings: [{ provider: "customer-data" }],
        metadata: ["plan"],
      },
    ],
    providers: [
      {
        id: "customer-data",
        name: "Customer data",
        lookup: { input: "customerId", pattern: "^CUST-[0-9]{4}$" },
        maxItems: 2,
      },
    ],
    ...parts,
  };
}
