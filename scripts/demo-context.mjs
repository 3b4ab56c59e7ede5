// The last part of the demo: a support desk whose context comes from a small CRM and a SQLite file.
import { join } from "node:path";
import { find, loopx, say } from "./narrate.mjs";
import { bindTo, prepareDesk, startCrm } from "./support-desk.mjs";

const binding = "--binding=deployment/context-binding.json";

export async function tellContext({ place, env }) {
  const project = join(place, "support-desk");
  const world = { project, env: { ...env, CRM_TOKEN: "invented-for-this-run" } };
  prepareDesk(project);
  say(
    "9. The third question: what is true right now? A Context Project declares layers; providers fill them at request time.",
  );
  const crm = await startCrm(world, 0);
  try {
    bindTo(project, crm.url);
    await tellTurns(world, crm);
  } finally {
    await crm.stop();
  }
}

async function tellTurns(world, crm) {
  say("   Its tests run on invented answers: no CRM, no database, no network.");
  loopx(world, ["context", "test", "--project=project"]);
  loopx(world, ["context", "build", "--project=project", "--output=builds"]);
  const turn = [
    "context",
    "turn",
    "--build=builds/current",
    binding,
    "--store=traces",
    "--objective=answer-ticket",
    "--consumer=support-agent",
    "--input=customerId=CUST-1042",
    "--input=orderId=ORD-20001",
  ];
  say("   A real CRM answers over HTTP, orders come from a SQLite file: READY.");
  loopx(world, turn);

  say(
    "10. Now the CRM takes five seconds for earlier tickets. They are optional: DEGRADED, and the text says what is unknown.",
  );
  await crm.stop();
  const slow = await startCrm(world, crm.port, ["--slow=ticket-history"]);
  try {
    loopx(world, turn);
  } finally {
    await slow.stop();
  }

  say("11. Now the CRM is gone. Customer facts are required: BLOCKED, and nothing is made up.");
  loopx(world, turn);

  say(
    "12. Each turn left a trace: which provider said what, without a value or a record id in it. They can be searched.",
  );
  const search = ["context", "traces", "list", "--store=traces", binding];
  const found = loopx(world, [...search, "--provider=ticket-history", "--provider-status=TIMEOUT"]);
  const id = find(found, /(trace_\w+)/);
  loopx(world, ["context", "traces", "show", "--store=traces", binding, `--trace-id=${id}`]);
  loopx(world, ["context", "traces", "verify", "--store=traces", binding]);
}
