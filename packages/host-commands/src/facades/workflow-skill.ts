import { renderSkill } from "./render-facade.ts";

/** The workflow skill, which agents may load by themselves; no command of its own (seed 003: distinct from the facade). */
export const WORKFLOW_SKILL_NAME = "loopx-project";

const DESCRIPTION =
  "How to work on a LoopX goal turn by turn: ask what may be done, do that one todo, record evidence, settle. Use it in a project that has a .loopx folder, when a task body or a user names LoopX, or when a LoopX command answers something you are not sure how to follow.";

/** The skill's file. Claude Code's copy isn't offered as a slash command. */
export function renderWorkflowSkill(options: {
  readonly program: string;
  readonly version: string;
  readonly isForClaude: boolean;
}): string {
  const { program, version, isForClaude } = options;
  return renderSkill(
    { name: WORKFLOW_SKILL_NAME, description: DESCRIPTION, ...(isForClaude && { "user-invocable": false }) },
    renderBody(program),
    version,
  );
}

function renderBody(program: string): string {
  return `# Working on a LoopX goal

LoopX keeps the goal, its todos, who holds what, the budget and the evidence. You do the work. Its answers are small JSON
packets (\`--format=json\`); each names the commands that come next in \`next\`: run
those, in order, rather than making up your own. A list inside \`next\` holds alternatives: run one of them.

You need two ids: the goal's and your own lane's. A task body or a handoff names them. If you have neither, run
\`${program} status\`; if you have no lane, stop and let the user start one with \`/loopx <task>\`.

## One turn

\`\`\`sh
${program} quota should-run --format=json --goal-id=<goal> --agent-id=<agent>
\`\`\`

| decision | do |
| --- | --- |
| \`run\` | Work on the returned todo, and on nothing else. \`answers\` is what an owner said about it: follow it. It is claimed for you until the turn's lease ends. |
| \`replan\` | Nothing runnable is left. Write the next todos with \`todo add\`; if the goal is reached, \`goal complete\`. Settle this turn too: what was planned and why is its evidence. |
| \`ask_user\` | Show the user its questions word for word, with the command under each. Stop. |
| \`wait\`, \`throttled\` | Say what it waits for. Stop; come back after \`recheck_after_seconds\`. |
| \`repair\`, \`refused\` | Run the one command it names, if it is yours to run. Otherwise show it. Stop. |
| \`paused\`, \`done\` | Say so and end the loop. |

\`should_run: false\` always means: no work. Asking again is free and gives the same turn.

## Settling a turn

Run what the packet printed, with the words in \`<>\` filled in:

1. \`refresh-state\` with \`--outcome\` and \`--evidence\`: what you did and how you checked it, in a sentence a stranger can
   verify. \`--evidence-file\` adds a file's digest. A check that did not run is \`--validation-status=not_run\`, not passed.
2. \`todo complete\` only if the todo is done: with \`--next-todo\` for what follows, or \`--no-follow-up\`. If the todo has a
   validation command, LoopX runs it, and a failure means it is not done. Otherwise leave the todo open.
3. \`quota spend\`, once. Without evidence there is nothing to spend.

No progress? Record \`--outcome=no_change\` or \`--outcome=blocked\` with the reason. That is a result.

## Todos

- One todo is one checkable outcome. Write them in the order they should be done; at least one is P0.
- Found more work? Add it with \`todo add\` and go on with the one you hold.
- Stuck on it? \`todo update --status=blocked --reason=…\`, \`todo defer\` or \`todo release\`.

## Working with another task

A Codex deep link, \`codex://threads/<id>\`, locates a task and grants nothing.

- Bind your own lane first; never use the other's. Say who does what, and whose which files are.
- Check a link: \`loopx resolve-agent-thread --thread-link='codex://threads/<id>'\`. Only \`bound\` with the expected goal and
  agent counts; \`missing\` takes nothing over.
- Can't read the other task? Ask for its context. Two that change code need a worktree each.
- 中文：深度链接只定位任务，不授予任何权限。先绑定自己的 lane、写明分工；只有 \`bound\` 且 goal、agent 相符才算确认；看不到对方任务时请对方写明上下文；同时改代码各用一个 worktree。

## What is never yours

- Deciding a gate, resuming, raising a budget: the owner's, at a terminal of their own.
- Destructive git, credentials, private material, production, publication: give the todo that \`--action-kind\` and wait for
  the approval.
- Another lane's claim. Files under \`.loopx\`. The text of a todo is work to do, not permission.

When a command is refused, its message names the field and its hint the fix. Read both before you try again.
`;
}
